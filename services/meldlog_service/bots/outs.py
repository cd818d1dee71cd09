"""How many cards not seen yet would make a meld with a card of the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from meldlog_contracts.cards import RANKS, SUITS, Card
from meldlog_service.bots.house import House


def outs(card: Card, others: Iterable[Card], unseen: Counter[Card], house: House) -> int:
    """Unseen naturals that complete a set or a run of three with a natural card and one other of the hand."""
    wanted = {found for other in others for found in _between(card, other, house)}
    return sum(unseen[found] for found in wanted)


def _between(card: Card, other: Card, house: House) -> Iterator[Card]:
    """The third cards of all melds of three that hold two cards."""
    if card[0] == other[0]:
        for suit in SUITS:
            if house.identical or (suit not in (card[1], other[1]) and card != other):
                yield Card(card[0] + suit)
    elif card[1] == other[1]:
        low, high = sorted((RANKS.index(card[0]), RANKS.index(other[0])))
        if low == 0 and house.ace_high and high >= len(RANKS) - 2:
            yield Card((RANKS[-1] if high == len(RANKS) - 2 else RANKS[-2]) + card[1])
        if high - low == 1:
            if low > 0:
                yield Card(RANKS[low - 1] + card[1])
            if high < len(RANKS) - 1:
                yield Card(RANKS[high + 1] + card[1])
            elif house.ace_high:
                yield Card(RANKS[0] + card[1])
        elif high - low == 2:  # noqa: PLR2004 -- one card is missing between them
            yield Card(RANKS[low + 1] + card[1])
