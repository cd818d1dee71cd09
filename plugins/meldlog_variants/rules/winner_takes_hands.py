"""The winner of a deal scores the others' hands; the first to reach the target wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import DealScore, Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import standings


class WinnerTakesHands(Struct, frozen=True, forbid_unknown_fields=True):
    """How far one plays, and what going rummy is worth."""

    target: Annotated[
        int, option("score.target", "Target", "Objectif", "هدف", "الهدف", ge=1, le=1_000_000)
    ] = 150
    rummy_bonus_double: Annotated[
        bool,
        option(
            "score.rummy",
            "Going rummy counts double",
            "Faire rami compte double",
            "رامی دو برابر",
            "الرامي مضاعف",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="winner-takes-hands", title="The winner scores", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return WinnerTakesHands


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def multiplier(table: Table, rules: Rules) -> int:
    """Going rummy: all cards in one turn, with nothing laid before it."""
    out = table.deal.out
    rummy = out is not None and not table.had_acted(out)
    return 2 if rummy and rules.house.of(WinnerTakesHands).rummy_bonus_double else 1


@hookimpl
def score_deal(table: Table, out: int | None, rules: Rules) -> DealScore:
    points = [0] * table.sides
    if out is None:
        return DealScore(tuple(points))
    factor = rules.multiplier(table)
    winner = table.side(out)
    for seat, hand in enumerate(table.deal.hands):
        if table.side(seat) != winner:
            points[winner] += factor * sum(rules.points(card, table) for card in hand)
    return DealScore(tuple(points), factor)


@hookimpl
def is_last_deal(table: Table, rules: Rules) -> bool:
    return max(table.totals) >= rules.house.of(WinnerTakesHands).target


@hookimpl
def ranking(table: Table) -> Standing:
    return standings.highest_wins(table)
