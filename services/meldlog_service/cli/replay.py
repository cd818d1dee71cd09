"""`meldlog replay`: the table after every version, through any viewer's eyes."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.helping import FiniteRange, examples, json_option
from meldlog_service.cli.sources import Source, source_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meldlog_service.cli.replaying import Replay, Step
    from meldlog_service.cli.stepping import Stepping
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
@click.option(
    "--deal", type=click.IntRange(min=1), metavar="NUMBER", help="Begin with the first version of this deal."
)
@click.option(
    "--speed",
    type=FiniteRange(min=1 / 8, max=64),
    metavar="N",
    help="At a terminal, play by itself, so many versions a second.",
)
@click.option(
    "--knowledge", is_flag=True, help="Tell who knew what: the cards that each seat had seen by then."
)
@source_options
@json_option
def command(
    game: str,
    viewer: Viewer,
    at: int | None,
    deal: int | None,
    speed: float | None,
    knowledge: bool,
    source: Source,
    as_json: bool,
) -> None:
    """Show the table after every version of a game.

    GAME is a game of a service's store (or, with --url, of a service); FILE is a log that was exported, and `-` reads
    one from standard input. At a terminal, keys step through the game: n next, p previous, d and D the next deal and
    the one before, a number and enter (or d) to go to that version (or deal), s to let it play by itself and to stop
    it, + and - for its speed, q to quit. Elsewhere every version is printed. No rules are asked, so it works with no
    plugin installed; whether a game was played by the rules is for `meldlog audit` to say.

    With --knowledge every version tells what was known then: to the operator's eyes what each seat had seen, to
    another viewer's its own. It follows from what that viewer was sent, and is not what could be reckoned from it.

    Exit status: 0; 1 when the log does not fit together or its chain is broken; 2 when there is no such game.
    """
    from meldlog_service.cli.faults import WRONG_USAGE, Fault
    from meldlog_service.cli.replaying import replay
    from meldlog_service.cli.sources import is_file, read_file
    from meldlog_service.cli.stepping import SPEED, Stepping, deal_at, deal_of

    if at is not None and deal is not None:
        raise click.UsageError("--at and --deal each say where to begin: name one")
    lines = read_file(game) if is_file(game) else source.log(game)
    found = replay(lines, viewer, knowledge=knowledge)
    if at is not None and found.steps and at > len(found.steps):
        raise Fault(f"there is no version {at}: the log shows versions 1 to {len(found.steps)}", WRONG_USAGE)
    steps = found.steps if at is None else found.steps[at - 1 : at]
    if deal is not None and found.steps:
        begin = deal_at(found.steps, deal)
        if begin is None:
            raise Fault(f"there is no deal {deal} in this log", WRONG_USAGE)
        steps = tuple(step for step in found.steps[begin - 1 :] if deal_of(step) == deal)
    if as_json:
        for step in steps:
            click.echo(step.json())
    elif found.steps:
        _show(
            found,
            steps,
            Stepping(found.steps, steps[0].commit.version, speed or SPEED, playing=speed is not None),
        )
    if found.fault is not None:
        raise Fault(f"{found.fault}; `meldlog verify` tells more")


def _show(found: Replay, steps: Sequence[Step], where: Stepping) -> None:
    from rich.console import Console

    from meldlog_service.cli import rendering
    from meldlog_service.cli.keys import pressed_keys
    from meldlog_service.cli.stepping import step_through

    console = Console(highlight=False, soft_wrap=True)

    def show(step: Step) -> None:
        console.print(rendering.heading(step.commit))
        console.print(rendering.events(step.commit))
        console.print(rendering.table(step.table))
        for one in step.knowledge or ():
            console.print(rendering.knowledge(one, step.table))

    if sys.stdin.isatty() and sys.stdout.isatty():
        with pressed_keys(sys.stdin.fileno()) as next_key:
            step_through(found.steps, show, console, where, next_key)
        return
    for step in steps:
        show(step)
        console.print()
