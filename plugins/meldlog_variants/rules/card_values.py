"""Card values: what each card left in a hand costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from meldlog_contracts.cards import JOKER, RANKS, Card
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table

COURT_CARDS = {"ten": {"J": 10, "Q": 10, "K": 10}, "11_12_13": {"J": 11, "Q": 12, "K": 13}}
LOW_CARDS = frozenset("A2345678")
LOW_VALUE, HIGH_VALUE = 5, 10
ACE_IN_HAND = 11


class CardValues(Struct, frozen=True, forbid_unknown_fields=True):
    """What cards cost in hand."""

    value_table: Annotated[
        Literal["pips", "five_ten"],
        option("score.pips", "Card values", "Valeurs des cartes", "ارزش کارت‌ها", "قيم الأوراق"),
    ] = "pips"
    """``five_ten``: five for ace to eight, ten for nine to king."""
    wild_penalty: Annotated[
        int,
        option(
            "score.wild",
            "A wild in hand",
            "Une carte frimée en main",
            "وایلد در دست",
            "الورقة البديلة في اليد",
            ge=0,
            le=1000,
        ),
    ] = 25
    joker_penalty: Annotated[
        int,
        option(
            "score.joker",
            "A printed joker in hand",
            "Un joker imprimé en main",
            "جوکر در دست",
            "الجوكر في اليد",
            ge=0,
            le=1000,
        ),
    ] = 50
    ace_value: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | Literal["one_or_eleven"],
        option("score.ace", "An ace in hand", "Un as en main", "آس در دست", "الآس في اليد"),
    ] = 1
    """``one_or_eleven``: eleven in hand."""
    court_values: Annotated[
        Literal["ten", "11_12_13"],
        option(
            "score.court", "Jack, queen and king", "Valet, dame et roi", "سرباز، بیبی و شاه", "قيمة الصور"
        ),
    ] = "ten"


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="card-values", title="Card values", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return CardValues


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def card_points(card: Card, table: Table, rules: Rules) -> int:
    house = rules.house.of(CardValues)
    if card == JOKER:
        return house.joker_penalty
    if card in rules.wild_cards(table.deal.wild):
        return house.wild_penalty
    if house.value_table == "five_ten":
        return LOW_VALUE if card[0] in LOW_CARDS else HIGH_VALUE
    if card[0] == "A":
        return ACE_IN_HAND if house.ace_value == "one_or_eleven" else house.ace_value
    return COURT_CARDS[house.court_values].get(card[0], RANKS.index(card[0]) + 1)
