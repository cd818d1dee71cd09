"""What `meldlog simulate` tells: tables for people, one JSON object for programs."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.statistics import CONFIDENCE, Estimate
from meldlog_service.simulating.summary import Duel, GameFigures, Spread, StrategyFigures, Summary

WIDTH = 110
"""Columns that the tables need."""
TOLD = 5
"""How many games that did not come to their end people are told of one by one."""
WIN_RATE = "Wilson's score interval"


class Report(Struct, frozen=True, kw_only=True):
    """Games that were simulated."""

    plan: Plan
    summary: Summary
    processes: int
    """How many played."""
    seconds: float
    """From the first game to the last, with keeping them."""
    kept: int
    """How many games were written or put into a store."""
    kept_in: str | None
    """Where; None where they were not to be kept."""
    interrupted: bool

    def methods(self) -> dict[str, str]:
        """How intervals were found, by figure."""
        observed = "the games of one shuffle" if self.plan.observed_together > 1 else "a game"
        return {"win_rate": WIN_RATE, "points_per_deal": f"Student's t, {observed} being one observation"}

    def kept_words(self) -> str:
        """Where games were kept, as the end of a sentence; nothing where they were not to be."""
        return "" if self.kept_in is None else f", {self.kept} are kept in {self.kept_in}"

    def json(self) -> bytes:
        """As one JSON object."""
        return msgspec.json.encode(
            {
                **msgspec.to_builtins(self),
                "confidence": CONFIDENCE,
                "intervals": self.methods(),
            }
        )


def show(report: Report) -> None:
    """Print the tables; a narrower terminal gets their width all the same."""
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, WIDTH)
    plan, summary = report.plan, report.summary
    console.print(
        f"{plan.variant}, {plan.seats} seats, {summary.played} games with seed {plan.seed}"
        f" in {report.seconds:.1f} s by {report.processes} process{'es' * (report.processes > 1)}"
        f"{report.kept_words()}"
    )
    if summary.strategies:
        methods = report.methods()
        console.print(_strategies(summary.strategies))
        console.print(
            f"Intervals of {CONFIDENCE:.0%}: of rates by {methods['win_rate']}, "
            f"of points by {methods['points_per_deal']}."
        )
    if summary.duel is not None:
        console.print(_duel(summary.duel), soft_wrap=True)
        if (fewer := summary.duel.fewer_is_better) is not None:
            console.print(f"In {plan.variant} {'fewer' if fewer else 'more'} points are better.")
    if summary.games is not None:
        console.print(_games(summary.games))
        console.print(
            f"{summary.games.commands_per_second:,.0f} commands for each second of a processor; "
            f"the longest game is {summary.games.longest}."
        )
        console.print(_ends(summary.games))
    if summary.played % plan.seatings:
        console.print(
            f"{summary.played} is no multiple of {plan.seatings}: not every strategy sat everywhere equally often."
        )
    for trouble in summary.troubles[:TOLD]:
        why = trouble.detail or f"left after {trouble.commands} commands"
        console.print(f"Game {trouble.number} ({trouble.game_id}) {trouble.outcome}: {why}")
    if len(summary.troubles) > TOLD:
        console.print(f"and {len(summary.troubles) - TOLD} more")


def _strategies(strategies: tuple[StrategyFigures, ...]) -> Table:
    table = _table("strategy", "games", "wins", "win rate", "by chance", "points per deal", "mean rank")
    for one in strategies:
        table.add_row(
            one.strategy,
            str(one.games),
            f"{one.wins:.4g}",
            _interval(one.win_rate, ".1%"),
            f"{one.by_chance:.1%}",
            _interval(one.points_per_deal, ".2f"),
            f"{one.mean_rank:.2f}",
        )
    return table


def _duel(duel: Duel) -> str:
    return (
        f"{duel.strategy} against {duel.against}: {duel.won} won, {duel.lost} lost, {duel.shared} shared; "
        f"{_by_how_much(duel)}."
    )


def _by_how_much(duel: Duel) -> str:
    """How far the first is ahead or behind, whichever way the variant counts: nobody has to think about a sign."""
    lead = duel.points_ahead
    if lead is None:
        more = duel.points_per_deal
        return f"{more.value:.2f} more points a deal{_bounds(more)}"
    is_behind = duel.ahead == duel.against
    told = lead.negated() if is_behind else lead
    return f"{told.value:.2f} points a deal {'behind' if is_behind else 'ahead'}{_bounds(told)}"


def _games(games: GameFigures) -> Table:
    table = _table("per game", "least", "median", "mean", "most")
    for name, spread, form in (
        ("commands", games.commands, ",.0f"),
        ("deals", games.deals, ".1f"),
        ("processor ms", _in_milliseconds(games.seconds), ",.0f"),
    ):
        table.add_row(name, *(format(figure, form) for figure in msgspec.structs.astuple(spread)))
    return table


def _ends(games: GameFigures) -> str:
    deals = sum(games.deals_ended.values())
    told = ", ".join(
        f"{reason.replace('_', ' ')} {count / deals:.1%}" for reason, count in games.deals_ended.items()
    )
    return f"{deals} deals ended{f': {told}' if told else ''}."


def _table(*headings: str) -> Table:
    table = Table()
    table.add_column(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right")
    return table


def _in_milliseconds(seconds: Spread) -> Spread:
    return Spread(*(1000 * figure for figure in msgspec.structs.astuple(seconds)))


def _bounds(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" ({estimate.low:.2f} to {estimate.high:.2f})"


def _interval(estimate: Estimate, form: str) -> str:
    value = format(estimate.value, form)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{format(estimate.low, form)}, {format(estimate.high, form)}]"
