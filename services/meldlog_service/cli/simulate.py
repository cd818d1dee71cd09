"""`meldlog simulate`: whole games by bots, and what they say of the bots and of the variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.destinations import Destination, destination_options
from meldlog_service.cli.faults import Fault
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.plan_options import plan_options

if TYPE_CHECKING:
    from meldlog_service.simulating.plan import Plan

INTERRUPTED = 130
"""Exit status of what Ctrl-C ended, as shells tell it."""


@click.command(
    "simulate",
    epilog=examples(
        "meldlog simulate crazy-rummy --games 200 --bots plain,random",
        "meldlog simulate rami-51 --bots plain,patient --seats 4 --house-rule teams=none --seed 7",
        "meldlog simulate beanie --games 1000 --out logs --json",
    ),
)
@plan_options
@destination_options
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="How many processes play. [default: one a core]"
)
@json_option
def command(plan: Plan, destination: Destination, jobs: int | None, as_json: bool) -> None:
    """Play whole games of VARIANT by bots; tell who wins, by how much, and how long games are.

    The rules are those of this environment; no service is needed. With --out, --data-dir or --redis-url the games are
    kept: they can be verified, replayed and audited like any others. The times in their logs are made up, so that the
    same seed makes the same bytes, whatever the number of --jobs.

    Ctrl-C ends it: what was played by then is told, and every game that is kept is whole.

    Exit status: 0; 1 when a game did not come to its end, or games could not be kept; 2 when the command was used
    wrongly; 130 when it was interrupted.
    """
    from meldlog_service.cli.simulating import simulated
    from meldlog_service.cli.simulation_report import show

    report = simulated(plan, destination, jobs)
    summary = report.summary
    if as_json:
        click.echo(report.json())
    else:
        show(report)
    if report.interrupted:
        raise Fault(f"interrupted: {summary.finished} of {plan.games} games are finished", INTERRUPTED)
    if summary.finished < plan.games:
        raise Fault(f"{plan.games - summary.finished} of {plan.games} games did not come to their end")
