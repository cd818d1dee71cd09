"""What a seat has not seen: which cards they are, who may hold them, and what the next draws may bring."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from meldlog_contracts.cards import Card
from meldlog_contracts.table import Table
from meldlog_service.bots.house import House

GOING_OUT = {0: 0.45, 1: 0.25, 2: 0.1, 3: 0.15, 4: 0.1, 5: 0.1, 6: 0.1, 7: 0.1, 8: 0.1}
"""About how likely a player with so many cards goes out in one of the next turns, if not before: with one card or three
a single draw may do, with two or four it takes two of them."""
GOING_OUT_FAR = 0.04
"""With more cards than these."""
SURELY = 0.6
"""No more likely than this, however many may."""
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it are spread evenly between whole numbers."""
HORIZON = 5
"""Turns of its own that a seat looks ahead at most."""


class Unseen:
    """Cards that are somewhere in the stock and in other hands.

    Args:
        table: As the seat knows it.
        seat: Who looks.
        house: Which cards the game has.
    """

    def __init__(self, table: Table, seat: int, house: House) -> None:
        deal = table.deal
        left = Counter(house.every_card())
        left.subtract(deal.hands[seat])
        left.subtract(deal.discard_pile)
        for meld in deal.melds:
            left.subtract(meld.cards)
        self.count = left
        """How many of each card."""
        self.shown = deal.shown or ((),) * len(deal.hands)
        """Per seat what everybody saw it take, and has not seen again."""
        self._others = [other for other in range(len(deal.hands)) if table.side(other) != table.side(seat)]
        self._sizes = [len(hand) for hand in deal.hands]
        for other, cards in enumerate(self.shown):
            if other != seat:
                left.subtract(cards)
        self.cards: Sequence[Card] = tuple(left.elements())
        """Those of which nobody knows where they are."""
        self._soon = self._chance_of_an_end()
        self._pack: list[Card] = []
        self._ways = 0

    def draws(self, rng: random.Random) -> list[Card]:
        """What the seat may draw before somebody else goes out: one of the many ways it may go.

        One way after another comes from one shuffled pack, so that every card comes about as often as any other; and
        long ways are as many as they should be. Both make fewer of them tell as much.
        """
        self._ways += 1
        chance, turns = self._ways * GOLDEN % 1, 1
        while turns < HORIZON and chance > self._soon:
            chance = (chance - self._soon) / (1 - self._soon)
            turns += 1
        if len(self._pack) < turns:
            self._pack = list(self.cards)
            rng.shuffle(self._pack)
        drawn = self._pack[-turns:]
        del self._pack[-turns:]
        return drawn

    def hand(self, seat: int, rng: random.Random) -> list[Card]:
        """A hand that a seat may have: what it was seen to take, and any of the cards not seen."""
        known = self.shown[seat][: self._sizes[seat]]
        return [*known, *rng.sample(self.cards, min(self._sizes[seat] - len(known), len(self.cards)))]

    def _chance_of_an_end(self) -> float:
        """About how likely it is that an opponent goes out before the seat's next turn."""
        chances = (GOING_OUT.get(self._sizes[other], GOING_OUT_FAR) for other in self._others)
        return min(SURELY, max(chances, default=GOING_OUT_FAR) * (1 + 0.4 * max(0, len(self._others) - 1)))
