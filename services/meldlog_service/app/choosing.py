"""What a strategy would do at a table: it is given its seat's view, the legal moves and a chance of its own."""

from __future__ import annotations

import random

from msgspec import Struct

from meldlog_contracts.table import Table
from meldlog_service.bots import Move, Strategy
from meldlog_service.core.chance import derived_seed
from meldlog_service.core.moves import moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal


class DeadEnd(Exception):
    """A seat is on turn and has no legal move: the rules of the game have a hole."""


class Question(Struct, frozen=True):
    """All that a strategy is told: what its seat sees, what it may do, and its chance."""

    seen: Table
    seat: int
    legal: tuple[Move, ...]
    rng: random.Random


def chosen(strategy: Strategy, table: Table, seat: int, rules: Ruleset) -> Move:
    """The command that a strategy chooses for the seat whose turn it is.

    Raises:
        DeadEnd: when the seat can do nothing.
    """
    return choice(strategy, question(table, seat, rules))


def choice(strategy: Strategy, asked: Question) -> Move:
    """What a strategy chooses, in whatever process."""
    return strategy.choose(asked.seen, asked.seat, asked.legal, asked.rng)


def question(table: Table, seat: int, rules: Ruleset) -> Question:
    """What is asked of the strategy of the seat whose turn it is.

    The strategy's chance follows from the game's secret seed, the version and the seat. So every worker, also one that
    starts again, makes the same choice; and nobody can foretell it from what is public, as one could if it followed
    from the game's id: a bot's next discard would be known to whoever can compute it.

    Raises:
        DeadEnd: when the seat can do nothing.
    """
    seen = conceal(table, seat)
    legal = moves(seen, seat, rules).moves
    if not legal:
        raise DeadEnd(f"seat {seat} of game {table.game_id} has no legal move at version {table.version}")
    rng = random.Random(derived_seed(table, f"bot:{table.version}:{seat}"))
    return Question(seen, seat, legal, rng)
