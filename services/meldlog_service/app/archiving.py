"""Archiving: finished games move from the store to the archive, and come back when they are asked for.

A move goes step by step, and may be killed between any two of them, or done by several at the same time:

1. the log is read and checked: every commit, its seals and its place in the chain, and that the game is over;
2. a note says that the move was begun, so that it is found again;
3. the compressed log gets its place in the archive, is read back and compared;
4. its entry in the index does;
5. the log is taken out of the store, if it still ends where the archived one does;
6. the note goes.

Until step 5 the log is in the store, from step 4 on it is in the archive, and whoever reads asks the store first: so it
is always there, and once. Nothing is ever deleted from the archive: a game that was brought back is in both, and a
store that loses it again has lost nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from random import uniform

import msgspec
from msgspec import Struct

from meldlog_contracts.events import GameEnded, GameForked
from meldlog_contracts.table import Table
from meldlog_service.app.envelope import pointer_after
from meldlog_service.app.errors import NoSuchGame, NotFinished
from meldlog_service.app.handler import now_ms
from meldlog_service.app.reading import decoded
from meldlog_service.app.summaries import summary_of
from meldlog_service.app.tables import Entry
from meldlog_service.core import chain
from meldlog_service.core.context import milliseconds
from meldlog_service.core.evolve import Corrupt
from meldlog_service.metrics import ArchiveMove, Metrics
from meldlog_service.store.archive.archive import OtherLog
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import (
    ArchivedLog,
    BrokenLog,
    Conflict,
    Pointer,
    StoreError,
)

EVERY = 600.0
"""Seconds between two looks for games that are old enough."""
SOON = 30.0
"""Seconds within which the first look begins: workers that start together do not look together."""
_log = logging.getLogger(__name__)

Faults = (NoSuchGame, NotFinished, Corrupt, BrokenLog, OtherLog, Conflict)
"""Why one game is not moved, while others may be."""


class Moved(Struct, frozen=True):
    """What became of a game."""

    entry: ArchivedLog
    already: bool
    """Whether it was there already, and nothing had to be done."""


class _Checked(Struct, frozen=True):
    """A log that may be moved."""

    table: Table
    head: str
    ended_at: str
    pointer: Pointer


class Archiver:
    """Moves games.

    Args:
        store: The store and its archive.
        now_ms: The clock, in milliseconds since 1970.
        metrics: Where moves are counted.
    """

    def __init__(
        self, store: ArchivedStore, now_ms: Callable[[], int] = now_ms, metrics: Metrics | None = None
    ) -> None:
        self._live = store.live
        self._archive = store.archive
        self._now_ms = now_ms
        self._metrics = metrics
        self._told: set[str] = set()

    # -- one game ------------------------------------------------------------------------------------------------------

    async def archive(self, game_id: str) -> Moved:
        """Move a finished game to the archive, or finish a move that was interrupted.

        Raises:
            NoSuchGame: when neither the store nor the archive has it.
            NotFinished: when the game is not over.
            Corrupt: when the log is not one that this service wrote, whole and in order; it stays where it is.
            OtherLog, LaterLayout: when the archive has another log of this game; both stay.
            Conflict: when the log has grown meanwhile; it stays.
            DamagedArchive: when the archive does not keep what is put there; the log stays in the store.
            StoreUnavailable: when store or archive cannot be used; asked again, the move goes on.
        """
        try:
            lines = [line for _, line in await self._live.read(game_id)]
        except BrokenLog as broken:
            raise Corrupt(str(broken)) from broken
        if not lines:
            return await self._moved_before(game_id)
        checked = await asyncio.to_thread(_check, game_id, lines)
        await self._archive.begin_move(game_id)
        entry = await self._archive.keep(self._entry(game_id, checked), lines)
        await self._live.remove(game_id, entry.version)
        await self._archive.end_move(game_id)
        self._count("archived")
        return Moved(entry, already=False)

    async def _moved_before(self, game_id: str) -> Moved:
        entry = await self._archive.entry(game_id, fresh=True)
        if entry is None:
            raise NoSuchGame(game_id)
        await self._archive.end_move(game_id)
        return Moved(entry, already=True)

    def _entry(self, game_id: str, checked: _Checked) -> ArchivedLog:
        return ArchivedLog(
            game_id=game_id,
            version=checked.table.version,
            head=checked.head,
            created_ms=checked.pointer.created_ms,
            ended_ms=milliseconds(checked.ended_at),
            archived_ms=self._now_ms(),
            log_bytes=0,
            log_sha256="",
            summary=msgspec.Raw(msgspec.json.encode(summary_of(checked.table))),
        )

    async def restore(self, game_id: str) -> Moved:
        """Bring a game back into the store, byte for byte; the archive keeps its copy.

        Raises:
            NoSuchGame: when it is not in the archive.
            DamagedArchive, LaterLayout, Corrupt: when the archived log is not what was archived, or cannot be read.
            Conflict: when the store has another log of it.
            StoreUnavailable: when store or archive cannot be used; asked again, what is missing is done.
        """
        entry = await self._archive.entry(game_id, fresh=True)
        if entry is None:
            raise NoSuchGame(game_id)
        lines = await self._archive.log(entry, fresh=True)
        checked = await asyncio.to_thread(_check, game_id, lines)
        last = await self._live.last_version(game_id)
        already = last == entry.version and entry.restored_ms is not None
        # First the notes, so that nobody takes the log away again as soon as it is there.
        await self._archive.end_move(game_id)
        await self._archive.note_restored(entry, self._now_ms())
        await self._live.restore(checked.pointer, lines)
        self._count("restored")
        return Moved(entry, already)

    # -- many games ----------------------------------------------------------------------------------------------------

    async def interrupted(self) -> list[str]:
        """Games whose move was begun and is not known to have ended; `archive` ends it.

        Raises:
            StoreUnavailable: when the archive cannot be asked.
        """
        return await self._archive.moves()

    async def sweep(self) -> None:
        """Remove what those left half written who were killed a day ago or earlier.

        Raises:
            StoreUnavailable: when the archive cannot be used.
        """
        await self._archive.sweep(self._now_ms())

    async def ended_before(
        self, moment_ms: int, tell: Callable[[str, Exception], None] | None = None
    ) -> AsyncIterator[str]:
        """Games in the store that ended, and were last brought back, no later than a moment.

        Only the end of each log is read: it alone says that a game is over, and when that was.

        Args:
            moment_ms: In milliseconds since 1970.
            tell: Hears of every game of which nobody can say that; unless it is given, the log does.

        Raises:
            StoreUnavailable: when store or archive cannot be asked.
        """
        async for game_id in self._live.logs():
            try:
                if await self._ended(game_id, moment_ms):
                    entry = await self._archive.entry(game_id, fresh=True)
                    if entry is None or (entry.restored_ms or 0) <= moment_ms:
                        yield game_id
            except (BrokenLog, Corrupt) as fault:
                (tell or self._tell)(game_id, fault)

    async def _ended(self, game_id: str, moment_ms: int) -> bool:
        last = await self._live.last_version(game_id)
        lines = await self._live.read(game_id, max(last - 2, 0)) if last else ()
        end = [decoded(game_id, version, line) for version, line in lines]
        if not end or milliseconds(end[-1].at) > moment_ms:
            return False
        if isinstance(end[-1].events[0], GameForked):
            # A game that came here when it was over: the commit before says so.
            del end[-1]
        return bool(end) and any(isinstance(event, GameEnded) for event in end[-1].events)

    async def enlist(self, tell: Callable[[BrokenLog], None]) -> int:
        """Put every archived game into the store's index, where a store that was lost does not know of them.

        Args:
            tell: Hears of every entry of the archive that cannot be read; the others are put into the index.

        Returns:
            How many games were.

        Raises:
            StoreUnavailable: when store or archive cannot be asked.
        """
        count = 0
        async for entry in self._archive.entries():
            if isinstance(entry, BrokenLog):
                tell(entry)
                continue
            pointer = Pointer(entry.game_id, entry.version, "", "finished", entry.created_ms, None)
            await self._live.enlist(pointer)
            count += 1
        return count

    # -- in the background ---------------------------------------------------------------------------------------------

    async def run(self, older_ms: int | None, *, every: float = EVERY, soon: float = SOON) -> None:
        """End what was interrupted; then, until cancelled, archive what is old enough.

        Args:
            older_ms: Age in milliseconds from which a finished game is archived; None for never.
            every: Seconds between two looks.
            soon: Seconds within which the first one begins.
        """
        pause = uniform(0, soon)
        while True:
            await asyncio.sleep(pause)
            try:
                await self.look(older_ms)
            except StoreError as error:
                _log.warning("games cannot be archived now: %s", error)
            else:
                if older_ms is None:
                    return
            pause = uniform(every / 2, every)

    async def look(self, older_ms: int | None) -> int:
        """End what was interrupted, and archive every game that is old enough; how many were moved.

        Half the time is left to others. What is wrong with a game is logged, once, and the next one goes on.

        Raises:
            StoreError: when store or archive cannot be used.
        """
        await self.sweep()
        moved = 0
        for game_id in await self.interrupted():
            moved += await self._move(game_id)
        if older_ms is not None:
            async for game_id in self.ended_before(self._now_ms() - older_ms):
                moved += await self._move(game_id)
        if moved:
            _log.info("%d finished games were archived", moved)
        return moved

    async def _move(self, game_id: str) -> bool:
        began = time.perf_counter()
        try:
            await self.archive(game_id)
        except Faults as fault:
            self._tell(game_id, fault)
            return False
        finally:
            await asyncio.sleep(time.perf_counter() - began)
        return True

    def _tell(self, game_id: str, fault: Exception) -> None:
        """Log what is wrong with a game, the first time."""
        if game_id not in self._told:
            self._told.add(game_id)
            self._count("failed")
            _log.error("game %s is not archived: %s", game_id, fault)

    def _count(self, outcome: ArchiveMove) -> None:
        if self._metrics is not None:
            self._metrics.archive_move(outcome)


def _check(game_id: str, lines: Sequence[bytes]) -> _Checked:
    """See that this is the whole log of a finished game, as this service writes it.

    Raises:
        Corrupt: when it is not a log, or one that was changed.
        NotFinished: when the game is not over.
    """
    entry = Entry(game_id)
    commit = None
    for version, line in enumerate(lines, start=1):
        if b"\n" in line:
            raise Corrupt(f"version {version} of game {game_id} is not one line")
        commit = decoded(game_id, version, line)
        entry.take(commit, line)
        try:
            chain.check_seals(commit)
        except chain.BrokenSeal as broken:
            raise Corrupt(f"game {game_id}: {broken}") from broken
    table = entry.table
    if commit is None or table.game_id != game_id:
        raise Corrupt(f"the log of game {game_id} is that of game {table.game_id}")
    if table.status != "finished":
        raise NotFinished(game_id)
    return _Checked(table, commit.hash, commit.at, pointer_after(commit.command, table, entry.created_ms))
