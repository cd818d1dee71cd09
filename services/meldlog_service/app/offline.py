"""A game played through the core alone: no store, no HTTP, every commit sealed and linked as the service records it.

What `meldlog check` and `meldlog simulate` play. Chance follows from the game's seed and time from the version, so the
same commands always make the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from meldlog_contracts.commands import Command, CreateGame, StartGame, TakeSeat
from meldlog_contracts.events import Commit
from meldlog_contracts.table import Table
from meldlog_service.app.choosing import chosen
from meldlog_service.bots import Strategy
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.context import Context, rfc3339
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.evolve import apply
from meldlog_service.core.moves import Moves, moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal


class OfflineGame:
    """A game under way.

    Attributes:
        rules: The ruleset it is played by.
        game_seed: 32 bytes in hex from which all its chance follows.
        table: As the service would hold it after the last commit.
        last: The last commit, its secrets open.
        log: Stored bytes of every commit, the first being version 1.
    """

    def __init__(self, catalogue: Catalogue, create: CreateGame, *, game_seed: str, began_ms: int) -> None:
        """Create the game, nobody sitting yet.

        Args:
            catalogue: Where the rules are.
            create: What game it is to be.
            game_seed: 32 bytes in hex.
            began_ms: Milliseconds since 1970; version n is n seconds later.

        Raises:
            Refused: when the variant knows no such game.
            PluginUnavailable: when a plugin is not installed.
        """
        self.rules: Ruleset = catalogue.ruleset_for_new(create.variant, create.options, create.house_rules)
        self.game_seed = game_seed
        self.table = Table()
        self.log: list[bytes] = []
        self._began_ms = began_ms
        self.last = self.do(create, "host")

    @property
    def version(self) -> int:
        """Version of the last commit."""
        return self.table.version

    @property
    def on_turn(self) -> int:
        """The seat that is to act."""
        return self.table.deal.turn.seat

    @property
    def playing(self) -> bool:
        """Whether it has begun and is not over."""
        return self.table.status == "playing"

    def seat(self, names: Sequence[str]) -> None:
        """Take every seat, in order, under these names."""
        for seat, name in enumerate(names):
            self.do(TakeSeat(seat, name, token_hash=f"{seat:064x}"), f"seat:{seat}")

    def start(self) -> None:
        """Start the game, every seat being taken."""
        self.do(StartGame(), "host")

    def context(self) -> Context:
        """Time and seed that the next command is decided with."""
        return Context(self._began_ms + 1000 * (self.version + 1), self.game_seed)

    def do(self, command: Command, by: str | None = None) -> Commit:
        """Decide a command, by default of the seat on turn, and record it.

        Raises:
            Refused: when it may not be; nothing is recorded then.
        """
        actor = f"seat:{self.on_turn}" if by is None else by
        return self.record(command, actor, self.decided(command, actor))

    def decided(self, command: Command, by: str) -> Decision:
        """What a command would do; nothing is recorded.

        Raises:
            Refused: when it may not be.
        """
        return decide(command, by, self.table, self.rules, self.context())

    def record(self, command: Command, by: str, decision: Decision) -> Commit:
        """Record what was decided."""
        context = self.context()
        commit, line = chain.make_commit(
            at=rfc3339(context.at_ms),
            by=by,
            command=command,
            command_id=f"c{self.version + 1}",
            events=decision.events,
            game_seed=self.game_seed,
            prev=self.last.hash if self.log else chain.genesis(decision.table.game_id),
            version=self.version + 1,
        )
        self.table = apply(self.table, commit)
        self.last = commit
        self.log.append(line)
        return commit

    def moves(self, seat: int | None = None) -> Moves:
        """Listed moves of a seat, by default of the one on turn, from what that seat knows."""
        who = self.on_turn if seat is None else seat
        return moves(conceal(self.table, who), who, self.rules)

    def step(self, strategies: Sequence[Strategy]) -> Commit:
        """Let the strategy of whoever is on turn make its move; one strategy a seat.

        Raises:
            DeadEnd: when that seat can do nothing.
        """
        seat = self.on_turn
        return self.do(chosen(strategies[seat], self.table, seat, self.rules))
