"""`meldlog bench`: the measurements of `make bench`, where they are at hand."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import rich_click as click

from meldlog_service.cli.faults import WRONG_USAGE, Fault

FOLDER = Path(__file__).parents[3] / "bench"
"""Where a checkout of the sources has the package `meldlog_bench`; what is installed from a wheel has it nowhere."""


@click.command(
    "bench",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Measure the service, its engine and its store on this machine.

    The measurements belong to the sources: they run in a checkout of them, as by `make bench`.
    """
    if not (FOLDER / "meldlog_bench").is_dir():
        raise Fault(
            "the measurements are not part of what is installed: get the sources, and run `make bench` there",
            WRONG_USAGE,
        )
    sys.path.append(str(FOLDER))
    bench: click.Command = import_module("meldlog_bench.program").command
    with bench.make_context("bench", list(arguments), parent=ctx.parent) as inner:
        bench.invoke(inner)
