"""Wild ranks: in each deal the cards of one rank may stand for others, and the rank climbs from deal to deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import JOKER, RANKS, Card
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet

SEQUENCES = {
    "ace_to_king": RANKS,
    "two_to_king": RANKS[1:],
    "two_to_ace": RANKS[1:] + "A",
    "king_to_ace": RANKS[::-1],
    "ace_to_ace": RANKS + "A",
}


class WildSequence(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rank is wild in which deal, and how many deals there are."""

    wild_sequence: Annotated[
        Literal["ace_to_king", "two_to_king", "two_to_ace", "king_to_ace", "ace_to_ace"],
        option(
            "wild.sequence",
            "Order of the wild ranks",
            "Ordre des cartes frimées",
            "ترتیب وایلد کارت‌ها",
            "ترتيب الأوراق البديلة",
        ),
    ] = "ace_to_king"
    deal_count: Annotated[
        int | Literal["by_sequence"],
        option("game.deals", "Deals", "Manches", "تعداد دورها", "عدد الجولات"),
    ] = "by_sequence"
    """``by_sequence``: one for each wild rank; less for a shorter game."""


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="wild-sequence", title="Wild ranks in sequence", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return WildSequence


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def wild_ranks(number: int, rules: Rules) -> tuple[str, ...]:
    ranks = SEQUENCES[rules.house.of(WildSequence).wild_sequence]
    return (ranks[(number - 1) % len(ranks)],)


@hookimpl
def is_wild(card: Card, wild: tuple[str, ...]) -> bool:
    return card != JOKER and card[0] in wild


@hookimpl
def deal_count(rules: Rules) -> int:
    house = rules.house.of(WildSequence)
    return len(SEQUENCES[house.wild_sequence]) if house.deal_count == "by_sequence" else house.deal_count


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(WildSequence)
    there = len(SEQUENCES[house.wild_sequence])
    if house.deal_count == "by_sequence" or 1 <= house.deal_count <= there:
        return []
    return [
        Fault("/house_rules/deal_count", f"the wild sequence {house.wild_sequence} has 1 to {there} deals")
    ]
