"""Ways to choose a move, each for one kind of move; None where there is none of its kind, or none worth it.

They know no variant. What is legal they are told; about the rest they make the guesses of `reckoning`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from meldlog_contracts.cards import Card
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
    Reclaim,
)
from meldlog_service.bots.position import Position
from meldlog_service.bots.reckoning import completes_meld, fits, is_wild, partners
from meldlog_service.bots.strategy import Move

FEW_POINTS = 5
"""Of one's own accord no more than so many are taken."""
ENOUGH_DEALS = 3
Way = Callable[[Position], Move | None]


def first_choice(position: Position, ways: Iterable[Way]) -> Move:
    """What the first way chooses that chooses anything, else any move."""
    for way in ways:
        chosen = way(position)
        if chosen is not None:
            return chosen
    return position.rng.choice(position.moves)


def name_wild(position: Position) -> Move | None:
    """Name the rank held most often."""
    held = Counter(card[0] for card in position.hand)
    return max(position.all(NameWild), key=lambda move: held[move.rank], default=None)


def draw(position: Position) -> Move | None:
    """Take the discard that can be put to use at once, else draw from the stock."""
    return draw_where(position, lambda card: _is_of_use(card, position))


def draw_where(position: Position, is_of_use: Callable[[Card], bool]) -> Move | None:
    """Take the top discard where it is of use, else draw from the stock."""
    draws = position.all(Draw)
    stock = next((move for move in draws if move.source == "stock"), None)
    take = next((move for move in draws if move.source == "discard" and move.count == 1), None)
    declining = position.all(DeclineDiscard)
    if stock is not None and take is not None and position.in_circles:
        return position.rng.choice((stock, take))
    if take is not None and is_of_use(position.table.deal.discard_pile[-1]):
        return take
    return stock or next(iter(declining), None) or take or next(iter(draws), None)


def _is_of_use(card: Card, position: Position) -> bool:
    table = position.table
    if table.deal.turn.returned:
        return False  # it was taken in this turn already, and led nowhere
    if completes_meld(card, position.hand, position.wild):
        return True
    return table.has_laid(position.seat) and any(fits(card, meld, position.wild) for meld in table.deal.melds)


def lay_meld(position: Position) -> Move | None:
    """Lay what has the fewest wilds, which fit elsewhere too; of these the dearest. An opening may be several melds."""

    def worth(move: LayMeld | Batch) -> tuple[int, int]:
        cards = cards_laid(move)
        return -sum(is_wild(card, position.wild) for card in cards), position.cost(cards)

    return max(
        (move for move in melds(position) if position.leaves_a_discard(cards_laid(move))),
        key=worth,
        default=None,
    )


def melds(position: Position) -> list[LayMeld | Batch]:
    """What can be laid: single melds, and lists of melds that can only be laid together."""
    return [*position.all(LayMeld), *position.all(Batch)]


def cards_laid(move: LayMeld | Batch) -> tuple[Card, ...]:
    """Cards that leave the hand for new melds."""
    laid = (move,) if isinstance(move, LayMeld) else move.commands
    return tuple(card for meld in laid if isinstance(meld, LayMeld) for card in meld.cards)


def lay_off(position: Position, is_given: Callable[[Card], bool] = lambda _: True) -> Move | None:
    """Lay off the dearest card of those that may be given."""
    return max(
        (
            move
            for move in position.all(LayOff)
            if position.leaves_a_discard(move.cards) and all(map(is_given, move.cards))
        ),
        key=lambda move: position.cost(move.cards),
        default=None,
    )


def reclaim(position: Position) -> Move | None:
    """Give the dearest natural for a wild that can be laid off at once, a card being left for the discard."""
    lying = position.table.deal.melds
    if len(position.hand) <= 1:
        return None
    return max(
        (
            move
            for move in position.all(Reclaim)
            if any(fits(move.wild, meld, position.wild) for meld in lying)
        ),
        key=lambda move: position.cost((move.card,)),
        default=None,
    )


def discard(position: Position) -> Move | None:
    """Throw the dearest card that goes with no other; a wild only where there is nothing else."""
    discards = position.all(Discard)
    naturals = [move for move in discards if not is_wild(move.card, position.wild)]
    if naturals and position.in_circles:
        return position.rng.choice(naturals)
    return max(
        naturals or discards,
        key=lambda move: (
            -partners(move.card, position.hand, position.wild),
            position.cost((move.card,)),
        ),
        default=None,
    )


def press(position: Position) -> Move | None:
    """Take a few points of one's own accord where some deals are left in which double points may bring them back."""
    table = position.table
    left = (table.deals or 0) - len(table.scores)
    few = (move for move in position.all(AddPenalty) if move.points <= FEW_POINTS)
    return next(few, None) if left >= ENOUGH_DEALS else None


def decline(position: Position) -> Move | None:
    """Turn down whatever is offered."""
    return next(iter(position.all(Decline)), None)


BEGINNING: tuple[Way, ...] = (name_wild, draw)
LAYING: tuple[Way, ...] = (lay_meld, lay_off, reclaim)
ENDING: tuple[Way, ...] = (discard, decline)
