"""Tables, melds and commands as text, the way players write them down.

A card is its rank and suit (``7H``); a wild is followed by what it stands for: ``9D=5C 6C 7C`` is a run in which the
nine of diamonds stands for the five of clubs, ``QS QH 9S=Q`` a set in which the nine stands for a queen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from meldlog_contracts.cards import CARDS, Card, cards
from meldlog_contracts.commands import Batch, Discard, Draw, GameCommand, LayMeld, LayOff, Reclaim
from meldlog_contracts.melds import any_of
from meldlog_contracts.table import Meld

PLAYERS = ("ann", "bea", "cyd", "dan", "eve", "fay", "gus")
"""Who sits at the table of a test: ann has seat 0."""


def seat_of(player: str) -> int:
    """Number of a player's seat.

    Raises:
        ValueError: for a name that is not one of `PLAYERS`.
    """
    return PLAYERS.index(player)


def meld_of(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Cards of a meld written as text, and what each reads as.

    Raises:
        ValueError: for a word that is no card.
    """
    lying: list[Card] = []
    reads_as: list[Card] = []
    for word in text.split():
        card, _, meaning = word.partition("=")
        (own,) = cards(card)
        lying.append(own)
        reads_as.append(_meaning(meaning) if meaning else own)
    return tuple(lying), tuple(reads_as)


def _meaning(text: str) -> Card:
    if len(text) == 1:
        return any_of(text)
    if text not in CARDS:
        raise ValueError(f"{text!r} is nothing that a wild can stand for")
    return Card(text)


def written(meld: Meld) -> str:
    """A meld on the table as text."""
    return _written(meld.cards, meld.reads_as)


def _written(lying: Sequence[Card], reads_as: Sequence[Card]) -> str:
    return " ".join(
        card if card == meaning else f"{card}={meaning.removesuffix('X')}"
        for card, meaning in zip(lying, reads_as, strict=True)
    )


# -- commands ----------------------------------------------------------------------------------------------------------


def draw(source: Literal["stock", "discard"] = "stock", count: int = 1) -> Draw:
    """Draw from the stock, or from the discard pile."""
    return Draw(source, count)


def discard(card: str) -> Discard:
    """Put a card on the discard pile."""
    return Discard(Card(card))


def lay(text: str) -> LayMeld:
    """Lay a new meld. What the cards stand for is declared only where the text says it of one of them."""
    lying, reads_as = meld_of(text)
    return LayMeld(lying, reads_as if "=" in text else None)


def lay_off(meld: int, text: str, end: Literal["low", "high"] | None = None) -> LayOff:
    """Add cards to meld number `meld`; declared as in `lay`."""
    added, reads_as = meld_of(text)
    return LayOff(meld, added, reads_as if "=" in text else None, end)


def take_back(meld: int, wild: str, natural: str) -> Reclaim:
    """Give a natural card for a wild of meld number `meld`."""
    return Reclaim(meld, Card(natural), Card(wild))


def all_of(*commands: GameCommand) -> Batch:
    """A list of commands: all or nothing."""
    return Batch(commands)
