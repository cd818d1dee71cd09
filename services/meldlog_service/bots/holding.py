"""When melds are held back, so that nobody finds anything to lay off on."""

from __future__ import annotations

from meldlog_contracts.commands import Discard
from meldlog_service.bots.house import house_of
from meldlog_service.bots.position import Position
from meldlog_service.bots.search import Search
from meldlog_service.bots.ways import Way, cards_laid, lay_off, melds, reclaim

FEW_CARDS = 4
"""Cards in another hand at which going out is near."""
WAITING_TURNS = 2
"""Turns of its own that it waits at a table of two to four; at a larger one it doesn't wait at all."""
LONG_WAITING_TURNS = 5
"""Where everybody may lay off on what it lays, whether they have laid a meld or not."""
LARGE_TABLE = 5
"""Seats of a table where a deal may give only one or two turns."""


def holds_back(position: Position, turns: int = WAITING_TURNS) -> bool:
    """Whether nothing is laid in this turn though something could be.

    Args:
        position: The turn.
        turns: Turns of its own that it waits where others lay off only once they have laid a meld.
    """
    table = position.table
    seats = len(table.seats)
    waiting = turns if house_of(table).own_first else LONG_WAITING_TURNS
    if table.house_rules.get("no_meld_first_round") is True:
        return False  # everybody has waited already
    if seats >= LARGE_TABLE or table.deal.turns > waiting * seats or table.has_laid(position.seat):
        return False
    if any(len(hand) <= FEW_CARDS for hand in table.deal.hands):
        return False
    if not position.all(Discard):
        return False  # what it took must be put to use
    return not any(len(cards_laid(move)) >= len(position.hand) - 1 for move in melds(position))


def laying(
    search: Search, turns: int = WAITING_TURNS, then: tuple[Way, ...] = (lay_off, reclaim)
) -> tuple[Way, ...]:
    """How something is laid in this turn: the best partition, `then` the rest; nothing where melds are held back.

    Args:
        search: Of the turn.
        turns: As in `holds_back`.
        then: Ways to lay off and to take wilds back.
    """
    return () if holds_back(search.position, turns) else (lambda _: search.lay(), *then)
