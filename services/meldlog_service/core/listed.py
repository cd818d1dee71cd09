"""Whether a command is among the listed moves, which say most things in one form only."""

from __future__ import annotations

from collections import Counter

from meldlog_contracts.commands import (
    Command,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    NameWild,
    Reclaim,
    ReturnDraw,
)
from meldlog_service.core.moves import Moves

_LISTED_AS_THEY_ARE = (Decline, DeclineDiscard, Discard, Draw, NameWild, Reclaim, ReturnDraw)


def is_listed(command: Command, moves: Moves) -> bool | None:
    """Whether a command is among the moves; None where the list says the same in another form."""
    if moves.truncated:
        return None
    if isinstance(command, _LISTED_AS_THEY_ARE):
        return command in moves.moves
    if isinstance(command, LayOff) and len(command.cards) == 1:
        return any(
            isinstance(move, LayOff) and (move.meld, move.cards) == (command.meld, command.cards)
            for move in moves.moves
        )
    if isinstance(command, LayMeld):
        laid = Counter(command.cards)
        return any(isinstance(move, LayMeld) and Counter(move.cards) == laid for move in moves.moves)
    return None
