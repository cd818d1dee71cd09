"""Which naturals find a place on the melds that lie on the table."""

from __future__ import annotations

from collections.abc import Sequence

from meldlog_contracts.cards import RANKS, SUITS, Card
from meldlog_contracts.table import Meld, Table
from meldlog_service.bots.house import House, number
from meldlog_service.bots.reckoning import fits


def fits_table(card: Card, table: Table, wild: Sequence[str]) -> bool:
    """Whether a card can be laid off on any meld."""
    return any(fits(card, meld, wild) for meld in table.deal.melds)


def places(table: Table, house: House) -> frozenset[int]:
    """Naturals that can be laid off now."""
    return frozenset(number(card) for meld in table.deal.melds for card in _wanted(meld, house))


def _wanted(meld: Meld, house: House) -> list[Card]:
    first, last = meld.reads_as[0], meld.reads_as[-1]
    if meld.kind == "set":
        if len(meld.cards) >= house.largest_set:
            return []
        cards = [Card(first[0] + suit) for suit in SUITS]
        return [card for card in cards if house.identical or card not in meld.cards]
    if len(meld.cards) >= len(RANKS):
        return []
    below, above = RANKS.index(first[0]) - 1, RANKS.index(last[0]) + 1
    wanted = [Card(RANKS[below] + first[1])] if below >= 0 else []
    if above < len(RANKS) and last[0] != RANKS[0]:
        wanted.append(Card(RANKS[above] + last[1]))
    elif above == len(RANKS) and house.ace_high:
        wanted.append(Card(RANKS[0] + last[1]))
    return wanted
