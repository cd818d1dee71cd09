"""What a bot is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from meldlog_contracts.commands import Batch, PlayCommand
from meldlog_contracts.table import Table

Move = PlayCommand | Batch
"""What a seat may do; a list stands for melds that can only be laid together."""


class Strategy(Protocol):
    """A way to play. It keeps nothing between two calls: one object plays every seat that goes by its name."""

    @property
    def name(self) -> str:
        """What it goes by at the table and in the log."""

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """Choose one of the legal moves.

        Args:
            table: As the seat knows it: whatever it has not seen is ``??``.
            seat: Whose turn it is.
            moves: Everything that is legal now, never empty; a list that was cut off at its end is still good.
            rng: The only chance to use; the same arguments make the same choice.
        """


def thinks(strategy: Strategy) -> bool:
    """Whether a strategy may need more than a few milliseconds for a move.

    It says so by an attribute ``thinks``. A service then asks it in another process, so that nobody else waits: it is
    sent there by pickle, as are its arguments.
    """
    return bool(getattr(strategy, "thinks", False))
