"""Cards as two characters of text, the same on the wire, in the log, in tests and in the head.

A card is its rank and its suit (``7H``, ``TD``, ``AS``) or ``JK``, the printed joker. Copies from a second pack repeat
the same text: nobody tells them apart. ``??`` is a card that the viewer has not seen.
"""

from __future__ import annotations

from typing import Final, NewType

Card = NewType("Card", str)

RANKS: Final = "A23456789TJQK"
"""Ranks in standard order; the ace is written first, whatever it may do in a run."""
SUITS: Final = "CDHS"
"""Clubs, diamonds, hearts, spades: standard order."""
JOKER: Final = Card("JK")
HIDDEN: Final = Card("??")
ANY_SUIT: Final = "X"
"""Suit of a wild in a set: it stands for the rank and for no stated suit (``KX``)."""

PLAIN_PACK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in standard order: suit by suit, each from ace to king."""
CARDS: Final[frozenset[Card]] = frozenset((*PLAIN_PACK, JOKER))
"""Every text that is a card."""

CARDS_ARE_WRITTEN: Final = "a card is its rank and its suit, as 7H, TD (ten) or AS; a joker is JK"
RANKS_ARE_WRITTEN: Final = f"a rank is one of {' '.join(RANKS)}"
MEANINGS_ARE_WRITTEN: Final = "what a wild stands for is a card, as 7H, or in a set its rank with X, as 7X"
"""How to write them, for whoever did not."""


def rank(card: Card) -> str:
    """Rank of a card, one character; ``J`` of ``JK`` means nothing, so ask `is_joker` first where jokers may be."""
    return card[0]


def suit(card: Card) -> str:
    """Suit of a card, one character of `SUITS` (or ``X`` in what a wild of a set reads as)."""
    return card[1]


def is_joker(card: Card) -> bool:
    """Whether this is a printed joker."""
    return card == JOKER


def pack(packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """Cards of a game in standard order: pack by pack, then the jokers (log format, *Shuffle*)."""
    return PLAIN_PACK * packs + (JOKER,) * jokers


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces: ``cards("7H 8H 9H")``.

    Raises:
        ValueError: for a word that is not a card.
    """
    words = tuple(Card(word) for word in text.split())
    for word in words:
        if word not in CARDS:
            raise ValueError(f"{word!r} is not a card")
    return words


def without(held: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards that are left when `taken` leave `held`; an unseen card can be any card.

    Raises:
        ValueError: when a card to be taken is not there.
    """
    left = list(held)
    for card in taken:
        try:
            left.remove(card)
        except ValueError:
            try:
                left.remove(HIDDEN)
            except ValueError:
                raise ValueError(f"{card} is not among {' '.join(held) or 'no cards'}") from None
    return tuple(left)


def less(waiting: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards still waiting when some are gone, whether or not those were waited for."""
    if not waiting:
        return waiting
    left = list(waiting)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)
