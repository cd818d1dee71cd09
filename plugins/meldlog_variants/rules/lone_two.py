"""The lone two: a player who after discarding holds one card, a two, ends the deal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import DealEnd, Table


class LoneTwo(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a lone two ends the deal."""

    lone_two_ends_deal: Annotated[
        bool,
        option(
            "lone-two",
            "A lone two ends the deal",
            "Un deux isolé finit la manche",
            "تک‌کارت ۲ دور را تمام می‌کند",
            "ورقة 2 وحيدة تنهي الجولة",
        ),
    ] = False


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="lone-two", title="The lone two", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return LoneTwo


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(LoneTwo).lone_two_ends_deal else ("deal_over",)


@hookimpl
def deal_over(table: Table, seat: int, rules: Rules) -> DealEnd | None:
    hand = table.hand(seat)
    if len(hand) != 1:
        return None
    (card,) = hand
    return "lone_two" if card[0] == "2" and card not in rules.wild_cards(table.deal.wild) else None
