"""Melds in a hand: every set and run that its cards can make, each choice of cards once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from meldlog_contracts.cards import JOKER, RANKS, SUITS, Card
from meldlog_contracts.melds import MIN_MELD, Reading, any_of, first_ranks
from meldlog_service.core.ruleset import Ruleset

CANDIDATES = 5000
"""How many melds of a hand are looked at: with two packs a player can hold a whole discard pile."""
_MIXED_RUN = (Card("5C"), Card("6D"), Card("7H"), Card("8S"))
"""A run only where a game allows runs of mixed suits."""


class Spent(Exception):
    """As many candidates were looked at as may be."""


class Budget:
    """Candidates that may still be looked at."""

    __slots__ = ("left",)

    def __init__(self, candidates: int = CANDIDATES) -> None:
        self.left = candidates

    def spend(self) -> None:
        """Look at one more.

        Raises:
            Spent: when there were enough.
        """
        self.left -= 1
        if self.left < 0:
            raise Spent


def readings(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    """Every set and run of at most `most` cards that lies in a hand, each choice of cards once."""
    if most < MIN_MELD:
        return
    yield from _sets(hand, wilds, most, rules, budget)
    yield from _runs(hand, wilds, most, rules, budget)
    if rules.kind_of(_MIXED_RUN) == "run":
        yield from _mixed_runs(hand, wilds, most, rules, budget)


def _choices(cards: tuple[Card, ...], count: int) -> Iterator[tuple[Card, ...]]:
    """Ways to take some of these cards, equal texts not told apart."""
    if count == 0:
        yield ()
    elif len(set(cards)) == len(cards):
        yield from combinations(cards, count)
    else:
        yield from dict.fromkeys(combinations(sorted(cards), count))


def _sets(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    held = tuple(card for card in hand if card in wilds)
    by_rank: dict[str, list[Card]] = {}
    for card in hand:
        if card != JOKER:
            by_rank.setdefault(card[0], []).append(card)
    ranks = RANKS if len(held) >= MIN_MELD and not rules.table_rules.min_naturals_per_meld else by_rank
    for rank in ranks:
        naturals = tuple(sorted(by_rank.get(rank, ()), key=lambda card: SUITS.index(card[1])))
        others = tuple(card for card in held if card[0] != rank or card == JOKER)
        if len(naturals) + len(others) < MIN_MELD:
            continue
        for size in range(MIN_MELD, min(most, len(naturals) + len(others)) + 1):
            for wild_count in range(max(0, size - len(naturals)), min(size, len(others)) + 1):
                if rules.limits_broken(wild_count, size) is not None:
                    continue
                meaning = (any_of(rank),) * wild_count
                for own in _choices(naturals, size - wild_count):
                    budget.spend()
                    if rules.kind_of(own + meaning) != "set":
                        continue
                    for wild in _choices(others, wild_count):
                        budget.spend()
                        yield Reading("set", own + wild, own + meaning)


def _runs(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    held = tuple(card for card in hand if card in wilds)
    there = frozenset(hand)
    least_naturals = rules.table_rules.min_naturals_per_meld
    most_wilds = rules.table_rules.max_wilds_per_meld
    wild_limit = len(held) if most_wilds is None else min(most_wilds, len(held))
    for stretches in rules.run_windows():
        longest = stretches[-1]
        if not wild_limit and longest[0] not in there:
            continue  # most windows, in most hands
        # Missing naturals along the stretch: once more are missing than there are wilds, no longer run can be made.
        missing = 0
        for place, meaning in enumerate(longest):
            if meaning not in there:
                missing += 1
                if missing > wild_limit:
                    reach = place
                    break
        else:
            reach = len(longest)
        for stretch in stretches:
            length = len(stretch)
            if length > reach or length > most:
                break
            for reading in _fillings(stretch, there, held, wild_limit, least_naturals):
                budget.spend()
                yield reading


def _mixed_runs(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    """Runs of more than one suit, where a game allows them; a wild in one reads as a club."""
    held = dict.fromkeys(card for card in hand if card != JOKER)
    naturals = {rank: tuple(card for card in held if card[0] == rank) for rank in RANKS}
    wilds_held = any(card in wilds for card in hand)
    for length in range(MIN_MELD, min(most, len(RANKS)) + 1):
        for start in first_ranks(length):
            ranks = [RANKS[(start + step) % len(RANKS)] for step in range(length)]
            for lying in product(*(_lying(naturals[rank], rank, wilds_held=wilds_held) for rank in ranks)):
                budget.spend()
                if len({card[1] for card in lying}) == 1 or rules.kind_of(lying) != "run":
                    continue
                gaps = [place for place, card in enumerate(lying) if card not in hand]
                free = tuple(card for card in hand if card in wilds and card not in lying)
                if rules.limits_broken(len(gaps), length) is not None:
                    continue
                for wild in _choices(free, len(gaps)) if len(gaps) <= len(free) else ():
                    placed = list(lying)
                    for place, card in zip(gaps, wild, strict=True):
                        placed[place] = card
                    yield Reading("run", tuple(placed), lying)


def _lying(naturals: tuple[Card, ...], rank: str, *, wilds_held: bool) -> tuple[Card, ...]:
    """What can lie at one place of a run of mixed suits: the naturals held, or a wild that reads as a club."""
    club = Card(rank + SUITS[0])
    return (*naturals, club) if (wilds_held or not naturals) and club not in naturals else naturals


def _fillings(
    stretch: tuple[Card, ...],
    there: frozenset[Card],
    held: tuple[Card, ...],
    wild_limit: int,
    least_naturals: int,
) -> Iterator[Reading]:
    """Ways to make one stretch: every missing card is a wild, and a wild may lie even where the natural is held."""
    gaps = [place for place, meaning in enumerate(stretch) if meaning not in there]
    solid = [place for place in range(len(stretch)) if place not in gaps]
    for more in range(min(wild_limit - len(gaps), len(solid)) + 1):
        if len(solid) - more < least_naturals:
            return
        for replaced in combinations(solid, more):
            places = sorted((*gaps, *replaced))
            if not places:
                yield Reading("run", stretch, stretch)
                continue
            kept = [stretch[place] for place in solid if place not in replaced]
            free = list(held)
            for card in kept:
                if card in free:
                    free.remove(card)  # a card of the wild rank that lies in its own place
            for wild in _choices(tuple(free), len(places)):
                placed = list(stretch)
                for place, card in zip(places, wild, strict=True):
                    placed[place] = card
                if any(stretch[place] in wild for place in places):
                    continue  # a card of the wild rank that could lie in its own place is listed as a natural there
                yield Reading("run", tuple(placed), stretch)
