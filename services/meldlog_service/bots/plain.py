"""The bot ``plain``: lays what it can, keeps what goes together, throws the dearest card that does not."""

from __future__ import annotations

import random
from collections.abc import Sequence

from meldlog_contracts.table import Table
from meldlog_service.bots.position import Position
from meldlog_service.bots.strategy import Move
from meldlog_service.bots.ways import BEGINNING, ENDING, LAYING, first_choice

WAYS = (*BEGINNING, *LAYING, *ENDING)


class Plain:
    """A decent player without a plan."""

    name = "plain"

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        return first_choice(Position(table, seat, moves, rng), WAYS)
