"""Which melds of a hand can be laid together: the smallest sets that stand, found within a budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from meldlog_contracts.cards import Card, without
from meldlog_contracts.hooks import Together
from meldlog_contracts.melds import MIN_MELD, Reading

BUDGET = 4000
"""How many sets are looked at; what lies beyond is left out, and the list says so."""
MOST = 120
"""How many sets are named: whole hands first, then sets of natural cards and dear ones before the others."""
LAST_CARD = 1
"""Cards that a whole hand, laid at once, leaves for the discard."""
WIDTH = 4
"""Bits per card text: a count of up to seven, and one bit that tells an overflow."""
FULL = 7
Stands = Callable[[tuple[int, ...], tuple[Card, ...]], bool]
"""Whether the readings at these places may be laid together and leave these cards."""


def smallest_sets(
    readings: Sequence[Reading],
    values: Sequence[int],
    hand: tuple[Card, ...],
    stands: Stands,
    needed: int | None,
) -> Together:
    """Sets of two melds or more that share no card and stand together, though no smaller part of them does.

    Args:
        readings: melds that the hand has the cards for.
        values: what each is worth.
        hand: the cards held.
        stands: whether a set may be laid; asked only about sets that the next two let through.
        needed: what melds must be worth together to be laid; None where only the whole hand can be. A set that leaves
            one card at most needs no worth.
    """
    search = _Search(readings, values, hand, stands, needed)
    complete = search.whole_hands()
    if needed is not None:
        complete = search.of_worth(needed) and complete
    return Together(tuple(search.found), complete)


class _Search:
    """One hand under way; sets of cards are numbers with a field for each text, so that adding one is a sum."""

    def __init__(
        self,
        readings: Sequence[Reading],
        values: Sequence[int],
        hand: tuple[Card, ...],
        stands: Stands,
        needed: int | None,
    ) -> None:
        self.readings, self.values, self.hand, self.stands = readings, values, hand, stands
        self.enough = math.inf if needed is None else needed
        self.found: list[tuple[int, ...]] = []
        capacity = Counter(hand)
        shift = {card: WIDTH * number for number, card in enumerate(capacity)}
        self.codes = [
            sum(count << shift[card] for card, count in Counter(reading.cards).items())
            for reading in readings
        ]
        # A count that goes beyond what the hand holds carries into its field's highest bit.
        self.bias = sum((FULL - capacity[card]) << shift[card] for card in capacity)
        self.overflow = sum((FULL + 1) << shift[card] for card in capacity)
        holders = [
            (FULL << at, 1 << at, [place for place, code in enumerate(self.codes) if code & FULL << at])
            for at in shift.values()
        ]
        self.fields = sorted(holders, key=lambda field: len(field[2]))
        """Of each card text the bits, the unit, and the melds that hold it; cards of few melds first."""

    def whole_hands(self) -> bool:
        """Find the sets of less worth that leave one card at most; False when the budget was used up before the end.

        Card by card: the first one that is not covered yet lies in one of the melds that hold it, or is the one left.
        """
        looked_at = 0

        def cover(number: int, used: int, chosen: tuple[int, ...], points: int, spare: int) -> bool:
            nonlocal looked_at
            if points >= self.enough:
                return True
            looked_at += 1
            if looked_at > BUDGET or len(self.found) >= MOST:
                return False
            while number < len(self.fields) and used & self.fields[number][0] == self.fields[number][0]:
                number += 1
            if number == len(self.fields):
                return self._keep(tuple(sorted(chosen)))
            _, unit, holding = self.fields[number]
            for place in holding:
                taken = used + self.codes[place]
                worth = points + self.values[place]
                if not taken & self.overflow and not cover(number, taken, (*chosen, place), worth, spare):
                    return False
            return not spare or cover(number, used + unit, chosen, points, spare - 1)

        return cover(0, self.bias, (), 0, LAST_CARD)

    def of_worth(self, needed: int) -> bool:
        """Find the sets of that worth; False when the budget was used up before the end."""
        naturals = [reading.cards == reading.reads_as for reading in self.readings]
        order = sorted(
            range(len(self.readings)), key=lambda place: (not naturals[place], -self.values[place])
        )
        looked_at = 0

        def search(first: int, used: int, chosen: tuple[int, ...], points: int, left: int) -> bool:
            """Go on from a set that does not stand yet."""
            nonlocal looked_at
            for number in range(first, len(order)):
                place = order[number]
                taken = used + self.codes[place]
                if taken & self.overflow:
                    continue
                looked_at += 1
                if looked_at > BUDGET:
                    return False
                more = (*chosen, place)
                worth, fewer = points + self.values[place], left - len(self.readings[place].cards)
                if chosen and worth >= needed and self._stands(more):
                    if not self._keep(tuple(sorted(more))):
                        return False
                elif fewer >= MIN_MELD and not search(number + 1, taken, more, worth, fewer):
                    return False
            return True

        return search(0, self.bias, (), 0, len(self.hand))

    def _keep(self, places: tuple[int, ...]) -> bool:
        """Keep a set that stands and is a smallest one; False when there is room for no more."""
        if (
            len(places) > 1
            and places not in self.found
            and self._stands(places)
            and self._is_smallest(places)
        ):
            if len(self.found) >= MOST:
                return False
            self.found.append(places)
        return True

    def _stands(self, places: tuple[int, ...]) -> bool:
        laid = tuple(card for place in places for card in self.readings[place].cards)
        if (
            len(self.hand) - len(laid) > LAST_CARD
            and sum(self.values[place] for place in places) < self.enough
        ):
            return False
        return self.stands(places, without(self.hand, laid))

    def _is_smallest(self, places: tuple[int, ...]) -> bool:
        for dropped in range(len(places)):
            fewer = places[:dropped] + places[dropped + 1 :]
            if len(fewer) > 1 and self._stands(fewer):
                return False
        return True
