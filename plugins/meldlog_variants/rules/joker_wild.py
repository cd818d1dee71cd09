"""The joker is wild: printed jokers are added, wild in every deal, and may have a deal of their own at the end."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import JOKER, Card
from meldlog_contracts.cards import pack as cards_of_packs
from meldlog_contracts.hooks import ASK_DEALER, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue, Table
from meldlog_variants.rules.sets_and_runs import MeldRules
from meldlog_variants.rules.wild_sequence import WildSequence

WildAnswer = tuple[str, ...] | Literal["ask_dealer"] | None


class JokerWild(Struct, frozen=True, forbid_unknown_fields=True):
    """Jokers beside the wild rank."""

    joker_wild: Annotated[
        bool,
        option(
            "joker.wild", "The joker is wild", "Le joker est frimé", "جوکر وایلد است", "الجوكر ورقة بديلة"
        ),
    ] = True
    joker_final_deal: Annotated[
        bool,
        option(
            "joker.final-deal",
            "A last deal for the joker",
            "Une dernière manche au joker",
            "دور پایانی جوکر",
            "جولة أخيرة للجوكر",
        ),
    ] = False


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="joker-wild",
        title="Joker wild",
        rules_version=1,
        kind="option",
        titles={"en": "Joker wild", "fr": "Joker frimé", "fa": "جوکر وایلد", "ar": "الجوكر ورقة بديلة"},
    )


@hookimpl
def house_rules() -> type[Struct]:
    return JokerWild


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {"printed_jokers": 1}


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if not rules.house.has(WildSequence):
        return [Fault("/options", "in this game the jokers are wild already")]
    house = rules.house.of(JokerWild)
    if house.joker_final_deal and not house.joker_wild:
        return [
            Fault("/house_rules/joker_final_deal", "the joker has no deal of its own where it is not wild")
        ]
    if house.joker_wild and not rules.house.of(MeldRules).printed_jokers:
        return [Fault("/house_rules/printed_jokers", "jokers are wild, but there are none")]
    return []


@hookimpl
def pack(rules: Rules) -> tuple[Card, ...] | None:
    """Switched off, the option adds no joker."""
    house = rules.house.of(MeldRules)
    return None if rules.house.of(JokerWild).joker_wild else cards_of_packs(house.packs)


@hookimpl(wrapper=True)
def deal_count(rules: Rules) -> Generator[None, int | None, int | None]:
    count = yield
    house = rules.house.of(JokerWild)
    return count + 1 if count is not None and house.joker_wild and house.joker_final_deal else count


@hookimpl(wrapper=True)
def wild_ranks(number: int, table: Table, rules: Rules) -> Generator[None, WildAnswer, WildAnswer]:
    """In the joker's own deal it alone is wild."""
    wild = yield
    house = rules.house.of(JokerWild)
    if not house.joker_wild:
        return wild
    if house.joker_final_deal and number == table.deals:
        return (JOKER,)
    return wild if wild == ASK_DEALER else (*(wild or ()), JOKER)
