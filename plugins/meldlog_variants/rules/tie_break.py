"""Ties: what happens when several share the best total after the last deal."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.hooks import Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table

PLAY_OFFS = 12
"""So many deals are added at most; whoever is level then wins together."""


class TieBreak(Struct, frozen=True, forbid_unknown_fields=True):
    """How a tie for the first place is broken."""

    tie_break: Annotated[
        Literal["joint", "fewest_lost", "play_off"],
        option("game.tie", "Level totals", "Égalité", "امتیاز برابر", "تعادل المجاميع"),
    ] = "joint"
    """``fewest_lost``: by the deals in which somebody else went out; ``play_off``: by a further deal."""


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="tie-break", title="Ties", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return TieBreak


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    how = rules.house.of(TieBreak).tie_break
    return {"joint": ("ranking", "is_last_deal"), "fewest_lost": ("is_last_deal",), "play_off": ("ranking",)}[
        how
    ]


@hookimpl(wrapper=True)
def ranking(table: Table) -> Generator[None, Standing, Standing]:
    """Of those who share the best total, whoever lost fewest deals; who shares that as well wins together."""
    standing = yield
    lost = {seat: deals_lost(table, seat) for seat in standing.winners}
    winners = tuple(seat for seat in standing.winners if lost[seat] == min(lost.values()))
    level = sorted(standing.winners, key=lambda seat: (lost[seat], seat))
    return Standing(winners, (*level, *standing.ranking[len(level) :]))


def deals_lost(table: Table, seat: int) -> int:
    """Deals in which somebody of another side went out."""
    return sum(out is not None and table.side(out) != table.side(seat) for out in table.outs)


@hookimpl
def is_last_deal(table: Table, rules: Rules) -> bool | None:
    """Level at the top after the last deal, everybody plays another one."""
    if table.deals is None or not table.deals <= len(table.scores) < table.deals + PLAY_OFFS:
        return None
    winners = rules.ranking(table).winners
    return False if len({table.side(seat) for seat in winners}) > 1 else None
