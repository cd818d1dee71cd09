"""Who plays the games of a check: together they reach positions that no single way of playing does."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from meldlog_contracts.commands import Batch, LayMeld, LayOff, Reclaim
from meldlog_contracts.table import Table
from meldlog_service.bots import Move, Strategy, strategies

THINK_MS = 1
"""Milliseconds that a bot may think about a move: positions are wanted, not victories."""
IN_EARNEST = 300
"""Commands after which everybody plays to win: games of players who play anything may last very long."""


class Busy:
    """Plays to the table whenever possible: deals end soon, and melds grow."""

    name = "busy"

    def choose(
        self,
        table: Table,  # noqa: ARG002 -- it does not look
        seat: int,  # noqa: ARG002
        moves: Sequence[Move],
        rng: random.Random,
    ) -> Move:
        """See `Strategy.choose`."""
        return rng.choice([move for move in moves if isinstance(move, _TABLE_ACTIONS)] or moves)


_TABLE_ACTIONS = (LayMeld, LayOff, Reclaim, Batch)
PLAYERS: Mapping[str, Strategy] = MappingProxyType({**strategies(THINK_MS), Busy.name: Busy()})
"""Every way to play, by name."""
MIXED = ("busy", "plain", "random")
"""Those that play unless others are asked for."""
EARNEST: Strategy = PLAYERS["plain"]


class Players:
    """The players of one game, with a chance of their own."""

    def __init__(self, bots: Sequence[str], seed: int) -> None:
        """Sit them down.

        Raises:
            KeyError: for a name that is nobody's.
        """
        self._strategies = [PLAYERS[bot] for bot in bots]
        self._rng = random.Random(seed)

    def choose(self, table: Table, seat: int, moves: Sequence[Move], commands: int) -> Move:
        """What a seat does, knowing its own table; so many commands were given before."""
        strategy = self._strategies[seat] if commands < IN_EARNEST else EARNEST
        return strategy.choose(table, seat, moves, self._rng)
