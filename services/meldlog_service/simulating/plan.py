"""What is to be played: so many games of one kind. Everything about a game follows from the plan and its number."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from meldlog_contracts.commands import CreateGame
from meldlog_contracts.table import HouseValue
from meldlog_service.app.seats import game_id_of

BEGAN_MS = 1_767_225_600_000
"""When game 0 began, in milliseconds since 1970; fixed, so that the same plan makes the same bytes on every day."""
APART_MS = 1000
"""How long after one another two games begin: a store lists the later number first."""
THINK_MS = 10
"""Milliseconds that a bot may think about a move: many games are to be played."""
MOST_COMMANDS = 30_000
"""Commands after which a game is left unfinished. The longest games that random bots play have about 12,000."""
NOBODY = "0" * 64
"""Hash of the host's token: of none, since nobody is to act for the host."""


class Plan(Struct, frozen=True):
    """Some games of one variant between the same bots."""

    variant: str
    bots: tuple[str, ...]
    """Strategies by name, as they follow one another round the table; they are repeated until every seat has one."""
    seats: int
    games: int
    seed: str
    """From which all chance follows. Games of two plans with the same seed are dealt from the same shuffles."""
    house_rules: dict[str, HouseValue] = {}
    options: tuple[str, ...] = ()
    rotate: bool = True
    """Whether everybody moves a seat on from game to game."""
    duplicate: bool = False
    """Whether each shuffle is played once for every seating, so that every strategy plays every hand of it."""
    most_commands: int = MOST_COMMANDS
    think_ms: int = THINK_MS
    """Milliseconds of a usual machine for each move of a bot that searches. It counts its work and reads no clock."""

    @property
    def seatings(self) -> int:
        """After how many games everybody has sat everywhere equally often."""
        return len(self.bots) if self.rotate and len(set(self.bots)) > 1 else 1

    @property
    def observed_together(self) -> int:
        """How many games, one after the other, are one observation of the bots: those of the same shuffle."""
        return self.seatings if self.duplicate else 1

    def seating(self, number: int) -> tuple[str, ...]:
        """The strategy of every seat in a game."""
        moved = number if self.rotate else 0
        return tuple(self.bots[(seat + moved) % len(self.bots)] for seat in range(self.seats))

    def game_seed(self, number: int) -> str:
        """The seed of a game: 32 bytes in hex."""
        shuffle = number // self.observed_together
        return hashlib.sha256(f"simulated game {shuffle} of {self.seed}".encode()).hexdigest()

    def game_id(self, number: int) -> str:
        """The id of a game, in the form of the service's own; no game that is different in anything has the same."""
        what: tuple[CreateGame | str | int, ...] = (self.create(number, ""), self.game_seed(number))
        if self.think_ms != THINK_MS:
            what = (*what, self.think_ms)
        if self.duplicate:
            # It begins at another time than the game of the same cards that is no duplicate.
            what = (*what, number)
        told = msgspec.json.encode(what, order="sorted")
        return game_id_of(hashlib.sha256(told).digest())

    def began_ms(self, number: int) -> int:
        """When a game begins, in milliseconds since 1970."""
        return BEGAN_MS + APART_MS * number

    def create(self, number: int, game_id: str) -> CreateGame:
        """The command that creates a game, every seat taken by its bot."""
        return CreateGame(
            game_id=game_id,
            variant=self.variant,
            seats=self.seats,
            host_token_hash=NOBODY,
            house_rules=self.house_rules,
            options=self.options,
            bots={str(seat): name for seat, name in enumerate(self.seating(number))},
        )
