"""Commands that a game might be sent, sensible and senseless, drawn from what a seat can see."""

from __future__ import annotations

import random

from meldlog_contracts.cards import ANY_SUIT, CARDS, HIDDEN, RANKS, Card
from meldlog_contracts.commands import (
    AddPenalty,
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
from meldlog_contracts.table import Meld, Table

EVERY_CARD = sorted(CARDS)
WRONG = (HIDDEN, Card("1H"), Card("7h"), Card("KX"), Card(""), Card("10"))
"""Texts that are no cards."""


def nonsense(rng: random.Random, seen: Table, seat: int) -> PlayCommand:
    """Any command; one in two speaks of cards and melds that are there, so that it gets past the first checks."""
    hand = seen.deal.hands[seat] if seen.deal.hands else ()
    kind = rng.randrange(12)
    if kind <= 1:
        return Draw(rng.choice(("stock", "discard")), rng.choice((1, 1, 1, 2, 5)))
    if kind <= 3:
        return Discard(_card(rng, hand))
    if kind <= 5:
        cards = _cards(rng, hand, rng.choice((3, 3, 4, 5, 0, 1, 14)))
        return LayMeld(cards, _meanings(rng, cards))
    if kind <= 7:
        cards = _cards(rng, hand, rng.choice((1, 1, 2, 3, 0)))
        end = rng.choice((None, None, "low", "high"))
        return LayOff(_meld(rng, seen), cards, _meanings(rng, cards), end)  # type: ignore[arg-type]
    if kind <= 9:
        number = _meld(rng, seen)
        lying = _lying(seen, number)
        wild = rng.choice(lying.cards) if lying and rng.random() < 0.8 else _card(rng, hand)
        wanted = rng.choice(lying.reads_as) if lying and rng.random() < 0.5 else _card(rng, hand)
        return Reclaim(number, wanted, wild)
    others: tuple[PlayCommand, ...] = (
        NameWild(rng.choice((*RANKS, "x"))),
        DeclineDiscard(),
        AddPenalty(rng.randint(1, 50)),
        Decline(),
        ReturnDraw(),
    )
    return rng.choice(others)


def _card(rng: random.Random, hand: tuple[Card, ...]) -> Card:
    if hand and rng.random() < 0.7:
        return rng.choice(hand)
    return rng.choice(WRONG) if rng.random() < 0.1 else rng.choice(EVERY_CARD)


def _cards(rng: random.Random, hand: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    if rng.random() < 0.7 and count <= len(hand):
        return tuple(rng.sample(hand, count))
    return tuple(_card(rng, hand) for _ in range(count))


def _meanings(rng: random.Random, cards: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """No declaration, the cards themselves, a rank, a stretch of a suit, or anything."""
    kind = rng.randrange(6)
    if kind <= 1:
        return None
    if kind == 2:
        return cards
    if kind == 3:
        rank = rng.choice(RANKS)
        return tuple(card if card[:1] == rank else Card(rank + ANY_SUIT) for card in cards)
    if kind == 4:
        suit, start = rng.choice("CDHS"), rng.randrange(len(RANKS))
        return tuple(Card(RANKS[(start + step) % len(RANKS)] + suit) for step in range(len(cards)))
    return tuple(rng.choice((*EVERY_CARD, *WRONG)) for _ in range(rng.choice((len(cards), 3))))


def _meld(rng: random.Random, seen: Table) -> int:
    there = len(seen.deal.melds)
    return rng.randint(1, there) if there and rng.random() < 0.9 else rng.choice((1, there + 1, 99))


def _lying(seen: Table, number: int) -> Meld | None:
    return seen.meld(number)
