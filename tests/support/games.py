"""Plays games through the pure core: no store, no HTTP, every commit sealed and linked as the service would record it.

A `Game` holds the live table, the commits and their stored bytes. Chance comes from its seed, and the time of version n
is n seconds after `START_MS`, so the same moves always make the same bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from meldlog_contracts.commands import Batch, Command, CreateGame, PlayCommand, StartGame, TakeSeat
from meldlog_contracts.events import Commit, GameCreated
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue, Reveal, Table
from meldlog_service.app.offline import OfflineGame
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import Moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal

GAME_SEED = "5eed" * 16
START_MS = 1_764_450_000_000
VARIANT = "crazy-rummy"

Chooser = Callable[[Moves, Table], PlayCommand | Batch]
"""How whoever is on turn picks a command, from the listed moves and the seat's own (concealed) table."""


@cache
def installed() -> Catalogue:
    """The catalogue of everything installed, examined once per process."""
    return Catalogue.from_entry_points()


class Stuck(Exception):
    """A seat is on turn and has no legal command: the one thing that no rules may lead to."""


class Endless(Exception):
    """A game went on for longer than it was given."""


class Game:
    """A game under way.

    Attributes:
        tables: the same for every version, version 0 being the empty table.
        commits: what was recorded, secrets open.
    """

    def __init__(
        self,
        variant: str = VARIANT,
        *,
        seats: int = 3,
        house_rules: Mapping[str, HouseValue] | None = None,
        options: Sequence[str] = (),
        reveal: Reveal = "game",
        turn_seconds: int | None = None,
        game_seed: str = GAME_SEED,
        game_id: str = "g1",
        catalogue: Catalogue | None = None,
    ) -> None:
        """Create the game, nobody sitting yet.

        Raises:
            Refused: when the variant knows no such game.
        """
        self.catalogue = catalogue or installed()
        self.game_seed = game_seed
        create = CreateGame(
            game_id,
            variant,
            seats,
            "h" * 64,
            house_rules=dict(house_rules or {}),
            options=tuple(options),
            reveal=reveal,
            turn_seconds=turn_seconds,
        )
        self._played = OfflineGame(self.catalogue, create, game_seed=game_seed, began_ms=START_MS)
        self.tables: list[Table] = [Table(), self.table]
        self.commits: list[Commit] = [self._played.last]

    @property
    def table(self) -> Table:
        """As the service holds it, after the last commit."""
        return self._played.table

    @property
    def rules(self) -> Ruleset:
        """The ruleset that the game is played by; a test may go on by another."""
        return self._played.rules

    @rules.setter
    def rules(self, rules: Ruleset) -> None:
        self._played.rules = rules

    @property
    def lines(self) -> list[bytes]:
        """Every commit as stored bytes."""
        return self._played.log

    def __repr__(self) -> str:
        """How to make this game again."""
        return f"Game at version {self.version}, seed {self.game_seed}: {self.commits[0].command}"

    def started(self, entropies: Sequence[str | None] = ()) -> Game:
        """Sit a player down on every seat, each with its entropy, and start."""
        for seat in range(len(self.table.seats)):
            entropy = entropies[seat] if seat < len(entropies) else None
            self.do(
                TakeSeat(seat, f"player {seat}", entropy=entropy, token_hash=f"{seat:064x}"), f"seat:{seat}"
            )
        self.do(StartGame(), "host")
        return self

    @property
    def version(self) -> int:
        """Version of the last commit."""
        return self.table.version

    @property
    def on_turn(self) -> int:
        """The seat that is to act."""
        return self.table.deal.turn.seat

    def context(self, version: int | None = None) -> Context:
        """Time and seed that a commit is decided with, by default the next one."""
        at = self.version + 1 if version is None else version
        return Context(START_MS + 1000 * at, self.game_seed)

    def do(self, command: Command, by: str | None = None) -> Commit:
        """Decide a command, by default of the seat on turn, and record it.

        Raises:
            Refused: when it may not be; nothing is recorded then.
        """
        commit = self._played.do(command, by)
        self.tables.append(self.table)
        self.commits.append(commit)
        return commit

    def refusal(self, command: Command, by: str | None = None) -> Refused:
        """The refusal that a command meets.

        Raises:
            AssertionError: when it is accepted.
        """
        actor = f"seat:{self.on_turn}" if by is None else by
        try:
            decide(command, actor, self.table, self.rules, self.context())
        except Refused as refused:
            return refused
        raise AssertionError(f"{command} by {actor} was accepted")

    def seen_by(self, seat: int) -> Table:
        """The table as a seat knows it."""
        return conceal(self.table, seat)

    def moves(self, seat: int | None = None) -> Moves:
        """Listed moves of a seat, by default of the one on turn."""
        return self._played.moves(seat)

    def step(self, choose: Chooser) -> Commit:
        """Let whoever is on turn choose one listed move.

        Raises:
            Stuck: when there is none.
        """
        listed = self.moves()
        if not listed.moves:
            raise Stuck(f"seat {self.on_turn} can do nothing at {self.table}")
        return self.do(choose(listed, self.seen_by(self.on_turn)))

    def play_out(self, choose: Chooser, limit: int = 50_000) -> Game:
        """Play to the end.

        Raises:
            Stuck: when a seat can do nothing.
            Endless: when the game takes more than `limit` commands.
        """
        last = self.version + limit
        while self.table.status == "playing":
            if self.version >= last:
                raise Endless(f"no end after {limit} commands")
            self.step(choose)
        return self


def decided_again(commit: Commit, before: Table, game_seed: str, catalogue: Catalogue | None = None) -> bytes:
    """The bytes that a commit should have: its command decided anew on the table before it, by the recorded rules.

    Raises:
        Refused: when the command should not have been accepted.
        PluginUnavailable: when a rules version that the game recorded is not installed.
    """
    catalogue = catalogue or installed()
    created = commit.events[0] if commit.events else None
    if isinstance(commit.command, CreateGame) and isinstance(created, GameCreated):
        rules = catalogue.ruleset_recorded(commit.command, created.plugins)
    else:
        rules = catalogue.ruleset_of(before)
    context = Context(milliseconds(commit.at), game_seed)
    _, line = chain.make_commit(
        at=commit.at,
        by=commit.by,
        command=commit.command,
        command_id=commit.command_id,
        events=decide(commit.command, commit.by, before, rules, context).events,
        game_seed=game_seed,
        prev=commit.prev,
        version=commit.version,
    )
    return line


def any_move(rng: random.Random) -> Chooser:
    """Every listed move is as likely as any other."""
    return lambda listed, _: rng.choice(listed.moves)


def busy(rng: random.Random) -> Chooser:
    """Play to the table whenever possible: deals end soon, and melds grow."""

    def choose(listed: Moves, table: Table) -> PlayCommand | Batch:
        actions = [move for move in listed.moves if type(move).__name__ in ("LayMeld", "LayOff", "Reclaim")]
        return rng.choice(actions or list(listed.moves))

    return choose


def played(seed: int, *, seats: int = 3, house_rules: Mapping[str, HouseValue] | None = None) -> Game:
    """A whole game of Crazy Rummy by players who choose at random; the same seed makes the same game."""
    rng = random.Random(seed)
    return Game(seats=seats, house_rules=house_rules).started().play_out(any_move(rng))
