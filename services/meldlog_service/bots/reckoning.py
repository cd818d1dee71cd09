"""What a player sees at a glance: which cards are wild, what they may cost, what goes together.

These are guesses that hold in most games of the family, and they need not hold in all: what is legal is not decided
here, so a wrong guess is a worse move and never an illegal one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from meldlog_contracts.cards import JOKER, RANKS, Card
from meldlog_contracts.table import Meld

MELD = 3
"""Cards of the smallest meld."""
FULL_SET = 4
NEAR = 2
"""How far apart two cards of a suit may be and still be part of a run of three."""
WILD_COST = 25
COURT_COST = 10


def is_wild(card: Card, wild: Sequence[str]) -> bool:
    """Whether a card may stand for others while these ranks are wild."""
    return card == JOKER or card[0] in wild


def cost(card: Card, wild: Sequence[str]) -> int:
    """About what a card costs that is left in the hand."""
    if is_wild(card, wild):
        return WILD_COST
    return min(RANKS.index(card[0]) + 1, COURT_COST)


def go_together(one: Card, other: Card) -> bool:
    """Whether two natural cards are a pair, or two of the three cards of some run."""
    if one[0] == other[0]:
        return True
    return one[1] == other[1] and abs(RANKS.index(one[0]) - RANKS.index(other[0])) <= NEAR


def partners(card: Card, hand: Sequence[Card], wild: Sequence[str]) -> int:
    """How many other natural cards of the hand go together with this one."""
    others = list(hand)
    others.remove(card)
    return sum(not is_wild(other, wild) and go_together(card, other) for other in others)


def completes_meld(card: Card, hand: Sequence[Card], wild: Sequence[str], shortest_run: int = MELD) -> bool:
    """Whether a card makes a meld with cards of the hand, one of them natural at least."""
    naturals = [held for held in hand if not is_wild(held, wild)]
    wilds = len(hand) - len(naturals)
    if is_wild(card, wild):
        return any(
            go_together(one, other) for place, one in enumerate(naturals) for other in naturals[place + 1 :]
        )
    same_rank = sum(held[0] == card[0] for held in naturals)
    if same_rank and same_rank + wilds >= MELD - 1:
        return True
    place = RANKS.index(card[0])
    held_places = {RANKS.index(held[0]) for held in naturals if held[1] == card[1] and held[0] != card[0]}
    most_held = max((len(held_places & window) for window in _windows(place, shortest_run)), default=0)
    return most_held > 0 and most_held + wilds >= shortest_run - 1


@cache
def _windows(place: int, length: int) -> tuple[frozenset[int], ...]:
    """Places in a row, so many of them, a given one among them."""
    lows = range(max(0, place - length + 1), min(place, len(RANKS) - length) + 1)
    return tuple(frozenset(range(low, low + length)) for low in lows)


def fits(card: Card, meld: Meld, wild: Sequence[str]) -> bool:
    """Whether a card can be laid off on a meld."""
    if meld.kind == "set":
        if is_wild(card, wild):
            return len(meld.cards) < FULL_SET
        return meld.reads_as[0][0] == card[0] and card not in meld.cards
    if len(meld.cards) == len(RANKS):
        return False
    low, high = meld.reads_as[0], meld.reads_as[-1]
    first, last = RANKS.index(low[0]), RANKS.index(high[0])
    if is_wild(card, wild):
        return first > 0 or last < len(RANKS) - 1
    place = RANKS.index(card[0])
    return (card[1] == low[1] and place == first - 1) or (card[1] == high[1] and place == last + 1)
