"""The one-card rule: with one card left a player draws from the stock, and goes out or keeps what was drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.hooks import Obligation, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table

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
    ] = False


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
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(OneCard).one_card_rule else ("objections", "obligations")


@hookimpl
def objections(command: Draw | Discard, table: Table, seat: int) -> Objection | None:
    turn = table.deal.turn
    if turn.held != 1:
        return None
    if isinstance(command, Draw):
        if command.source == "discard":
            return Objection("one-card.stock", "with one card left you draw from the stock")
        return None
    hand = table.hand(seat)
    if len(hand) < TWO_CARDS or turn.exchanged:
        return None  # one card was laid off, and discarding the other goes out; or see obligations
    old = hand[0] if hand[1] == turn.drawn else hand[1]
    if command.card != old:
        return Objection(
            "one-card.keep", f"lay one card off and go out, or keep {turn.drawn} and discard {old}"
        )
    return None


@hookimpl
def obligations(table: Table) -> Obligation | None:
    """Whoever takes back a wild with one card left no longer keeps the drawn card, and so must go out."""
    turn = table.deal.turn
    if turn.held == 1 and turn.exchanged:
        return Obligation("one-card.exchange", go_out=True)
    return None
