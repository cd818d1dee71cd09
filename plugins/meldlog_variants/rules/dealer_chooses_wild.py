"""The dealer chooses the wild: having looked at the hand, the dealer names the wild rank of the deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import RANKS
from meldlog_contracts.commands import NameWild
from meldlog_contracts.hooks import ASK_DEALER, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules.wild_sequence import SEQUENCES, WildSequence


class DealerChoosesWild(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the dealer names the wild rank."""

    dealer_chooses_wild: Annotated[
        bool,
        option(
            "wild.chosen",
            "The dealer chooses the wild",
            "Le donneur choisit la carte frimée",
            "انتخاب وایلد توسط دیلر",
            "الموزّع يختار الورقة البديلة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="dealer-chooses-wild",
        title="Dealer chooses the wild",
        rules_version=1,
        kind="option",
        titles={
            "en": "Dealer chooses the wild",
            "fr": "Le donneur choisit la carte frimée",
            "fa": "انتخاب وایلد توسط دیلر",
            "ar": "الموزّع يختار الورقة البديلة",
        },
    )


@hookimpl
def house_rules() -> type[Struct]:
    return DealerChoosesWild


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if not rules.house.has(WildSequence):
        return [Fault("/options", "this game has no wild ranks for the dealer to choose from")]
    return []


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


def ranks_left(number: int, table: Table, rules: Rules) -> tuple[str, ...]:
    """Ranks that have not been wild yet, in standard order; every rank of the sequence comes once.

    In deals that break a tie, after the sequence, they all begin again.
    """
    left = list(SEQUENCES[rules.house.of(WildSequence).wild_sequence])
    begun = (number - 1) // len(left) * len(left)
    for wild in table.wilds[begun : number - 1]:
        for rank in wild:
            if rank in left:
                left.remove(rank)
    return tuple(dict.fromkeys(sorted(left, key=RANKS.index)))


@hookimpl
def wild_ranks(
    number: int, table: Table, chosen: str | None, rules: Rules
) -> tuple[str, ...] | Literal["ask_dealer"] | None:
    if not rules.house.of(DealerChoosesWild).dealer_chooses_wild:
        return None
    if chosen is not None:
        return (chosen,)
    left = ranks_left(number, table, rules)
    return left if len(left) <= 1 else ASK_DEALER


@hookimpl
def objections(command: NameWild, table: Table, rules: Rules) -> Objection | None:
    left = ranks_left(table.deal.number, table, rules)
    if command.rank not in left:
        return Objection("wild.chosen", f"{command.rank} has been wild; still to come: {' '.join(left)}")
    return None
