"""What a few cards can be: sets and runs with wilds, enumerated and never guessed.

A *shape* is what cards read as, wilds replaced by what they stand for. Which shapes are melds is the rules' business
(hook ``meld_kind``); this module only walks through the shapes that given cards could take. A wild stands for exactly
one card of a run (``7H``) and for the rank alone in a set (``QX``). A card of the wild rank in its own place is a
natural there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from meldlog_contracts.cards import ANY_SUIT, HIDDEN, JOKER, RANKS, SUITS, Card
from meldlog_contracts.table import Meld, MeldKind

KindOf = Callable[[tuple[Card, ...]], MeldKind | None]
"""Which kind of meld a shape is, or None."""
Wilds = frozenset[Card]
"""Texts of the cards that may stand for others."""
MIN_MELD = 3
MAX_RUN = len(RANKS)


class Reading(Struct, frozen=True):
    """One thing that cards can be: ``cards[i]`` stands for ``reads_as[i]``, low card first."""

    kind: MeldKind
    cards: tuple[Card, ...]
    reads_as: tuple[Card, ...]

    @property
    def wilds(self) -> int:
        """How many of the cards stand for something else."""
        return wilds_in(self.cards, self.reads_as)


class Addition(Struct, frozen=True):
    """A way to add cards to a meld: at its low end, its high end, or (a set) anywhere."""

    low: tuple[Card, ...]
    low_reads_as: tuple[Card, ...]
    high: tuple[Card, ...]
    high_reads_as: tuple[Card, ...]

    @property
    def reads_as(self) -> tuple[Card, ...]:
        """What the added cards stand for, in the order of the table."""
        return self.low_reads_as + self.high_reads_as

    @property
    def cards(self) -> tuple[Card, ...]:
        """The added cards in the order of the table."""
        return self.low + self.high


def wilds_in(cards: tuple[Card, ...], reads_as: tuple[Card, ...]) -> int:
    """How many of these cards stand for something else."""
    return sum(card != meaning for card, meaning in zip(cards, reads_as, strict=True))


def any_of(rank: str) -> Card:
    """What a wild of a set reads as: the rank, of no stated suit."""
    return Card(rank + ANY_SUIT)


def window(suit: str, start: int, length: int) -> tuple[Card, ...]:
    """Consecutive cards of a suit beginning with rank number `start`; after the king comes the ace again."""
    return tuple(Card(RANKS[(start + step) % len(RANKS)] + suit) for step in range(length))


def first_ranks(length: int) -> range:
    """Rank numbers at which a run of this length can begin; the run of all thirteen is read from the ace."""
    return range(1 if length == MAX_RUN else len(RANKS))


def meanings(
    cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf, *, ordered: bool = False
) -> tuple[Reading, ...]:
    """Everything that these cards, in any order, could be.

    One reading for each set and for each stretch of a run: which of several wilds takes which gap makes no other
    meaning. With ``ordered`` the cards of a run lie in the order given, low to high.
    """
    if len(cards) < MIN_MELD:
        return ()
    return (*_sets(cards, wilds, kind_of), *_runs(cards, wilds, kind_of, ordered=ordered))


def declared(
    cards: tuple[Card, ...], reads_as: tuple[Card, ...], wilds: Wilds, kind_of: KindOf
) -> Reading | None:
    """The reading that a player declared card by card, in table order; None when it is not one."""
    if len(cards) != len(reads_as) or len(cards) < MIN_MELD:
        return None
    pairs = list(zip(cards, reads_as, strict=True))
    if any(card != meaning and card not in wilds for card, meaning in pairs):
        return None
    ranks = {meaning[0] for meaning in reads_as}
    if len(ranks) == 1:
        rank = ranks.pop()
        # A card of the set's own rank is a natural there, wild or not.
        pairs = [(card, card if card[0] == rank and card != JOKER else any_of(rank)) for card, _ in pairs]
        pairs.sort(key=lambda pair: (pair[0] != pair[1], SUITS.find(pair[1][1])))
        kind: MeldKind = "set"
    else:
        order = _run_order(reads_as, kind_of)
        if order is None:
            return None
        left = list(pairs)
        pairs = []
        for meaning in order:
            pair = next(pair for pair in left if pair[1] == meaning)
            left.remove(pair)
            pairs.append(pair)
        kind = "run"
    found = Reading(kind, tuple(card for card, _ in pairs), tuple(meaning for _, meaning in pairs))
    if JOKER in found.reads_as or HIDDEN in found.reads_as or kind_of(found.reads_as) != kind:
        return None
    return found


def _run_order(reads_as: tuple[Card, ...], kind_of: KindOf) -> tuple[Card, ...] | None:
    suits = {meaning[1] for meaning in reads_as}
    wanted = sorted(reads_as)
    for start in _starts_around(reads_as[0], len(reads_as)):
        ranks = [RANKS[(start + step) % len(RANKS)] for step in range(len(reads_as))]
        if len(suits) == 1:
            stretch = window(reads_as[0][1], start, len(reads_as))
        else:  # runs of mixed suits, where a variant knows them
            by_rank = {meaning[0]: meaning for meaning in reads_as}
            if set(ranks) != set(by_rank):
                continue
            stretch = tuple(by_rank[rank] for rank in ranks)
        if sorted(stretch) == wanted and kind_of(stretch) == "run":
            return stretch
    return None


def _sets(cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf) -> Iterator[Reading]:
    fixed = {card[0] for card in cards if card not in wilds}
    if len(fixed) > 1:
        return
    for rank in fixed or RANKS:
        naturals = sorted((card for card in cards if card[0] == rank and card != JOKER), key=_suit_order)
        wild = [card for card in cards if card[0] != rank or card == JOKER]
        reads_as = (*naturals, *(any_of(rank) for _ in wild))
        if kind_of(reads_as) == "set":
            yield Reading("set", (*naturals, *wild), reads_as)


def _runs(cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf, *, ordered: bool) -> Iterator[Reading]:
    length = len(cards)
    if length > MAX_RUN:
        return
    fixed = [card for card in cards if card not in wilds]
    if len(set(fixed)) < len(fixed):
        return  # a run never holds a card twice
    same_suit = len({card[1] for card in fixed}) <= 1
    starts = _starts_around(fixed[0], length) if fixed else first_ranks(length)
    for suit in fixed[0][1] if fixed and same_suit else SUITS:
        for start in starts:
            stretch = window(suit, start, length)
            if not same_suit:
                mixed = _mixed_stretch(fixed, stretch)
                if mixed is None:
                    continue
                stretch = mixed
            elif not all(card in stretch for card in fixed):
                continue
            if kind_of(stretch) != "run":
                continue
            if ordered:
                if all(
                    card == meaning or card in wilds for card, meaning in zip(cards, stretch, strict=True)
                ):
                    yield Reading("run", cards, stretch)
            else:
                yield Reading("run", _fill(cards, stretch), stretch)
        if not same_suit:
            return


def _starts_around(card: Card, length: int) -> list[int]:
    """Rank numbers at which a run of this length can begin that holds this card, ascending."""
    rank = RANKS.find(card[0])
    around = ((rank - back) % len(RANKS) for back in range(length))
    return sorted(set(around).intersection(first_ranks(length)))


def _mixed_stretch(fixed: list[Card], stretch: tuple[Card, ...]) -> tuple[Card, ...] | None:
    by_rank = {card[0]: card for card in fixed}
    if len(by_rank) < len(fixed) or not by_rank.keys() <= {card[0] for card in stretch}:
        return None
    return tuple(by_rank.get(card[0], card) for card in stretch)


def _fill(cards: tuple[Card, ...], stretch: tuple[Card, ...]) -> tuple[Card, ...]:
    """Lay the cards along a stretch: naturals in their own places, then wilds in the order given."""
    left = list(cards)
    placed: list[Card | None] = []
    for meaning in stretch:
        if meaning in left:
            left.remove(meaning)
            placed.append(meaning)
        else:
            placed.append(None)
    rest = iter(left)
    return tuple(next(rest) if card is None else card for card in placed)


def additions(meld: Meld, cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf) -> tuple[Addition, ...]:
    """Every way in which all of these cards can be added to a meld, what lies there keeping its meaning.

    On a run the cards go on at its ends; several wilds are placed in the order given. On a set they join it.
    """
    if not cards:
        return ()
    if meld.kind == "set":
        return tuple(_join_set(meld, cards, wilds, kind_of))
    return tuple(_lengthen_run(meld, cards, wilds, kind_of))


def _join_set(meld: Meld, cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf) -> Iterator[Addition]:
    rank = meld.reads_as[0][0]
    meaning = tuple(card if card[0] == rank and card != JOKER else any_of(rank) for card in cards)
    stands = all(card == reads or card in wilds for card, reads in zip(cards, meaning, strict=True))
    if stands and kind_of(meld.reads_as + meaning) == "set":
        yield Addition((), (), cards, meaning)


def _lengthen_run(meld: Meld, cards: tuple[Card, ...], wilds: Wilds, kind_of: KindOf) -> Iterator[Addition]:
    length = len(meld.cards) + len(cards)
    if length > MAX_RUN:
        return
    fixed = [card for card in cards if card not in wilds]
    if len(set(fixed)) < len(fixed):
        return  # a run never holds a card twice
    first, last = meld.reads_as[0], meld.reads_as[-1]
    for below in range(len(cards) + 1):
        low = tuple(
            Card(RANKS[(RANKS.index(first[0]) - step) % len(RANKS)] + first[1])
            for step in range(below, 0, -1)
        )
        high = tuple(
            Card(RANKS[(RANKS.index(last[0]) + step) % len(RANKS)] + last[1])
            for step in range(1, len(cards) - below + 1)
        )
        needed = low + high
        if not all(card in needed for card in fixed):
            mixed = _mixed_stretch(fixed, needed)
            if mixed is None:
                continue
            needed, low, high = mixed, mixed[:below], mixed[below:]
        if kind_of(low + meld.reads_as + high) != "run":
            continue
        placed = _fill(cards, needed)
        yield Addition(placed[:below], low, placed[below:], high)


def _suit_order(card: Card) -> int:
    return SUITS.index(card[1])
