"""The card taken from the discard pile: what may become of it in the same turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Discard, LayMeld, LayOff, Reclaim
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules, option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import table_play
from meldlog_variants.rules.stock_end import discards_alone


class TakenDiscard(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be done with a discard that was taken."""

    may_return_taken_discard: Annotated[
        bool,
        option(
            "discard.return",
            "The card just taken may be discarded",
            "La carte prise peut être rejetée",
            "سوزاندن کارت تازه برداشته",
            "رمي الورقة المأخوذة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="taken-discard", title="The card taken", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return TakenDiscard


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def objections(
    command: Discard | LayMeld | LayOff | Reclaim, table: Table, seat: int, rules: Rules
) -> Objection | None:
    """The card taken may not go back at once, and nobody may be left with nothing else to discard."""
    taken = table.deal.turn.unused
    if not taken:
        return None
    if discards_alone(table, rules):
        rule = "stock.until-refused"
    elif not rules.house.of(TakenDiscard).may_return_taken_discard:
        rule = "discard.no-return"
    else:
        return None
    if isinstance(command, Discard):
        if command.card in taken and not _others(table.hand(seat), taken, command.card):
            return Objection(rule, f"{command.card} was taken in this turn and may not be discarded in it")
        return None
    there = table_play.after(command, table_play.position(table, seat), table.deal.wild, rules)
    if there is None or there.hand == () or any(_others(there.hand, taken, card) for card in there.hand):
        return None
    if not rules.house.of(TableRules).final_discard_required:
        left = tuple(card for card in there.hand if card in taken)
        if table_play.can_put_down(left, there, table.deal.wild, rules):
            return None
    return Objection(rule, "that would leave you nothing to discard but what you took in this turn")


def _others(hand: tuple[Card, ...], taken: tuple[Card, ...], card: Card) -> bool:
    """Whether this card, or a copy of it, was in the hand before. Copies are not told apart."""
    return hand.count(card) > taken.count(card)
