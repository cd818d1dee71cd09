"""Rami's score: the side that closes pays nothing, its opponents pay, and the side that reaches the limit loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from meldlog_contracts.hooks import DealScore, Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import standings


class LosersPay(Struct, frozen=True, forbid_unknown_fields=True):
    """What losers pay, and how much a side can bear."""

    limit_alone: Annotated[
        int,
        option(
            "score.limit",
            "Limit, one against one",
            "Limite, un contre un",
            "سقف، یک به یک",
            "الحد، واحد ضد واحد",
            ge=1,
            le=1_000_000,
        ),
    ] = 251
    limit_pairs: Annotated[
        int,
        option(
            "score.limit",
            "Limit, two against two",
            "Limite, deux contre deux",
            "سقف، دو به دو",
            "الحد، اثنان ضد اثنين",
            ge=1,
            le=1_000_000,
        ),
    ] = 351
    flat_penalty: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        option("score.flat", "Flat penalty", "Pénalité fixe", "جریمهٔ ثابت", "عقوبة ثابتة"),
    ] = None
    """Null: the cards in hand are counted."""
    unopened_penalty: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        option(
            "score.unopened",
            "Penalty for never having laid",
            "Pénalité sans avoir posé",
            "جریمهٔ رو نکردن",
            "عقوبة من لم ينزل",
        ),
    ] = None
    rami_sec_multiplier: Annotated[
        Literal[1, 2],
        option("score.rami-sec", "Rami sec", "Rami sec", "رامی سِک", "رامي سك"),
    ] = 1


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="losers-pay", title="The losers pay", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return LosersPay


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def multiplier(table: Table, rules: Rules) -> int:
    """Rami sec: closing with nothing laid before that turn."""
    out = table.deal.out
    sec = out is not None and not table.had_acted(out)
    return rules.house.of(LosersPay).rami_sec_multiplier if sec else 1


@hookimpl
def score_deal(table: Table, out: int | None, rules: Rules) -> DealScore:
    house = rules.house.of(LosersPay)
    points = [0] * table.sides
    if out is None:
        return DealScore(tuple(points))
    factor = rules.multiplier(table)
    for seat, hand in enumerate(table.deal.hands):
        if table.side(seat) == table.side(out):
            continue
        if house.flat_penalty is not None:
            penalty = house.flat_penalty
        elif house.unopened_penalty is not None and table.deal.acted_at[seat] is None:
            penalty = house.unopened_penalty
        else:
            penalty = sum(rules.points(card, table) for card in hand)
        points[table.side(seat)] += factor * penalty
    return DealScore(tuple(points), factor)


def limit(table: Table, rules: Rules) -> int:
    """The total at which a side has lost."""
    house = rules.house.of(LosersPay)
    return house.limit_pairs if table.sides < len(table.seats) else house.limit_alone


@hookimpl
def is_last_deal(table: Table, rules: Rules) -> bool:
    return max(table.totals) >= limit(table, rules)


@hookimpl
def ranking(table: Table) -> Standing:
    return standings.lowest_wins(table)
