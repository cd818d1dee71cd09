"""The best partition of a hand: which melds to make of it, so that what is left over costs least.

Cards are numbers here (see `house.number`), wilds are counted. The first card is either left over, or in one of the
sets or runs that hold it; what remains is a smaller hand. Every hand is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from meldlog_service.bots.house import RUN, SET, House
from meldlog_service.bots.loose import HIGH_ACE, RANK, parted
from meldlog_service.bots.reckoning import MELD

KING = 12
MISSED = (0, 30, 30, 60)
"""What it costs, in points, that no meld is a run, no meld is a set, or neither is, where such melds are needed."""
MISSED_FLAT = (0, 2, 2, 4)
"""The same in cards, where all hands cost the same."""
FEW_MATES = 3
"""Cards of a rank beside one, of which every choice is tried; of more, only how many there are."""
MOST_FOUND = 20_000
"""Hands, and parts of hands, of which every choice is tried. Hands of twenty cards with many wilds have far more."""


class Left(Struct, frozen=True, gc=False):
    """What a partition leaves over."""

    cost: int
    cards: tuple[int, ...]
    """Naturals in no meld, in order."""
    wilds: int
    missing: int = 0
    """Of the kinds of meld that are needed, those it holds none of: a bit each."""
    idle: int = 0
    """What cards cost that lie in melds, but bring no points towards an opening."""


class Partitions:
    """Partitions of hands of one game, each found once.

    Args:
        house: Which melds there are, and what cards cost.
        laid_off: Cards that find a place on the table, and so are never left over.
        needed: Kinds of meld that must be among those of the hand, a bit each: `RUN`, `SET`.
        most: Hands of which every choice is tried; of those that come later the first meld is taken that there is.
    """

    def __init__(
        self,
        house: House,
        laid_off: frozenset[int] = frozenset(),
        needed: int = 0,
        most: int = MOST_FOUND,
    ) -> None:
        self._house = house
        self._laid_off = laid_off
        self._needed = needed
        self._most = most
        self._missed = MISSED_FLAT if house.flat else MISSED
        self._found: dict[tuple[tuple[int, ...], int, int], Left] = {}

    @property
    def found(self) -> int:
        """How many hands, and parts of hands, were looked at by now: what all this costs."""
        return len(self._found)

    def best(self, cards: tuple[int, ...], wilds: int) -> Left:
        """The partition that leaves least.

        Args:
            cards: Naturals in ascending order.
            wilds: How many wilds there are beside them.
        """
        of_use, loose = parted(cards, wilds, self._house, self._laid_off)
        left = self._best(of_use, wilds, self._needed)
        if not loose:
            return left
        cost = sum(self._house.costs[card & RANK] for card in loose)
        over = tuple(sorted((*left.cards, *loose)))
        return Left(left.cost + cost, over, left.wilds, left.missing, left.idle)

    def loss(self, left: Left) -> int:
        """What it costs that is left over, and that melds are missing which are needed."""
        return left.cost + self._missed[left.missing]

    def _best(self, cards: tuple[int, ...], wilds: int, needed: int) -> Left:
        if not cards:
            return Left(wilds * self._house.wild_cost, (), wilds, needed)
        found = self._found.get((cards, wilds, needed))
        if found is None:
            found = self._found[cards, wilds, needed] = self._search(cards, wilds, needed)
        return found

    def _search(self, cards: tuple[int, ...], wilds: int, needed: int) -> Left:
        first, others = cards[0], cards[1:]
        if len(self._found) >= self._most and first not in self._laid_off:
            meld = next(self._melds(first, others, wilds), None)
            if meld is not None:
                used, least, _, kind = meld
                return self._beside((first, *used), _without(others, used), wilds, least, kind, needed)
        without = self._best(others, wilds, needed)
        if first in self._laid_off:
            return without
        best = Left(
            without.cost + self._house.costs[first & RANK],
            (first, *without.cards),
            without.wilds,
            without.missing,
            without.idle,
        )
        loss = self.loss(best)
        for used, least, most, kind in self._melds(first, others, wilds):
            rest = _without(others, used)
            # As few wilds as it takes, or all that the meld can hold.
            for spent in (least,) if most == least else (least, most):
                found = self._beside((first, *used), rest, wilds, spent, kind, needed)
                if (found_loss := self.loss(found)) < loss:
                    best, loss = found, found_loss
        return best

    def _beside(
        self, meld: tuple[int, ...], rest: tuple[int, ...], wilds: int, spent: int, kind: int, needed: int
    ) -> Left:
        """What is left of the rest of a hand, and of its wilds, beside a meld on which some of these are spent."""
        served = kind if not (spent and self._house.clean) else 0
        found = self._best(rest, wilds - spent, needed & ~served)
        idle = self._idle(meld, spent) if spent else 0
        return replace(found, idle=found.idle + idle) if idle else found

    def _idle(self, cards: tuple[int, ...], wilds: int) -> int:
        """What a meld with wilds costs, where it brings no points towards an opening."""
        house = self._house
        if not house.wilds_idle:
            return 0
        return sum(house.costs[card & RANK] for card in cards) + wilds * house.wild_cost

    def _melds(
        self, first: int, others: tuple[int, ...], wilds: int
    ) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        """Melds with a card: the others in it, how few and how many wilds it takes, and its kind."""
        yield from self._sets(first, others, wilds)
        yield from self._runs(first, others, wilds, step=1)
        if self._house.ace_high and not first & RANK:
            yield from self._runs(first, others, wilds, step=-1)

    def _sets(
        self, first: int, others: tuple[int, ...], wilds: int
    ) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        house = self._house
        mates = [card for card in others if card & RANK == first & RANK]
        if not house.identical:
            mates = [card for card in dict.fromkeys(mates) if card != first]
        if not mates and not wilds:
            return
        for count in range(len(mates), -1, -1):
            naturals = count + 1
            least, most = max(0, MELD - naturals), min(wilds, house.most_wilds, house.largest_set - naturals)
            if least > most or naturals < house.least_naturals:
                continue
            chosen = combinations(mates, count) if len(mates) <= FEW_MATES else (tuple(mates[:count]),)
            for used in chosen:
                yield used, least, most, SET

    def _runs(
        self, first: int, others: tuple[int, ...], wilds: int, *, step: int
    ) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        """Runs in which a card is the last natural at one end: the lowest, or an ace above the king."""
        house = self._house
        suit, place = first - (first & RANK), first & RANK if step > 0 else HIGH_ACE
        holding = set(others)
        most = min(wilds, house.most_wilds)
        used: tuple[int, ...] = ()
        length = naturals = 1
        while True:
            least = length - naturals + max(0, house.shortest_run - length)
            if least <= most and naturals >= house.least_naturals and (used or wilds):
                yield used, least, most, RUN
            gap = 1
            while (
                not (found := self._next(suit, place + gap * step, holding))
                and gap + length - naturals <= most
            ):
                gap += 1
            if not found:
                return
            place += gap * step
            length += gap
            naturals += 1
            used = (*used, *found)

    def _next(self, suit: int, place: int, holding: set[int]) -> tuple[int, ...]:
        """The card at a place of a suit, if it is held there."""
        if place == HIGH_ACE and self._house.ace_high:
            place = 0
        elif not 0 < place <= KING:
            return ()
        card = suit + place
        if card not in holding:
            return ()
        holding.discard(card)  # an ace stands at one end only
        return (card,)


def _without(cards: tuple[int, ...], used: tuple[int, ...]) -> tuple[int, ...]:
    if not used:
        return cards
    left = list(cards)
    for card in used:
        left.remove(card)
    return tuple(left)
