"""The last card: whether a wild card may be the one that is discarded to go out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import Obligation, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules, option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table


class LastCard(Struct, frozen=True, forbid_unknown_fields=True):
    """What the final discard may be."""

    final_discard_may_be_wild: Annotated[
        bool,
        option(
            "final-discard.wild",
            "A wild card may be discarded last",
            "Une carte frimée peut être jetée en dernier",
            "وایلد کارت می‌تواند آخرین کارت باشد",
            "يجوز أن تكون آخر ورقة تُرمى بديلة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="last-card", title="The last card", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return LastCard


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if may_be_wild(rules) or rules.house.of(TableRules).final_discard_required:
        return []
    detail = "where nobody needs a card to discard last, it cannot matter which"
    return [Fault("/house_rules/final_discard_may_be_wild", detail)]


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return ("obligations",) if may_be_wild(rules) else ()


@hookimpl
def obligations(table: Table, seat: int, rules: Rules) -> Obligation | None:
    """Whoever holds wild cards keeps a natural one to go out with."""
    wilds = rules.wild_cards(table.deal.wild)
    held = tuple(card for card in table.hand(seat) if card in wilds)
    return Obligation("final-discard.natural", not_last=held) if held else None


def may_be_wild(rules: Rules) -> bool:
    """Whether the game leaves it free what is discarded last."""
    return rules.house.of(LastCard).final_discard_may_be_wild
