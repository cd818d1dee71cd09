"""Writing logs: a command is judged at the cached table and stored by one checked append; nothing is read before it.

The store compares versions in the append, so a cache that is behind shows as a conflict: what came after is read and
folded, and the command judged again. A refusal has no such check, so one made from the cache is given only when the
log has nothing newer. An append whose answer was lost is looked for in the log before anything else is sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.commands import CreateGame, ForkGame
from meldlog_contracts.events import Commit, Event
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.app.asking import Asked
from meldlog_service.app.envelope import actor_of, is_same, pointer_after
from meldlog_service.app.errors import (
    Contended,
    GameArchived,
    GameExists,
    KeyReused,
)
from meldlog_service.app.reading import LogReader
from meldlog_service.app.tables import Entry
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.context import Context, rfc3339
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.metrics import Metrics
from meldlog_service.store.event_store import (
    Conflict,
    EventStore,
    NotDurable,
    OutcomeUnknown,
    Pointer,
    StoreUnavailable,
)

RETRIES = 3
"""How often a command is judged again after others were first, or after an answer was lost."""


class Answer(Struct, frozen=True):
    """What became of a command."""

    version: int
    """The version that the command became; in a dry run the version it was judged at."""
    events: tuple[Event, ...]
    """As recorded, secrets open; in a dry run only what can be told beforehand, secrets closed."""
    replayed: bool
    """Whether an earlier request with the same key had stored the command."""
    table: Table
    """After the command; when replayed the newest known, in a dry run the one it was judged at."""


class Observer(Protocol):
    """Who wants to know what becomes of games in this process. Nothing here may wait or fail."""

    def committed(self, table: Table) -> None:
        """A command of this process was stored; this is the table after it."""

    def seen(self, table: Table) -> None:
        """Somebody looked at the newest table of a game."""

    def doubtful(self, game_id: str) -> None:
        """A command may have been stored, and nobody here knows."""


class LogWriter:
    """Judges commands and appends what they cause.

    Args:
        store: Where the logs are.
        reader: What is known of them.
        catalogue: The installed plugins.
        now_ms: The clock, in milliseconds since 1970.
        metrics: Where appends and conflicts are counted.
    """

    def __init__(
        self,
        store: EventStore,
        reader: LogReader,
        catalogue: Catalogue,
        now_ms: Callable[[], int],
        metrics: Metrics | None,
    ) -> None:
        self.observer: Observer | None = None
        self._store = store
        self._reader = reader
        self._catalogue = catalogue
        self._now_ms = now_ms
        self._metrics = metrics

    def rules_of(self, entry: Entry) -> Ruleset:
        """The ruleset of a cached game.

        Raises:
            PluginUnavailable: when a plugin of it is not installed in the version that the game recorded.
        """
        if entry.rules is None:
            entry.rules = self._catalogue.ruleset_of(entry.table)
        return entry.rules

    async def carry_out(self, entry: Entry, asked: Asked) -> Answer:
        """Judge a command and store it; again, for as long as others are first. The entry must be this command's alone.

        Raises:
            Refused, Unauthenticated, Stale, KeyReused, Contended, GameArchived, PluginUnavailable, Corrupt: nothing was
                stored.
            StoreUnavailable: the store cannot be asked; nothing was stored.
            OutcomeUnknown: nobody knows whether it was stored; `NotDurable` when it is, but may be lost.
        """
        compared = False  # whether the cache was compared with the log since the command came
        tries = 0
        while True:
            known = entry.keys.find(asked.actor, asked.command_id)
            if known is not None and not asked.is_a_strangers(entry.table):
                answer = await self.recorded(entry, asked, known)
                if answer is not None:
                    return answer
            table = entry.table
            missed = asked.misses(table)
            if missed is not None and compared:
                raise missed
            if not compared and (missed is not None or known is not None):
                await self._reader.catch_up(entry)
                compared = True
                continue
            if table.status == "finished":
                await self.check_not_archived(entry.game_id)
            if tries > RETRIES:
                raise self._lost(entry.game_id) if asked.sent else Contended(entry.game_id, tries)
            rules = entry.rules or self.rules_of(entry)
            at_ms = self._now_ms()
            try:
                decision = decide(asked.command, asked.by, table, rules, Context(at_ms))
            except Refused:
                if compared:
                    raise
                await self._reader.catch_up(entry)
                compared = True
                if entry.table is table:
                    raise
                continue
            commit, line = _commit(asked, decision, at_ms, entry.head, table.version + 1)
            after = replace(decision.table, version=commit.version)
            if await self._stored(asked, pointer_after(asked.command, after, entry.created_ms), line, commit):
                if entry.head == commit.prev:  # else a reader of the log has brought the entry here already
                    entry.advance(commit, after)
                if self.observer is not None:
                    self.observer.committed(after)
                return Answer(commit.version, commit.events, replayed=False, table=after)
            await self._look(entry, asked)
            compared = True
            tries += 1

    async def begin(self, asked: Asked, command: CreateGame, game_seed: str) -> tuple[Answer, Entry]:
        """Create a game. The same commit can't be stored twice as version 1, so here it may be sent again.

        Raises:
            Refused: when no such game can be.
            GameExists: when there is a game of that id already, made by another command.
            KeyReused: when there is one, made with the same key and another content.
            StoreUnavailable, OutcomeUnknown: as in `carry_out`.
        """
        rules = self._catalogue.ruleset_for_new(command.variant, command.options, command.house_rules)
        at_ms = self._now_ms()
        decision = decide(command, asked.by, Table(), rules, Context(at_ms, game_seed))
        commit, line = _commit(asked, decision, at_ms, chain.genesis(command.game_id), 1)
        table = replace(decision.table, version=1, created_at=commit.at)
        pointer = pointer_after(command, table, at_ms)
        for _ in range(1 + RETRIES):
            if await self._stored(asked, pointer, line, commit):
                entry = Entry(command.game_id)
                entry.advance(commit, table)
                entry.rules = rules
                if self.observer is not None:
                    self.observer.committed(table)
                return Answer(1, commit.events, replayed=False, table=table), entry
            if not asked.sent:
                entry = await self._reader.newest(command.game_id)
                answer = await self.recorded(entry, asked, 1)
                if answer is None:
                    raise GameExists(command.game_id)
                return answer, entry
        raise self._lost(command.game_id)

    async def check_not_archived(self, game_id: str) -> None:
        """See that a finished game's log is in the store.

        Raises:
            GameArchived: when it is in the archive.
            StoreUnavailable: when store or archive cannot be asked.
        """
        kept = await self._store.archived(game_id)
        if kept is not None:
            raise GameArchived(game_id, kept.version)

    async def go_on(
        self, asked: Asked, command: ForkGame, past: Entry, lines: Sequence[bytes], game_seed: str
    ) -> tuple[Answer, Entry]:
        """Begin a game with the past of another. Its log is stored in one step, so here too it may be sent again.

        Args:
            asked: The fork, on its way.
            command: The same.
            past: The other game, folded up to the version that is gone on from.
            lines: Its commits, as they are stored.
            game_seed: 32 random bytes in hex, for everything that is left to chance from now on.

        Raises:
            Refused: when the table is not at the version that the command names.
            GameExists: when there is a game of the new id already.
            PluginUnavailable: when the game's rules are not installed here.
            StoreUnavailable, OutcomeUnknown: as in `carry_out`.
        """
        rules = self.rules_of(past)
        at_ms = self._now_ms()
        context = Context(at_ms, game_seed, past.head)
        decision = decide(command, asked.by, past.table, rules, context)
        commit, line = _commit(asked, decision, at_ms, past.head, past.table.version + 1)
        table = replace(decision.table, version=commit.version, created_at=commit.at)
        pointer = pointer_after(command, table, at_ms)
        for _ in range(1 + RETRIES):
            if await self._stored(asked, pointer, line, commit, lines):
                entry = Entry(command.game_id)
                entry.become(past)
                entry.advance(commit, table)
                if self.observer is not None:
                    self.observer.committed(table)
                return Answer(commit.version, commit.events, replayed=False, table=table), entry
            if not asked.sent:
                entry = await self._reader.newest(command.game_id)
                answer = await self.recorded(entry, asked, commit.version)
                if answer is None or answer.replayed:
                    raise GameExists(command.game_id)
                return answer, entry
        raise self._lost(command.game_id)

    async def recorded(self, entry: Entry, asked: Asked, version: int) -> Answer | None:
        """The answer that a key was given before; None when the log does not know what the cache knew.

        Raises:
            KeyReused: when the key belongs to another command.
        """
        commits = await self._reader.commits(entry.game_id, version - 1, 1)
        if not commits:
            return None
        (commit,) = commits
        if (actor_of(commit.command, commit.by), commit.command_id) != (asked.actor, asked.command_id):
            return None
        if commit.hash in asked.unsure:
            asked.sent = False
            if self.observer is not None:
                self.observer.committed(entry.table)
            return Answer(version, commit.events, replayed=False, table=entry.table)
        if not is_same(commit.command, asked.command):
            raise KeyReused(version)
        return Answer(version, commit.events, replayed=True, table=entry.table)

    async def _stored(
        self, asked: Asked, pointer: Pointer, line: bytes, commit: Commit, past: Sequence[bytes] = ()
    ) -> bool:
        """Append, or begin a log with a past.

        False when somebody was first, or (``asked.sent`` stays set) when the answer was lost.
        """
        asked.sent = True
        try:
            await self._append(pointer, line, past)
        except Conflict:
            asked.sent = False
            if self._metrics is not None:
                self._metrics.conflicts.inc()
            return False
        except NotDurable:
            self.doubt(pointer.game_id)
            raise
        except OutcomeUnknown:
            asked.unsure.append(commit.hash)
            return False
        except StoreUnavailable as unavailable:
            if asked.unsure:  # this one was not stored, but the one before may be
                raise self._lost(pointer.game_id) from unavailable
            asked.sent = False
            raise
        asked.sent = False
        return True

    async def _append(self, pointer: Pointer, line: bytes, past: Sequence[bytes]) -> None:
        if past:
            await self._store.adopt(pointer, [*past, line])
            return
        if self._metrics is None:
            await self._store.append(pointer, line)
            return
        started = time.perf_counter()
        try:
            await self._store.append(pointer, line)
        finally:
            self._metrics.append_seconds.observe(time.perf_counter() - started)

    async def _look(self, entry: Entry, asked: Asked) -> None:
        """Read what was first, or what became of an append whose answer was lost."""
        try:
            await self._reader.catch_up(entry)
        except StoreUnavailable as unavailable:
            if asked.sent:
                raise self._lost(entry.game_id) from unavailable
            raise

    def doubt(self, game_id: str) -> None:
        """Tell the observer that nobody knows what became of a command."""
        if self.observer is not None:
            self.observer.doubtful(game_id)

    def _lost(self, game_id: str) -> OutcomeUnknown:
        self.doubt(game_id)
        return OutcomeUnknown(f"whether a command to game {game_id} was stored could not be found out")


def _commit(asked: Asked, decision: Decision, at_ms: int, prev: str, version: int) -> tuple[Commit, bytes]:
    seed = decision.table.game_seed
    if seed is None:
        raise ValueError("a table folded from a whole log knows the game's seed")
    return chain.make_commit(
        at=rfc3339(at_ms),
        by=asked.by,
        command=asked.command,
        command_id=asked.command_id,
        events=decision.events,
        game_seed=seed,
        prev=prev,
        version=version,
    )
