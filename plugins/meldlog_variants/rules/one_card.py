"""The one-card rule: with one card left a player draws from the stock, and goes out or keeps what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.commands import Discard, Draw, Reclaim
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import table_play

TWO_CARDS = 2


class OneCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a player with one card is bound."""

    one_card_rule: Annotated[
        bool,
        option(
            "one-card.stock",
            "One-card rule",
            "Règle de la dernière carte",
            "قانون تک‌کارت",
            "قاعدة الورقة الواحدة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="one-card", title="One-card rule", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return OneCard


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def objections(command: Draw | Discard | Reclaim, table: Table, seat: int, rules: Rules) -> Objection | None:
    turn = table.deal.turn
    if turn.held != 1 or not rules.house.of(OneCard).one_card_rule:
        return None
    if isinstance(command, Draw):
        if command.source == "discard":
            return Objection("one-card.stock", "with one card left you draw from the stock")
        return None
    hand = table.hand(seat)
    if isinstance(command, Discard):
        if len(hand) < TWO_CARDS:
            return None  # one card was laid off: discarding the other goes out
        if turn.exchanged:
            return Objection(
                "one-card.exchange", "having taken back a wild with one card left you must go out"
            )
        old = hand[0] if hand[1] == turn.drawn else hand[1]
        if command.card != old:
            return Objection(
                "one-card.keep", f"lay one card off and go out, or keep {turn.drawn} and discard {old}"
            )
        return None
    there = table_play.after(command, table_play.position(table, seat), table.deal.wild, rules)
    if there is not None and not table_play.can_lay_one_off(there, table.deal.wild, rules):
        return Objection(
            "one-card.exchange", f"after taking back {command.wild} you could not go out in this turn"
        )
    return None
