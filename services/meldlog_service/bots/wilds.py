"""What is done with wilds: they are taken from the table where the hand has a use for them, and are laid off late."""

from __future__ import annotations

from meldlog_contracts.cards import without
from meldlog_contracts.commands import Reclaim
from meldlog_service.bots import ways
from meldlog_service.bots.search import Search
from meldlog_service.bots.strategy import Move

NEAR = 1
"""Cards in another hand at which wilds are laid off, since that hand may be empty before the next turn."""


def lay_off(search: Search) -> Move | None:
    """Lay off the dearest natural; a wild only to go out, or before somebody else does.

    On the table a wild is anybody's who has the card that it stands for; in the hand it makes a meld of any pair.
    """
    natural = ways.lay_off(search.position, lambda card: not search.is_wild(card))
    return natural or (ways.lay_off(search.position) if _is_late(search) else None)


def _is_late(search: Search) -> bool:
    """Whether somebody may go out now, or before the next turn."""
    table, position = search.position.table, search.position
    naturals = sum(not search.is_wild(card) for card in position.hand)
    others = (
        hand for other, hand in enumerate(table.deal.hands) if table.side(other) != table.side(position.seat)
    )
    return naturals <= 1 or any(len(hand) <= NEAR for hand in others)


def take_back(search: Search) -> Move | None:
    """Give a natural for a wild that can be laid off at once, or with which less is left over."""
    position = search.position
    usual = ways.reclaim(position)
    if usual is not None or len(position.hand) == 1:
        return usual
    least, best = search.left(position.hand).cost, None
    for move in position.all(Reclaim):
        left = search.left((*without(position.hand, (move.card,)), move.wild)).cost
        if left < least:
            least, best = left, move
    return best
