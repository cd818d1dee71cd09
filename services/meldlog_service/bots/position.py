"""What a bot has to choose from, and what it knows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from meldlog_contracts.cards import Card, without
from meldlog_contracts.commands import Discard
from meldlog_contracts.table import Table
from meldlog_service.bots.reckoning import cost
from meldlog_service.bots.strategy import Move

PATIENCE = 25
"""Turns of each seat after which a deal is taken to go round in circles: bots then draw and throw at random."""

Kind = TypeVar("Kind", bound=Move)


class Position:
    """One turn of one seat, as far as the seat can see."""

    def __init__(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> None:
        self.table = table
        self.seat = seat
        self.moves = moves
        self.rng = rng
        self.hand = table.hand(seat)
        self.wild = table.deal.wild
        self._throwable = frozenset(move.card for move in moves if isinstance(move, Discard))
        self.in_circles = table.deal.turns > PATIENCE * len(table.seats)

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Legal commands of a kind."""
        return [move for move in self.moves if isinstance(move, kind)]

    def cost(self, cards: Sequence[Card]) -> int:
        """About what these cards cost in hand."""
        return sum(cost(card, self.wild) for card in cards)

    def leaves_a_discard(self, laid: tuple[Card, ...]) -> bool:
        """Whether the turn can still end after these cards are laid: never walk into a dead end.

        A card that may be discarded now stays in the hand, where any may be; or the hand is empty, where the game
        lets one go out like that; or there is no discard to be made at all.
        """
        left = without(self.hand, laid)
        return not self._throwable or not left or not self._throwable.isdisjoint(left)
