"""Looking ahead within a turn: could these cards still be put down? Shared by rules that oblige a player to do so."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from meldlog_contracts.cards import Card, less, without
from meldlog_contracts.commands import LayMeld, LayOff, Reclaim
from meldlog_contracts.hooks import Rules
from meldlog_contracts.house_rules import TableRules
from meldlog_contracts.melds import Addition, Reading
from meldlog_contracts.table import Meld, Table

OTHERS = (2, 3)
"""How many further cards a new meld needs: three cards make a meld, four where runs are that long."""


class Position(NamedTuple):
    """A hand, the melds on the table, and whether the player has a meld there."""

    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    has_laid: bool


def position(table: Table, seat: int) -> Position:
    """Where a seat stands."""
    return Position(table.hand(seat), table.deal.melds, table.has_laid(seat))


def after(
    command: LayMeld | LayOff | Reclaim, here: Position, wild: tuple[str, ...], rules: Rules
) -> Position | None:
    """Where a table action would lead; None where it cannot be done at all, which the core says itself."""
    if isinstance(command, LayMeld):
        if command.reads_as is None:
            return None
        kind = rules.kind_of(command.reads_as)
        return None if kind is None else laid(Reading(kind, command.cards, command.reads_as), here)
    meld = here.melds[command.meld - 1] if command.meld <= len(here.melds) else None
    if meld is None:
        return None
    if isinstance(command, LayOff):
        ways = [
            way
            for way in rules.additions(meld, command.cards, wild)
            if command.reads_as is None or way.reads_as == command.reads_as
        ]
        return added(ways[0], meld, here) if ways else None
    for place in rules.exchanges(meld, command.card, wild) if command.card in here.hand else ():
        if meld.cards[place] == command.wild:
            return exchanged(place, command.card, meld, here)
    return None


def laid(reading: Reading, here: Position) -> Position:
    """The position after a new meld."""
    owner = (0,) * len(reading.cards)
    meld = Meld(len(here.melds) + 1, reading.kind, 0, reading.cards, reading.reads_as, owner, len(owner))
    return Position(without(here.hand, reading.cards), (*here.melds, meld), has_laid=True)


def added(way: Addition, meld: Meld, here: Position) -> Position:
    """The position after a lay-off."""
    grown = replace(
        meld,
        cards=way.low + meld.cards + way.high,
        reads_as=way.low_reads_as + meld.reads_as + way.high_reads_as,
    )
    return Position(without(here.hand, way.cards), _with(here.melds, grown), here.has_laid)


def exchanged(place: int, card: Card, meld: Meld, here: Position) -> Position:
    """The position after a natural took the place of a wild, which is in the hand now."""
    natural = replace(
        meld,
        cards=(*meld.cards[:place], card, *meld.cards[place + 1 :]),
        reads_as=(*meld.reads_as[:place], card, *meld.reads_as[place + 1 :]),
    )
    hand = (*without(here.hand, (card,)), meld.cards[place])
    return Position(hand, _with(here.melds, natural), here.has_laid)


def can_put_down(cards: tuple[Card, ...], here: Position, wild: tuple[str, ...], rules: Rules) -> bool:
    """Whether all these cards of the hand could be melded or laid off in this turn, leaving what must be discarded."""
    keep = 1 if rules.house.of(TableRules).final_discard_required else 0
    if not cards:
        return len(here.hand) >= keep
    if len(here.hand) < len(cards) + keep:
        return False
    card, rest = cards[0], cards[1:]
    if here.has_laid and any(
        can_put_down(rest, added(way, meld, here), wild, rules)
        for meld in here.melds
        for way in rules.additions(meld, (card,), wild)
    ):
        return True
    others = without(here.hand, (card,))
    for count in OTHERS:
        if len(here.hand) < count + 1 + keep:
            break
        for chosen in dict.fromkeys(combinations(others, count)):
            for reading in rules.meanings((card, *chosen), wild):
                if can_put_down(less(rest, chosen), laid(reading, here), wild, rules):
                    return True
    return False


def can_lay_one_off(here: Position, wild: tuple[str, ...], rules: Rules) -> bool:
    """Whether a card of the hand could be laid off, at once or after further exchanges."""
    if any(rules.additions(meld, (card,), wild) for card in here.hand for meld in here.melds):
        return True
    return any(
        can_lay_one_off(exchanged(place, card, meld, here), wild, rules)
        for card in here.hand
        for meld in here.melds
        for place in rules.exchanges(meld, card, wild)
    )


def _with(melds: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    return tuple(meld if one.number == meld.number else one for one in melds)
