"""Reading logs: decoded, checked and folded, into the cache or past it.

Whatever cannot be read as a log that this service wrote is `Corrupt`: a line that does not decode, a gap, a broken
chain, an event that does not fit the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import msgspec

from meldlog_contracts.events import SCHEMA, Commit
from meldlog_contracts.table import Table
from meldlog_service.app.errors import NoSuchGame, NoSuchVersion
from meldlog_service.app.tables import Entry, Tables
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt
from meldlog_service.misfits import unread
from meldlog_service.store.event_store import BrokenLog, EventStore

_log = logging.getLogger(__name__)


class _Parted(Exception):
    """What is cached is not what the log says now."""


def decoded(game_id: str, version: int, line: bytes) -> Commit:
    """A commit as it was stored.

    Raises:
        Corrupt: when it is not one.
    """
    try:
        return chain.decode(line)
    except (msgspec.DecodeError, chain.UnknownSchema) as error:
        raise Corrupt(
            f"version {version} of game {game_id} cannot be read: {unread(error, Commit, line)}"
        ) from error


class LogReader:
    """Logs of a store, and the cache of their folds.

    Args:
        store: Where the logs are.
        tables: The cache.
    """

    def __init__(self, store: EventStore, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._loading: dict[str, asyncio.Task[Entry]] = {}

    async def commits(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Commit]:
        """Commits after a version, in order; empty when there are none or no such game.

        Raises:
            Corrupt: when the log cannot be read.
        """
        return [commit for _, commit in await self._entries(game_id, after, limit)]

    async def _entries(
        self, game_id: str, after: int, limit: int | None = None
    ) -> list[tuple[bytes, Commit]]:
        """As `commits`, each with the bytes that it is stored in."""
        try:
            lines = await self._store.read(game_id, after, limit)
        except BrokenLog as broken:
            raise Corrupt(str(broken)) from broken
        return [(line, decoded(game_id, version, line)) for version, line in lines]

    async def sent(self, game_id: str, shown: Commit) -> bytes:
        """A commit as a viewer is sent it, in the shapes that it was recorded in: else nobody could check its hash.

        Args:
            game_id: Whose log it is in.
            shown: The commit, with those secrets closed that the viewer may not see.

        Raises:
            Corrupt: when the log has no such commit any more.
        """
        if shown.schema == SCHEMA:
            return chain.canonical(shown)
        for line, _ in await self._entries(game_id, shown.version - 1, 1):
            return chain.sent(line, shown)
        raise Corrupt(f"version {shown.version} of game {game_id} is gone")

    async def lines(self, game_id: str, after: int = 0) -> AsyncIterator[bytes]:
        """The stored bytes of every commit after a version, in order, a page at a time.

        Raises:
            Corrupt: when one is missing between them.
        """
        try:
            async for _, line in self._store.scan(game_id, after):
                yield line
        except BrokenLog as broken:
            raise Corrupt(str(broken)) from broken

    async def scan(self, game_id: str, after: int = 0) -> AsyncIterator[Commit]:
        """As `commits`, a page at a time."""
        version = after
        async for line in self.lines(game_id, after):
            version += 1
            yield decoded(game_id, version, line)

    async def entry(self, game_id: str) -> Entry:
        """The cached game, read from its log where it isn't cached; many who ask at once share one reading.

        Raises:
            NoSuchGame: when there is no log.
            Corrupt: when the log cannot be read.
        """
        entry = self._tables.get(game_id)
        return entry if entry is not None else await self._load(game_id)

    async def newest(self, game_id: str) -> Entry:
        """The cached game, brought to the newest version that the store has at this moment.

        Raises:
            NoSuchGame: when there is no log.
            Corrupt: when the log cannot be read.
        """
        entry = self._tables.get(game_id)
        if entry is None:
            joined = game_id in self._loading
            entry = await self._load(game_id)
            if not joined:
                return entry  # the log was read after this was asked
        await self.catch_up(entry)
        return entry

    async def catch_up(self, entry: Entry) -> None:
        """Bring an entry to what the log says now, also where it knew something that the store has lost.

        Raises:
            NoSuchGame: when there is no log (any more).
            Corrupt: when the log cannot be read.
        """
        try:
            try:
                await self._read_on(entry)
            except _Parted as parted:
                _log.warning("game %s is read anew: %s", entry.game_id, parted)
                entry.become(await self._fold(entry.game_id))
        except (Corrupt, NoSuchGame):
            self._tables.drop(entry.game_id)
            raise

    async def table_at(self, game_id: str, version: int) -> Table:
        """The table at an earlier version, folded from the beginning.

        Raises:
            NoSuchGame: when there is no log.
            NoSuchVersion: when it has no such version.
            Corrupt: when the log cannot be read.
        """
        newest = (await self.newest(game_id)).table
        if version == newest.version:
            return newest
        if not 1 <= version <= newest.version:
            raise NoSuchVersion(version, newest.version)
        table = (await self._fold(game_id, until=version)).table
        if table.version != version:
            raise NoSuchVersion(version, table.version)
        return table

    async def _read_on(self, entry: Entry) -> None:
        """Fold what came after the entry's version, having seen that the version itself still stands."""
        known, head = entry.table.version, entry.head
        entries = await self._entries(entry.game_id, known - 1)
        if not entries or entries[0][1].hash != head:
            raise _Parted(f"its version {known} is {'another' if entries else 'gone'}")
        for line, commit in entries[1:]:
            # A command of this process, or another reader, may have gone on meanwhile.
            if commit.version <= entry.table.version:
                continue
            if commit.prev != entry.head:
                raise _Parted(f"its version {commit.version} follows another commit")
            entry.take(commit, line)

    async def _load(self, game_id: str) -> Entry:
        task = self._loading.get(game_id)
        if task is None:
            task = self._loading[game_id] = asyncio.create_task(self._fold(game_id))
            task.add_done_callback(lambda _: self._loading.pop(game_id))
        # Whoever asked first may go away; the others still wait for it.
        return self._tables.put(await asyncio.shield(task))

    async def _fold(self, game_id: str, until: int | None = None) -> Entry:
        """Everything from the beginning, each commit checked against the chain."""
        entry = Entry(game_id)
        async for line in self.lines(game_id):
            entry.take(decoded(game_id, entry.table.version + 1, line), line)
            if entry.table.version == until:
                return entry
        if entry.table.version == 0:
            raise NoSuchGame(game_id)
        if entry.table.game_id != game_id:
            raise Corrupt(f"the log of game {game_id} is that of game {entry.table.game_id}")
        return entry
