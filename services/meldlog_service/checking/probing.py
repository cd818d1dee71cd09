"""Commands that somebody could send, sensible and senseless, made of what a seat can see."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from meldlog_contracts.cards import ANY_SUIT, CARDS, RANKS, Card, without
from meldlog_contracts.commands import (
    AddPenalty,
    Batch,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    NameWild,
    PlayCommand,
    Reclaim,
    ReturnDraw,
)
from meldlog_contracts.melds import Reading
from meldlog_contracts.table import Table
from meldlog_service.core.holdings import Budget, Spent, readings
from meldlog_service.core.ruleset import Ruleset

_READ = 400
"""Melds of a hand that are looked at for lists of them."""
_LISTS = 4
_MELDS_TRIED = 8
_MOST_MELDS = 3
_EVERY_CARD = sorted(CARDS)
_NO_CARDS = (Card("1H"), Card("KX"), Card("7h"))
_OTHERS: tuple[PlayCommand, ...] = (
    DeclineDiscard(),
    ReturnDraw(),
    Decline(),
    AddPenalty(5),
    Draw("stock"),
    Draw("discard"),
    Draw("discard", 2),
)


def probe(rng: random.Random, seen: Table, seat: int, listed: Sequence[PlayCommand | Batch]) -> PlayCommand:
    """Any command: one in three is a listed move with something changed, most of the others speak of what is there."""
    hand = seen.deal.hands[seat] if seen.deal.hands else ()
    kind = rng.randrange(12)
    if kind < 4 and listed:  # noqa: PLR2004 -- one in three
        changed = _changed(rng.choice(listed), rng, hand)
        if changed is not None:
            return changed
    match kind % 6:
        case 0 | 1:
            cards = _some(rng, hand, rng.choice((2, 3, 3, 4, 5)))
            return LayMeld(cards, _meanings(rng, cards))
        case 2:
            end: Literal["low", "high"] | None = rng.choice((None, "low", "high"))
            return LayOff(_meld(rng, seen), _some(rng, hand, rng.choice((1, 1, 2))), None, end)
        case 3:
            number = _meld(rng, seen)
            lying = seen.meld(number)
            wild = rng.choice(lying.cards) if lying else _card(rng, hand)
            wanted = rng.choice(lying.reads_as) if lying and rng.randrange(2) else _card(rng, hand)
            return Reclaim(number, wanted, wild)
        case 4:
            return Discard(_card(rng, hand))
        case _:
            return rng.choice((*_OTHERS, NameWild(rng.choice(RANKS))))


def _changed(move: PlayCommand | Batch, rng: random.Random, hand: tuple[Card, ...]) -> PlayCommand | None:
    """A listed move with one thing changed: a card more or less, another card, another meld."""
    match move:
        case LayMeld(cards=cards, reads_as=reads_as):
            place = rng.randrange(len(cards))
            if rng.randrange(2):
                fewer = None if reads_as is None else (*reads_as[:place], *reads_as[place + 1 :])
                return LayMeld((*cards[:place], *cards[place + 1 :]), fewer)
            return LayMeld((*cards, _card(rng, hand)))
        case LayOff(meld=meld, cards=cards):
            return LayOff(meld + rng.choice((-1, 1)) or 1, cards) if rng.randrange(2) else LayOff(meld, cards)
        case Reclaim(meld=meld, card=card):
            return Reclaim(meld, card, _card(rng, hand))
        case Draw(source="discard", count=count):
            return Draw("discard", count + 1)
        case Batch(commands=(LayMeld() as first, *_)):
            return first
        case _:
            return None


def _card(rng: random.Random, hand: tuple[Card, ...]) -> Card:
    if hand and rng.randrange(4):
        return rng.choice(hand)
    return rng.choice(_EVERY_CARD) if rng.randrange(8) else rng.choice(_NO_CARDS)


def _some(rng: random.Random, hand: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    """Cards of the hand: any, or those of a rank or a suit together, which may well be a meld."""
    if not hand:
        return (_card(rng, hand),)
    one = rng.choice(hand)
    alike = [card for card in hand if one[0] == card[0] or (one[1] == card[1] and rng.randrange(2))]
    among = alike if len(alike) >= count and rng.randrange(3) else hand
    return tuple(rng.sample(among, min(count, len(among))))


def _meanings(rng: random.Random, cards: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """No declaration, the cards themselves, one rank for all, or a stretch of a suit."""
    match rng.randrange(6):
        case 0:
            return cards
        case 1:
            rank = rng.choice(cards)[:1]
            return tuple(card if card[:1] == rank else Card(rank + ANY_SUIT) for card in cards)
        case 2:
            suit, start = rng.choice("CDHS"), rng.randrange(len(RANKS))
            return tuple(Card(RANKS[(start + step) % len(RANKS)] + suit) for step in range(len(cards)))
        case _:
            return None


def _meld(rng: random.Random, seen: Table) -> int:
    there = len(seen.deal.melds)
    return rng.randint(1, there) if there and rng.randrange(8) else there + 1


def obvious(seen: Table, seat: int) -> tuple[PlayCommand, ...]:
    """What anybody would try: to draw, to discard each card of the hand."""
    return (Draw("stock"), Draw("discard"), *map(Discard, dict.fromkeys(seen.hand(seat))))


def some_melds(rng: random.Random, seen: Table, seat: int, rules: Ruleset) -> list[Reading]:
    """Melds that lie in a hand, whether or not they may be laid, in any order."""
    if seen.deal.turn.phase not in ("play", "lay_off"):
        return []
    hand = seen.hand(seat)
    found: list[Reading] = []
    try:
        for reading in readings(hand, rules.wild_cards(seen.deal.wild), len(hand), rules, Budget(_READ)):
            found.append(reading)  # noqa: PERF402 -- what was read before the budget is spent is kept
    except Spent:
        pass
    rng.shuffle(found)
    return found


def lists_of(melds: Sequence[Reading], hand: tuple[Card, ...]) -> Iterator[Batch]:
    """Lists of two or three melds that can lie side by side."""
    for first in range(0, min(len(melds) - 1, _LISTS * _MELDS_TRIED), _MELDS_TRIED):
        left = hand
        laid: list[LayMeld] = []
        for reading in (*melds[first:], *melds[:first])[:_MELDS_TRIED]:
            if len(laid) < _MOST_MELDS and not Counter(reading.cards) - Counter(left):
                left = without(left, reading.cards)
                laid.append(LayMeld(reading.cards, reading.reads_as))
        if len(laid) > 1:
            yield Batch(tuple(laid))
