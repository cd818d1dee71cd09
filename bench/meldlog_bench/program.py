"""The command: which parts are measured, and where their figures go."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import rich_click as click

from meldlog_service.cli.helping import examples, json_option

PARTS = ("commands", "replay", "audit", "engine", "growth", "start", "memory", "archive")
SLOW = frozenset({"memory", "archive"})
WIDTH = 150
"""Columns that the table needs."""


@click.command(
    "bench",
    epilog=examples(
        "make bench",
        'make bench BENCH="--strict --out mine.json"',
        "meldlog bench replay engine",
        "meldlog bench memory",
    ),
)
@click.argument("parts", nargs=-1, type=click.Choice(PARTS))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file, as JSON."
)
@click.option(
    "--show",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Measure nothing: show a report that was written before.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a table in Markdown.")
@click.option("--strict", is_flag=True, help="Exit with status 1 when a target is missed.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    parts: tuple[str, ...],
    out: Path | None,
    show: Path | None,
    as_markdown: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Measure the service, its engine and its store on this machine.

    PARTS are commands, replay, audit, engine, growth, start, memory and archive; without any, all but the last two,
    which take minutes.

    Every figure stands beside one of something plainer, measured in the same run. A missed target says MISSED.

    Exit status: 0, or with --strict 1 when a target was missed; 2 when the command was used wrongly.
    """
    # Imported now: the help of the program must not wait for a web framework.
    results, table = import_module("meldlog_bench.results"), import_module("meldlog_bench.table")
    last = results.last_release()
    if show is not None:
        report = results.read(show)
    else:
        chosen = parts or [name for name in PARTS if name not in SLOW]
        report = import_module("meldlog_bench.running").run(chosen)
    if out is not None:
        results.write(report, out)
    if as_json:
        click.echo(results.encoded(report))
    elif as_markdown:
        click.echo(table.markdown(report))
    else:
        table.show(report, last, WIDTH)
    if strict and report.missed:
        ctx.exit(1)
