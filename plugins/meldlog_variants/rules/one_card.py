"""The one-card rule: with one card left a player draws from the stock, and goes out or keeps what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Discard, Draw, Reclaim
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Meld, Table

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
    if command.card in hand and not _goes_out_after(command, hand, table, rules):
        return Objection(
            "one-card.exchange", f"after taking back {command.wild} you could not go out in this turn"
        )
    return None


def _goes_out_after(command: Reclaim, hand: tuple[Card, ...], table: Table, rules: Rules) -> bool:
    meld = table.meld(command.meld)
    wild = table.deal.wild
    places = [] if meld is None else rules.exchanges(meld, command.card, wild)
    for place in places:
        if meld is not None and meld.cards[place] == command.wild:
            left = _exchanged(hand, command.card, command.wild)
            return _can_lay_one_off(left, _with(table.deal.melds, meld, place, command.card), wild, rules)
    return True  # no exchange at all: the core says so itself


def _can_lay_one_off(
    hand: tuple[Card, ...], melds: tuple[Meld, ...], wild: tuple[str, ...], rules: Rules
) -> bool:
    """Whether one of the two cards could be laid off, at once or after a further exchange."""
    if any(rules.additions(meld, (card,), wild) for card in hand for meld in melds):
        return True
    return any(
        _can_lay_one_off(
            _exchanged(hand, card, meld.cards[place]), _with(melds, meld, place, card), wild, rules
        )
        for card in hand
        for meld in melds
        for place in rules.exchanges(meld, card, wild)
    )


def _exchanged(hand: tuple[Card, ...], card: Card, wild: Card) -> tuple[Card, ...]:
    left = list(hand)
    left[left.index(card)] = wild
    return tuple(left)


def _with(melds: tuple[Meld, ...], meld: Meld, place: int, card: Card) -> tuple[Meld, ...]:
    natural = replace(
        meld,
        cards=(*meld.cards[:place], card, *meld.cards[place + 1 :]),
        reads_as=(*meld.reads_as[:place], card, *meld.reads_as[place + 1 :]),
    )
    return tuple(natural if one.number == meld.number else one for one in melds)
