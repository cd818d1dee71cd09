"""Which melds of a hand can be laid together: the smallest sets that stand, found within a budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from meldlog_contracts.cards import Card
from meldlog_contracts.hooks import Together
from meldlog_contracts.melds import MIN_MELD, Reading
from meldlog_variants.rules.first_lay import FirstLay

BUDGET = 1000
"""How many sets are looked at, whole hands and others each; what lies beyond is left out, and the list says so."""
MOST = 120
"""How many sets are named: whole hands first, then sets of natural cards and dear ones before the others."""
LAST_CARD = 1
"""Cards that a whole hand, laid at once, leaves for the discard."""
WIDTH = 4
"""Bits per card text: a count of up to seven, and one bit that tells an overflow."""
FULL = 7
NONE_YET, NOT_AWAITED = 0, -1
"""No card is left over yet; one is of which nobody asks."""
Stands = Callable[[tuple[int, ...], int], bool]
"""Whether the readings at these places may be laid together and leave so many cards."""


def smallest_sets(
    readings: Sequence[Reading],
    lays: Sequence[FirstLay],
    hand: tuple[Card, ...],
    awaited: Collection[Card],
    stands: Stands,
    needed: int | None,
) -> Together:
    """Sets of melds that share no card and stand together, though no smaller part of them does.

    Args:
        readings: melds that the hand has the cards for.
        lays: what each is worth, and of which kinds it is.
        hand: the cards held.
        awaited: cards of which it matters whether they are among those laid.
        stands: whether a set may be laid: that follows from its cards, and from its worth and its kinds summed up. It
            is asked only about sets that the hand and the worth needed let through.
        needed: what melds must be worth together to be laid; None where only the whole hand can be. A set that leaves
            one card at most needs no worth.
    """
    search = _Search(readings, lays, hand, awaited, stands, needed)
    complete = search.whole_hands()
    if needed is not None:
        complete = search.of_worth(needed) and complete
    return Together(tuple(search.found), complete)


class _Search:
    """One hand under way; sets of cards are numbers with a field for each text, so that adding one is a sum."""

    def __init__(
        self,
        readings: Sequence[Reading],
        lays: Sequence[FirstLay],
        hand: tuple[Card, ...],
        awaited: Collection[Card],
        stands: Stands,
        needed: int | None,
    ) -> None:
        self.hand, self.stands = hand, stands
        self.values = values = [lay.points for lay in lays]
        self.kinds = [lay.kinds for lay in lays]
        self.enough = math.inf if needed is None else needed
        self.lengths = [len(reading.cards) for reading in readings]
        self.natural = [reading.cards == reading.reads_as for reading in readings]
        self.found: dict[tuple[int, ...], None] = {}
        self.together: list[int] = []
        """Melds that do not stand alone: with one that does, no set is a smallest one."""
        for place, length in enumerate(self.lengths):
            dear_enough = values[place] >= self.enough or len(hand) - length <= LAST_CARD
            if dear_enough and stands((place,), len(hand) - length):
                self.found[(place,)] = None
            else:
                self.together.append(place)
        self.room = len(self.found) + MOST
        capacity = Counter(hand)
        unit = {card: 1 << WIDTH * number for number, card in enumerate(capacity)}
        self.codes = [sum([unit[card] for card in reading.cards]) for reading in readings]
        # A count that goes beyond what the hand holds carries into its field's highest bit.
        self.bias = sum((FULL - capacity[card]) * one for card, one in unit.items())
        self.overflow = sum((FULL + 1) * one for one in unit.values())
        holders = [
            (FULL * one, one, [place for place in self.together if self.codes[place] & FULL * one])
            for one in unit.values()
        ]
        self.fields = sorted(holders, key=lambda field: len(field[2]))
        """Of each card text the bits, the unit, and the melds that hold it; cards of few melds first."""
        self.awaited = frozenset(unit[card] for card in awaited if card in unit)

    def whole_hands(self) -> bool:
        """Find the sets of less worth that leave one card at most; False when the budget was used up before the end.

        Card by card: the first one that is not covered yet lies in one of the melds that hold it, or is the one left.
        """
        fields, codes, values, overflow = self.fields, self.codes, self.values, self.overflow
        enough, most, last = self.enough, self.room, len(self.fields)
        in_vain: set[tuple[int, int, int, int]] = set()
        """Cards covered, which card is to spare, points and kinds from which nothing stands."""
        looked_at = standing = 0

        def cover(
            number: int, used: int, chosen: tuple[int, ...], points: int, kinds: int, spared: int
        ) -> bool:
            nonlocal looked_at, standing
            if points >= enough:
                return True
            here = (used, spared, points, kinds)
            if here in in_vain:
                return True
            looked_at += 1
            if looked_at > BUDGET or len(self.found) >= most:
                return False
            while number < last and used & fields[number][0] == fields[number][0]:
                number += 1
            if number == last:
                places = tuple(sorted(chosen))
                if not self._stands(places):
                    return True
                standing += 1
                return self._keep(places)
            before = standing
            _, unit, holding = fields[number]
            for place in holding:
                taken = used + codes[place]
                if not taken & overflow and not cover(
                    number, taken, (*chosen, place), points + values[place], kinds | self.kinds[place], spared
                ):
                    return False
            if spared == NONE_YET:
                now = unit if unit in self.awaited else NOT_AWAITED
                if not cover(number, used + unit, chosen, points, kinds, now):
                    return False
            if standing == before:
                in_vain.add(here)
            return True

        return cover(0, self.bias, (), 0, 0, NONE_YET)

    def of_worth(self, needed: int) -> bool:
        """Find the sets of that worth; False when the budget was used up before the end."""
        order = sorted(self.together, key=lambda place: (not self.natural[place], -self.values[place]))
        codes, overflow = [self.codes[place] for place in order], self.overflow
        values = [self.values[place] for place in order]
        lengths = [self.lengths[place] for place in order]
        dearest = [0] * (len(order) + 1)
        """From each place of the order on, what the dearest meld is worth."""
        for number in range(len(order) - 1, -1, -1):
            dearest[number] = max(values[number], dearest[number + 1])
        looked_at = 0

        def search(first: int, used: int, chosen: tuple[int, ...], points: int, left: int) -> bool:
            """Go on from a set that does not stand yet."""
            nonlocal looked_at
            for number in range(first, len(order)):
                if points + dearest[number] * (left // MIN_MELD) < needed:
                    return True  # nothing that follows makes it up
                taken = used + codes[number]
                if taken & overflow:
                    continue
                looked_at += 1
                if looked_at > BUDGET:
                    return False
                more = (*chosen, order[number])
                worth, fewer = points + values[number], left - lengths[number]
                if chosen and worth >= needed and self._stands(more):
                    if not self._keep(tuple(sorted(more))):
                        return False
                elif fewer >= MIN_MELD and not search(number + 1, taken, more, worth, fewer):
                    return False
            return True

        return search(0, self.bias, (), 0, len(self.hand))

    def _keep(self, places: tuple[int, ...]) -> bool:
        """Keep a set that stands, if it is a smallest one; False when there is room for no more."""
        if places and places not in self.found and self._is_smallest(places):
            if len(self.found) >= self.room:
                return False
            self.found[places] = None
        return True

    def _stands(self, places: tuple[int, ...]) -> bool:
        left = len(self.hand) - sum([self.lengths[place] for place in places])
        if left > LAST_CARD and sum([self.values[place] for place in places]) < self.enough:
            return False
        return self.stands(places, left)

    def _is_smallest(self, places: tuple[int, ...]) -> bool:
        for dropped in range(len(places)):
            fewer = places[:dropped] + places[dropped + 1 :]
            if len(fewer) > 1 and self._stands(fewer):
                return False
        return True
