"""The bot ``patient``: plays by the advice that old players give.

It holds its melds back at the beginning of a deal, so that nobody finds anything to lay off on; takes a discard where
the best partition of its hand has a place for it; throws high cards, but none that the next player can lay off; keeps
what has a chance, by the cards that were seen; lays a wild in the place of a card it holds, which it gives for the wild
later; keeps the low card of its last two; collects discards where laid cards count; and takes a small penalty where
that makes the next deal count double.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.table import Table
from meldlog_service.bots.holding import laying
from meldlog_service.bots.house import number
from meldlog_service.bots.position import Position
from meldlog_service.bots.search import Search
from meldlog_service.bots.strategy import Move
from meldlog_service.bots.table_melds import fits_table
from meldlog_service.bots.ways import ENDING, draw_where, first_choice, name_wild, press

COLLECTED = 8
"""Points that discards must bring to be collected."""
LAID_OFF = 8
"""Points that it pays for not giving the next player a card to lay off."""


class Patient:
    """A player who shows nothing before it must, and counts the cards."""

    name = "patient"

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        position = Position(table, seat, moves, rng)
        search = Search(position)
        ways = (
            press,
            lambda _: _collect(search),
            name_wild,
            lambda _: draw_where(position, search.is_of_use),
            *laying(search),
            lambda _: _discard(search),
            *ENDING,
        )
        return first_choice(position, ways)


def _collect(search: Search) -> Move | None:
    """Take several discards where laid cards count, and these bring more than they cost."""
    most = search.discards_to_keep() if search.house.laid_count and not search.position.in_circles else 0
    best = max(range(most + 1), key=search.at_once)
    if search.at_once(best) - search.at_once(0) <= COLLECTED:
        return None
    return Draw(source="discard", count=best)


def _discard(search: Search) -> Move | None:
    """Throw the card that costs most and has the least chance to be of use."""
    position = search.position
    discards = [move for move in position.all(Discard) if not search.is_wild(move.card)]
    if not discards or position.in_circles:
        return None
    over = set(search.left(position.hand).cards)
    gives = search.next_lays_off()

    def worth(move: Discard) -> tuple[bool, float]:
        card = move.card
        fits = gives and fits_table(card, position.table, position.wild)
        return number(card) in over, search.cost(card) - search.hopes(card) - (LAID_OFF if fits else 0)

    return max(discards, key=worth)
