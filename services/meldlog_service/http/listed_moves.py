"""Legal commands as they are posted back: one command, or a list where melds can only be laid together."""

from __future__ import annotations

from msgspec.structs import replace

from meldlog_contracts.commands import Batch, PlayCommand
from meldlog_service.core.moves import Moves


def for_operator(moves: Moves) -> Moves:
    """The moves as the operator posts them, who has to say for which seat."""
    return replace(moves, moves=tuple(_naming(command, moves.seat) for command in moves.moves))


def _naming(command: PlayCommand | Batch, seat: int) -> PlayCommand | Batch:
    if isinstance(command, Batch):
        return Batch(tuple(replace(one, seat=seat) for one in command.commands))
    return replace(command, seat=seat)
