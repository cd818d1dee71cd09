"""The handler: every command and every reading of a game goes through here.

One game's commands go one after the other through a process; games do not wait for one another. A command whose
append was sent is carried to its end, whoever goes away meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence

from meldlog_contracts.commands import Command, CreateGame, ForkGame, HandOverSeat, TakeSeat
from meldlog_contracts.events import Commit
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Table
from meldlog_service.app.asking import Asked
from meldlog_service.app.dry_run import foreseen
from meldlog_service.app.envelope import normalised
from meldlog_service.app.errors import (
    Contended,
    GameArchived,
    GameExists,
    KeyReused,
    NoSuchGame,
    Stale,
    Unauthenticated,
)
from meldlog_service.app.reading import LogReader
from meldlog_service.app.tables import Entry, Tables
from meldlog_service.app.writing import Answer, LogWriter, Observer
from meldlog_service.bots import strategies as installed_strategies
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.context import Context
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.metrics import Metrics, Outcome
from meldlog_service.store.event_store import EventStore

_NAMING_STRATEGIES = (TakeSeat, HandOverSeat)
__all__ = ["Answer", "Handler", "Observer", "now_ms", "random_hex"]

COMMAND_ID_DIGITS = 16
_log = logging.getLogger(__name__)


def now_ms() -> int:
    """The present moment in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def random_hex() -> str:
    """32 random bytes in hex."""
    return os.urandom(32).hex()


class Handler:
    """Commands in, answers out; and every reading of games.

    Args:
        store: Where the logs are.
        catalogue: The installed plugins.
        cache_tables: How many games are kept folded.
        now_ms: The clock.
        random_hex: 32 random bytes in hex, for the seed of a new game; ids of commands are cut from it too.
        metrics: Where commands and appends are counted.
        strategies: Names of the bots that can be seated.
    """

    def __init__(
        self,
        store: EventStore,
        catalogue: Catalogue,
        *,
        cache_tables: int,
        now_ms: Callable[[], int] = now_ms,
        random_hex: Callable[[], str] = random_hex,
        metrics: Metrics | None = None,
        strategies: Collection[str] | None = None,
    ) -> None:
        self.store = store
        self.catalogue = catalogue
        self._now_ms = now_ms
        self._random_hex = random_hex
        self._metrics = metrics
        self._strategies = installed_strategies().keys() if strategies is None else strategies
        self._tables = Tables(cache_tables, None if metrics is None else metrics.cached_tables.set)
        self._reader = LogReader(store, self._tables)
        self._writer = LogWriter(store, self._reader, catalogue, now_ms, metrics)
        self._finishing: set[asyncio.Task[None]] = set()

    def observe(self, observer: Observer) -> None:
        """Tell this observer what becomes of games from now on."""
        self._writer.observer = observer

    # -- reading -------------------------------------------------------------------------------------------------------

    async def table(self, game_id: str, at: int | None = None) -> Table:
        """The table at the newest version that the store has, or at an earlier one.

        Raises:
            NoSuchGame: when there is no log.
            NoSuchVersion: when there is no such version.
            Corrupt: when the log cannot be read.
            StoreUnavailable: when the store cannot be asked.
        """
        if at is not None:
            return await self._reader.table_at(game_id, at)
        return (await self.dated(game_id))[0]

    async def dated(self, game_id: str) -> tuple[Table, str]:
        """As `table` for the newest version, and when its command was given.

        Raises:
            NoSuchGame, Corrupt, StoreUnavailable: as in `table`.
        """
        entry = await self._reader.newest(game_id)
        table, updated_at = entry.table, entry.updated_at
        if self._writer.observer is not None:
            self._writer.observer.seen(table)
        return table, updated_at

    async def look(self, game_id: str) -> Table:
        """As `table` for the newest version, but unseen: for those who are told what is seen."""
        return (await self._reader.newest(game_id)).table

    async def known(self, game_id: str) -> Table:
        """The newest table that this process knows, without asking the store where it knows one.

        Raises:
            NoSuchGame, Corrupt, StoreUnavailable: as in `table`, where the log has to be read.
        """
        return (await self._reader.entry(game_id)).table

    def cached(self, game_id: str) -> Table | None:
        """The table that this process keeps of a game, if it does; it may be behind the log."""
        entry = self._tables.peek(game_id)
        return None if entry is None else entry.table

    def rules(self, table: Table) -> Ruleset:
        """The ruleset that a game recorded.

        Raises:
            PluginUnavailable: when a plugin of it is not installed in that version.
        """
        entry = self._tables.peek(table.game_id)
        return self.catalogue.ruleset_of(table) if entry is None else self._writer.rules_of(entry)

    async def commits(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """At most `limit` commits after a version, in order.

        Raises:
            NoSuchGame: when there is no log.
            Corrupt: when the log cannot be read.
            StoreUnavailable: when the store cannot be asked.
        """
        commits = await self.read(game_id, after, limit)
        if not commits and not await self.store.last_version(game_id):
            raise NoSuchGame(game_id)
        return commits

    async def read(self, game_id: str, after: int, limit: int | None) -> list[Commit]:
        """As `commits`, but empty when there is no such game."""
        return await self._reader.commits(game_id, after, limit)

    async def sent(self, game_id: str, shown: Commit) -> bytes:
        """A commit of a log as a viewer is sent it, secrets closed where they are in `shown`; see `LogReader.sent`."""
        return await self._reader.sent(game_id, shown)

    def lines(self, game_id: str, after: int = 0) -> AsyncIterator[bytes]:
        """As `scan`, in the bytes that are stored."""
        return self._reader.lines(game_id, after)

    def scan(self, game_id: str, after: int = 0) -> AsyncIterator[Commit]:
        """Every commit after a version, in order, a page at a time; none when there is no such game."""
        return self._reader.scan(game_id, after)

    # -- commands ------------------------------------------------------------------------------------------------------

    async def create(self, command: CreateGame, command_id: str | None = None, by: str = "host") -> Answer:
        """Create a game; its id was made by the caller.

        Raises:
            Refused: when no such game can be.
            GameExists: when there is a game of that id already, made by another command.
            KeyReused: when there is one, made with the same key and another content.
            StoreUnavailable, OutcomeUnknown: as in `submit`.
        """
        asked = Asked(command, by, command_id or self._new_command_id())
        try:
            for seat, strategy in command.bots.items():
                self._check_known(strategy, f"/bots/{seat}")
            answer, entry = await self._writer.begin(asked, command, self._random_hex())
        except Exception as error:
            self._count(_outcome_of(error))
            raise
        self._tables.put(entry)
        self._count("replayed" if answer.replayed else "accepted")
        return answer

    async def go_on(self, past: Entry, lines: Sequence[bytes], command: ForkGame, by: str) -> Answer:
        """Begin a game with the past of another, read from a log and checked; see `app.forking`.

        Raises:
            Refused: when the table is not at the version that the command names.
            GameExists: when there is a game of the new id already.
            PluginUnavailable: when the game's rules are not installed here.
            StoreUnavailable, OutcomeUnknown: as in `submit`.
        """
        asked = Asked(command, by, self._new_command_id())
        try:
            answer, entry = await self._writer.go_on(asked, command, past, lines, self._random_hex())
        except Exception as error:
            self._count(_outcome_of(error))
            raise
        self._tables.put(entry)
        self._count("accepted")
        return answer

    async def submit(
        self,
        game_id: str,
        command: Command,
        by: str,
        *,
        command_id: str | None = None,
        if_match: int | None = None,
        token_hash: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        """Judge a command and, unless it is a dry run, store it.

        Args:
            game_id: Which game.
            command: What is asked for.
            by: Who asks: ``seat:<n>``, ``host``, ``operator`` or ``service``.
            command_id: The caller's idempotency key; one is made up if there is none.
            if_match: The version that the caller means; None for whichever is the newest.
            token_hash: For a seat's command, the hash of the token that it came with: it must open the seat at the
                table where the command is judged, which may be a newer one than the caller was recognised at.
            dry_run: Judge only.

        Raises:
            Refused: when the command may not be.
            NoSuchGame: when there is no log.
            Unauthenticated: when the token opens that seat no longer.
            Stale: when another version than `if_match` is the newest.
            KeyReused: when the key belongs to another command.
            Contended: when others were first again and again.
            GameArchived: when the game is over and its log in the archive.
            PluginUnavailable: when the game's rules are not installed here.
            StoreUnavailable: when the store cannot be asked; nothing was stored.
            OutcomeUnknown: when nobody knows whether it was stored; `NotDurable` when it is, but may be lost.
            Corrupt: when the log cannot be read.
        """
        key = command_id or self._new_command_id()
        asked = Asked(normalised(command, by), by, key, if_match, token_hash)
        if dry_run:
            return await self._foresee(game_id, asked)
        try:
            self._check_strategy(command)
            answer = await self._in_line(game_id, asked)
        except Exception as error:
            self._count(_outcome_of(error))
            raise
        self._count("replayed" if answer.replayed else "accepted")
        return answer

    async def check_writable(self, table: Table) -> None:
        """See that commands to a game can be judged at all.

        Raises:
            GameArchived: when the game is over and its log in the archive.
            StoreUnavailable: when that cannot be found out.
        """
        if table.status == "finished":
            await self._writer.check_not_archived(table.game_id)

    async def close(self) -> None:
        """Wait for the commands that have outlived their callers."""
        while self._finishing:
            await asyncio.wait(self._finishing)

    # -- one command ---------------------------------------------------------------------------------------------------

    async def _in_line(self, game_id: str, asked: Asked) -> Answer:
        entry = await self._reader.entry(game_id)
        await entry.enter()
        handed_on = False
        try:
            return await self._writer.carry_out(entry, asked)
        except asyncio.CancelledError:
            if asked.sent:
                handed_on = True
                task = asyncio.create_task(self._finish(entry, asked))
                self._finishing.add(task)
                task.add_done_callback(self._finishing.discard)
            raise
        finally:
            if not handed_on:
                entry.leave()

    async def _finish(self, entry: Entry, asked: Asked) -> None:
        """Carry a command to its end whose caller went away in the middle of an append."""
        try:
            await self._reader.catch_up(entry)
            await self._writer.carry_out(entry, asked)
        except (Refused, Unauthenticated, Stale, KeyReused, Contended, GameArchived):
            _log.info("a command to game %s outlived its caller and was not stored", entry.game_id)
        except Exception as error:  # there is nobody left to raise it to
            _log.warning("a command to game %s outlived its caller and ended: %r", entry.game_id, error)
            self._writer.doubt(entry.game_id)
        finally:
            entry.leave()

    async def _foresee(self, game_id: str, asked: Asked) -> Answer:
        self._check_strategy(asked.command)
        entry = await self._reader.newest(game_id)
        if asked.is_a_strangers(entry.table):
            raise Unauthenticated
        known = entry.keys.find(asked.actor, asked.command_id)
        answer = None if known is None else await self._writer.recorded(entry, asked, known)
        if answer is not None:
            return answer
        table = entry.table
        missed = asked.misses(table)
        if missed is not None:
            raise missed
        await self.check_writable(table)
        context = Context(self._now_ms())
        events = foreseen(asked.command, asked.by, table, self._writer.rules_of(entry), context)
        return Answer(table.version, events, replayed=False, table=table)

    # -- small things --------------------------------------------------------------------------------------------------

    def _new_command_id(self) -> str:
        return self._random_hex()[:COMMAND_ID_DIGITS]

    def _check_strategy(self, command: Command) -> None:
        if isinstance(command, _NAMING_STRATEGIES) and command.strategy is not None:
            self._check_known(command.strategy, "/strategy")

    def _check_known(self, strategy: str, pointer: str) -> None:
        if strategy not in self._strategies:
            detail = f"there is no bot {strategy!r}: there are {', '.join(sorted(self._strategies))}"
            raise Refused("invalid", detail, faults=(Fault(pointer, detail),))

    def _count(self, outcome: Outcome) -> None:
        if self._metrics is not None:
            self._metrics.command(outcome)


def _outcome_of(error: Exception) -> Outcome:
    if isinstance(error, Refused | KeyReused | GameArchived | GameExists | NoSuchGame | Unauthenticated):
        return "refused"
    return "stale" if isinstance(error, Stale | Contended) else "failed"
