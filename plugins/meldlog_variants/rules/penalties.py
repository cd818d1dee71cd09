"""Penalties: whoever goes out scores nothing, the others the cards left in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import DealScore, Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import DealEnd, Table
from meldlog_variants.rules import standings

DOUBLED = frozenset("7K")


class Penalties(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done with the points of the cards left in hand."""

    double_when_7_or_K_wild: Annotated[  # noqa: N815 -- the house rule's permanent name
        bool,
        option(
            "score.double",
            "Double when 7 or K is wild",
            "Double quand le 7 ou le roi est frimé",
            "دو برابر در دور ۷ یا شاه",
            "مضاعفة عند 7 أو K",
        ),
    ] = False
    going_out_bonus: Annotated[
        int,
        option(
            "score.bonus",
            "Bonus for going out",
            "Prime de sortie",
            "پاداش تمام کردن",
            "مكافأة الإغلاق",
            ge=0,
            le=1000,
        ),
    ] = 0


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="penalties", title="Penalties for cards in hand", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return Penalties


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def multiplier(table: Table, rules: Rules) -> int:
    doubled = rules.house.of(Penalties).double_when_7_or_K_wild and not DOUBLED.isdisjoint(table.deal.wild)
    return 2 if doubled else 1


@hookimpl
def score_deal(table: Table, reason: DealEnd, out: int | None, rules: Rules) -> DealScore:
    """The side that goes out pays nothing; of a void deal nobody pays."""
    house = rules.house.of(Penalties)
    factor = rules.multiplier(table)
    points = [0] * table.sides
    winner = None if out is None else table.side(out)
    for seat, hand in enumerate(table.deal.hands if reason != "void" else ()):
        if table.side(seat) == winner:
            continue
        points[table.side(seat)] += factor * sum(rules.points(card, table) for card in hand)
    if out is not None:
        points[table.side(out)] -= house.going_out_bonus
    return DealScore(tuple(points), factor)


@hookimpl
def ranking(table: Table) -> Standing:
    return standings.lowest_wins(table)
