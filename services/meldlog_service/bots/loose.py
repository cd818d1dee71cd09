"""Which cards of a hand are in no meld whatever is done: they need not be searched."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from meldlog_service.bots.house import SUIT, House
from meldlog_service.bots.reckoning import MELD

RANK = SUIT - 1
"""Bits of a card's number that are its rank."""
HIGH_ACE = 13
EVERY_RANK = (1 << HIGH_ACE) - 1
SUITS = 4
PAIR = 2


def parted(
    cards: tuple[int, ...], wilds: int, house: House, laid_off: frozenset[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand's naturals that some meld could hold or the table takes, and those that are left over in any case."""
    wilds = min(wilds, house.most_wilds)
    suits = [0] * SUITS
    for card in cards:
        suits[card // SUIT] |= 1 << (card & RANK)
    sets = _in_sets(cards, suits, MELD - wilds, house)
    held = [sets | _in_runs(suit, house.shortest_run, wilds, house.ace_high) if suit else 0 for suit in suits]
    of_use: list[int] = []
    loose: list[int] = []
    for card in cards:
        (of_use if held[card // SUIT] >> (card & RANK) & 1 or card in laid_off else loose).append(card)
    return tuple(of_use), tuple(loose)


def _in_sets(cards: tuple[int, ...], suits: list[int], least: int, house: House) -> int:
    """The ranks, a bit each, of which so many naturals are held as a set takes."""
    if least < PAIR:
        return EVERY_RANK
    if house.identical:
        copies = Counter(card & RANK for card in cards)
        return sum(1 << rank for rank, count in copies.items() if count >= least)
    one, two, three, four = suits
    if least == PAIR:
        return one & two | three & four | (one | two) & (three | four)
    return one & two & (three | four) | three & four & (one | two)


@lru_cache(maxsize=1 << 14)
def _in_runs(held: int, shortest: int, wilds: int, ace_high: bool) -> int:
    """Of the ranks of a suit that are held, a bit each, those that a run could hold."""
    if ace_high:
        held |= (held & 1) << HIGH_ACE
    window = (1 << shortest) - 1
    found = 0
    for low in range(HIGH_ACE + ace_high - shortest + 1):
        if (held >> low & window).bit_count() + wilds >= shortest:
            found |= held & window << low
    return found | found >> HIGH_ACE & 1
