"""Cards laid count for whoever laid them, cards in hand against their holder; the highest total wins."""

from __future__ import annotations

from collections.abc import Sequence

from meldlog_contracts.hooks import DealScore, Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import standings
from meldlog_variants.rules.penalties import Penalties
from meldlog_variants.rules.press import Press


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="laid-minus-hand", title="Laid cards minus hand", rules_version=1, kind="rule")


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if rules.house.has(Press) and rules.house.of(Press).press:
        return [Fault("/house_rules/press", "the most points win here: nobody lies behind by penalties")]
    return []


@hookimpl
def score_deal(table: Table, out: int | None, rules: Rules) -> DealScore:
    factor = rules.multiplier(table)
    points = [0] * table.sides
    for meld in table.deal.melds:
        for card, by in zip(meld.cards, meld.by, strict=True):
            points[table.side(by)] += factor * rules.points(card, table)
    for seat, hand in enumerate(table.deal.hands):
        points[table.side(seat)] -= factor * sum(rules.points(card, table) for card in hand)
    if out is not None and rules.house.has(Penalties):
        points[table.side(out)] += rules.house.of(
            Penalties
        ).going_out_bonus  # won here, where penalties take it off
    return DealScore(tuple(points), factor)


@hookimpl
def ranking(table: Table) -> Standing:
    return standings.highest_wins(table)
