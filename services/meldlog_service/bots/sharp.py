"""The bot ``sharp``: searches what its hand may become, and what others may make of its discards.

It draws cards that it has not seen, as many as it may get before somebody else goes out, and looks for the best
partition of its hand with them; of its discards it throws the one after which it does best, on an average over many
such draws. What the next player can use costs it something: how likely that is, hands say that this player may have.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.table import Table
from meldlog_service.bots.holding import laying
from meldlog_service.bots.position import Position
from meldlog_service.bots.search import Search
from meldlog_service.bots.strategy import Move
from meldlog_service.bots.ways import BEGINNING, ENDING, LAYING, draw_where, first_choice, press
from meldlog_service.bots.wilds import lay_off, take_back

THINK_MS = 200
"""Milliseconds that it may think about a move, unless it is told otherwise."""
HANDS_PER_MS = 250
"""Hands, and parts of hands, that it looks at in a millisecond. It counts them and reads no clock, so every machine
plays the same game; a slow one takes longer."""
WAITING_TURNS = 1
"""Turns of its own that it holds its melds back: with one more somebody goes out too often."""
WAITING_TURNS_LARGE = 2
"""The same with a large hand, which nobody gets rid of so soon."""
LARGE_HAND = 11
"""Cards, with the one that was drawn; more are a large hand."""
GAIN = 1.0
"""Points that a discard must be better than a card of the stock: to take it shows the others what one collects."""


class Sharp:
    """A player who reckons.

    Args:
        think_ms: How long it thinks about a move, in milliseconds of a usual machine.
    """

    name = "sharp"
    thinks = True

    def __init__(self, think_ms: int = THINK_MS) -> None:
        self.hands = max(1, think_ms * HANDS_PER_MS)
        """Hands that it looks at for a move."""

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        position = Position(table, seat, moves, rng)
        phase = table.deal.turn.phase
        if len(moves) == 1 or position.in_circles or phase not in ("draw", "play"):
            return first_choice(position, (press, *BEGINNING, *LAYING, *ENDING))
        search = Search(position, self.hands, thorough=True)
        if phase == "draw":
            return first_choice(position, (lambda _: _draw(search), *BEGINNING))
        then = (lambda _: lay_off(search), lambda _: take_back(search))
        is_large = len(position.hand) > LARGE_HAND
        lays = laying(search, WAITING_TURNS_LARGE if is_large else WAITING_TURNS, then)
        return first_choice(position, (*lays, lambda _: _discard(search), *ENDING))


def _draw(search: Search) -> Move | None:
    """Take discards where that is better than a card of the stock; what can be put to use at once it always takes."""
    position = search.position
    usual = draw_where(position, search.is_of_use)
    most = search.discards_to_keep()
    if not most or usual not in [move for move in position.all(Draw) if move.source == "stock"]:
        return usual
    gains = search.gains_of_discards(most)
    best = max(range(most), key=gains.__getitem__)
    return Draw(source="discard", count=best + 1) if gains[best] > GAIN else usual


def _discard(search: Search) -> Move | None:
    """Throw what is missed least, and is of least use to the next player."""
    thrown = search.best_discard()
    return None if thrown is None else Discard(thrown)
