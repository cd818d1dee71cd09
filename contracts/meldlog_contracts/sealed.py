"""Sealed values: what some viewer may not see, committed to in public and opened later.

A sealed value has exactly four members (``count, salt, seal, value``) where it is open and exactly two
(``count, seal``) where it is closed; see the log format, *Secrets are sealed one by one*.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from meldlog_contracts.cards import HIDDEN, Card

MOST_CARDS = 65_536
"""Cards that a shuffle can number."""


class Sealed(Struct, frozen=True, gc=False):
    """A secret and the public seal on it.

    ``seal`` is the SHA-256 (hex) of the canonical JSON of ``{"salt": …, "value": …}``; ``count`` is the number of cards
    inside, public; ``salt`` is 16 bytes in hex. What `decide` returns is not sealed yet: its seal is empty and its salt
    unset, until the commit is made and the version is known.
    """

    count: Annotated[int, Meta(ge=0, le=MOST_CARDS)]
    seal: str = ""
    salt: str | UnsetType = UNSET
    value: str | tuple[Card, ...] | UnsetType = UNSET

    def closed(self) -> Sealed:
        """Redact the value: what a viewer who may not open it is given."""
        return Sealed(self.count, self.seal)

    @property
    def is_open(self) -> bool:
        """Whether the value can be read here."""
        return self.value is not UNSET


def unsealed_card(card: Card) -> Sealed:
    """Draft of a sealed card."""
    return Sealed(1, "", UNSET, card)


def unsealed_cards(cards: tuple[Card, ...]) -> Sealed:
    """Draft of a sealed list of cards."""
    return Sealed(len(cards), "", UNSET, cards)


def cards_of(sealed: Sealed) -> tuple[Card, ...]:
    """Cards inside, or as many unseen ones."""
    value = sealed.value
    if isinstance(value, tuple):
        return value
    if isinstance(value, str):
        return (Card(value),)
    return (HIDDEN,) * sealed.count
