"""`meldlog replay`: the table after every version, through any viewer's eyes."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, source_options

if TYPE_CHECKING:
    from meldlog_service.cli.replaying import Replay
    from meldlog_service.core.views import Viewer


def _viewer(_: click.Context, __: click.Parameter, text: str) -> Viewer:
    """The viewer as the core names it: a seat's number, or a word."""
    if text == "operator":
        return "operator"
    if text == "spectator":
        return "spectator"
    if match := re.fullmatch(r"seat:(\d{1,2})", text, re.ASCII):
        return int(match[1])
    raise click.BadParameter(f"{text!r} is none of operator, spectator, seat:0, seat:1 ...")


@click.command(
    "replay",
    epilog=examples(
        "meldlog replay log.ndjson",
        "meldlog replay log.ndjson --as seat:2 --at 57",
        "meldlog replay 3kd0qzjxw5yk7m2fpb4t --url http://127.0.0.1:8000",
    ),
)
@click.argument("game", metavar="GAME|FILE")
@click.option(
    "--as",
    "viewer",
    callback=_viewer,
    default="operator",
    metavar="VIEWER",
    help="Through whose eyes: `operator` (everything that the log shows), `spectator`, or `seat:N`.",
    show_default=True,
)
@click.option(
    "--at", type=click.IntRange(min=1), metavar="VERSION", help="Show this version, or begin with it."
)
@source_options
@json_option
def command(
    game: str,
    viewer: Viewer,
    at: int | None,
    source: Source,
    as_json: bool,
) -> None:
    """Show the table after every version of a game.

    GAME is a game of a service's store (or, with --url, of a service); FILE is a log that was exported, and `-` reads
    one from standard input. At a terminal, keys step through the game: n next, p previous, a number and enter to go
    there, q to quit. Elsewhere every version is printed. No rules are asked, so it works with no plugin installed;
    whether a game was played by the rules is for `meldlog audit` to say.

    Exit status: 0; 1 when the log does not fit together or its chain is broken; 2 when there is no such game.
    """
    from meldlog_service.cli.faults import WRONG_USAGE, Fault
    from meldlog_service.cli.replaying import replay
    from meldlog_service.cli.sources import is_file, read_file

    found = replay(read_file(game) if is_file(game) else source.log(game), viewer)
    if at is not None and at > len(found.steps):
        raise Fault(f"there is no version {at}: the log shows versions 1 to {len(found.steps)}", WRONG_USAGE)
    if as_json:
        for step in found.steps if at is None else found.steps[at - 1 : at]:
            click.echo(step.json())
    elif found.steps:
        _show(found, at)
    if found.fault is not None:
        raise Fault(f"{found.fault}; `meldlog verify` tells more")


def _show(found: Replay, at: int | None) -> None:
    from rich.console import Console

    from meldlog_service.cli import rendering
    from meldlog_service.cli.keys import pressed_keys
    from meldlog_service.cli.replaying import Step
    from meldlog_service.cli.stepping import step_through

    console = Console(highlight=False, soft_wrap=True)

    def show(step: Step) -> None:
        console.print(rendering.heading(step.commit))
        console.print(rendering.events(step.commit))
        console.print(rendering.table(step.table))

    if sys.stdin.isatty() and sys.stdout.isatty():
        with pressed_keys(sys.stdin.fileno()) as keys:
            step_through(found.steps, show, console, at or 1, keys)
        return
    for step in found.steps if at is None else found.steps[at - 1 : at]:
        show(step)
        console.print()
