"""The archive: logs that are kept outside the store, each with an entry in the index.

Nothing here knows what a log says, only that it is whole: an entry has the SHA-256 of its log, and what is read is
compared with it every time. A log is in the archive as soon as its entry is, and not before. What is in an archive
never changes, except that an entry notes when its log was last brought back into the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
from msgspec.structs import replace

from meldlog_service.store.archive import names
from meldlog_service.store.archive.objects import Objects
from meldlog_service.store.archive.packing import Unreadable, digest, ndjson, packed, unpacked
from meldlog_service.store.archive.recent import Recent
from meldlog_service.store.event_store import ArchivedLog, BrokenLog, StoreError

LAYOUT = 1
"""Of objects and entries, as this release writes them."""
LOG_BYTES = 32 * 1024 * 1024
"""Of logs that were read lately, kept so that a game that is looked through is not read again for every page."""
ENTRIES = 10_000
"""Of the index that are kept, some 700 bytes each."""
DRAFT_MS = 24 * 3_600_000
"""Age from which a draft is what somebody left who was killed."""
_AT_A_TIME = 64
"""Entries that are read together."""


class DamagedArchive(BrokenLog):
    """An object or an entry is not what was put into the archive, or not there; nothing is done with it."""

    def __init__(self, game_id: str, fault: str) -> None:
        StoreError.__init__(self, f"the archived log of game {game_id} is damaged: {fault}")
        self.version = 1


class LaterLayout(BrokenLog):
    """A later release wrote this; it is left as it is."""

    def __init__(self, game_id: str, layout: int) -> None:
        StoreError.__init__(
            self, f"the archived log of game {game_id} has layout {layout}; this release knows {LAYOUT}"
        )
        self.version = 1


class OtherLog(StoreError):
    """The archive has a log of this game already, and it is another one."""


class Archive:
    """Logs and their index.

    Args:
        objects: Where the files are.
        on_read: Is called for every log that a reader is given from there, and not from memory.
    """

    def __init__(self, objects: Objects, on_read: Callable[[], None] = lambda: None) -> None:
        self._objects = objects
        self.on_read = on_read
        self._logs: Recent[Sequence[bytes]] = Recent(LOG_BYTES)
        self._entries: Recent[ArchivedLog] = Recent(ENTRIES)

    # -- reading -------------------------------------------------------------------------------------------------------

    async def entry(self, game_id: str, *, fresh: bool = False) -> ArchivedLog | None:
        """What the index says of a game; None when its log is not in the archive.

        Args:
            game_id: Which game.
            fresh: Do not answer from memory.

        Raises:
            DamagedArchive, LaterLayout: when the entry cannot be read.
            ArchiveUnavailable: when the archive cannot be asked.
        """
        found = None if fresh else self._entries.get(game_id)
        if found is not None:
            return found
        data = await asyncio.to_thread(self._objects.read, names.entry_name(game_id))
        if data is None:
            self._entries.drop(game_id)
            return None
        entry = _decoded(game_id, data)
        self._entries.put(game_id, entry)
        return entry

    async def log(self, entry: ArchivedLog, *, fresh: bool = False) -> Sequence[bytes]:
        """Every commit of an archived log.

        Args:
            entry: What the index says of it.
            fresh: Neither answer from memory nor keep it there: see what is in the archive.

        Raises:
            DamagedArchive: when it is not the log that the entry speaks of.
            ArchiveUnavailable: when the archive cannot be asked.
        """
        if fresh:
            return await asyncio.to_thread(self._read_log, entry)
        found = self._logs.get(entry.game_id)
        if found is not None:
            return found
        lines = await asyncio.to_thread(self._read_log, entry)
        self.on_read()
        self._logs.put(entry.game_id, lines, entry.log_bytes)
        return lines

    def _read_log(self, entry: ArchivedLog) -> Sequence[bytes]:
        data = self._objects.read(names.log_name(entry.game_id))
        if data is None:
            raise DamagedArchive(entry.game_id, "there is an entry in the index and no object")
        try:
            log = unpacked(data, entry.log_bytes)
        except Unreadable as unreadable:
            raise DamagedArchive(entry.game_id, str(unreadable)) from unreadable
        if digest(log) != entry.log_sha256:
            raise DamagedArchive(entry.game_id, "its SHA-256 is not the one in the index")
        return log.split(b"\n")[:-1]

    async def entries(self) -> AsyncIterator[ArchivedLog | BrokenLog]:
        """The whole index, in no order; in place of an entry that cannot be read, why not.

        Raises:
            ArchiveUnavailable: when the archive cannot be asked.
        """
        files = await asyncio.to_thread(self._objects.names, names.INDEX)
        for start in range(0, len(files), _AT_A_TIME):
            some = files[start : start + _AT_A_TIME]
            for file, data in zip(some, await self._read_all(some), strict=True):
                if data is not None:
                    yield _decoded_or_why_not(file, data)

    async def _read_all(self, files: Sequence[str]) -> list[bytes | None]:
        return await asyncio.gather(*(asyncio.to_thread(self._objects.read, file) for file in files))

    # -- writing -------------------------------------------------------------------------------------------------------

    async def keep(self, entry: ArchivedLog, lines: Sequence[bytes]) -> ArchivedLog:
        """Put a log into the archive, read it back, and only then make its entry.

        A log that is there already, whole, stays as it is: whoever comes second, or comes back after a kill, does
        what is left to do.

        Args:
            entry: What the index is to say; size and digest are put in here.
            lines: The log.

        Returns:
            The entry as it is in the index now.

        Raises:
            OtherLog, LaterLayout: when the archive has another log of this game, or one that cannot be compared.
            DamagedArchive: when what is read back is not what was written.
            ArchiveUnavailable: when the archive cannot be used.
        """
        log = ndjson(lines)
        entry = replace(entry, log_bytes=len(log), log_sha256=digest(log), layout=LAYOUT)
        try:
            known = await self.entry(entry.game_id, fresh=True)
        except DamagedArchive:
            known = None  # made again: the log that it should speak of is here
        if known is not None and known.log_sha256 != entry.log_sha256:
            raise OtherLog(
                f"the archive has another log of game {entry.game_id}, of {known.version} versions and with the head "
                f"{known.head}; the store's has {entry.version} and {entry.head}"
            )
        if known is None or not await self._is_whole(known):
            await self._put(names.log_name(entry.game_id), await asyncio.to_thread(packed, log))
            await self.log(entry, fresh=True)
        if known is None or known.restored_ms is not None:
            await self._put_entry(entry)
            return entry
        return known

    async def note_restored(self, entry: ArchivedLog, at_ms: int) -> None:
        """Put down in the index that a log is brought back into the store."""
        await self._put_entry(replace(entry, restored_ms=at_ms))

    async def _is_whole(self, entry: ArchivedLog) -> bool:
        try:
            await self.log(entry, fresh=True)
        except DamagedArchive:
            return False
        return True

    async def _put_entry(self, entry: ArchivedLog) -> None:
        await self._put(names.entry_name(entry.game_id), msgspec.json.encode(entry))
        if await self.entry(entry.game_id, fresh=True) is None:
            raise DamagedArchive(entry.game_id, "its entry was written and is not there")

    async def _put(self, name: str, data: bytes) -> None:
        draft = await asyncio.to_thread(self._objects.draft, data)
        await asyncio.to_thread(self._objects.publish, draft, name)

    # -- moves under way -----------------------------------------------------------------------------------------------

    async def begin_move(self, game_id: str) -> None:
        """Note that a log is about to be moved, so that the move is found again should it be interrupted."""
        await self._put(names.move_name(game_id), game_id.encode())

    async def end_move(self, game_id: str) -> None:
        """Forget that note; none is no fault."""
        await asyncio.to_thread(self._objects.delete, names.move_name(game_id))

    async def moves(self) -> list[str]:
        """Games whose move was begun and is not known to have ended."""
        files = await asyncio.to_thread(self._objects.names, names.MOVES)
        found = await self._read_all(sorted(files))
        return [data.decode() for data in found if data is not None]

    async def sweep(self, now_ms: int) -> int:
        """Remove drafts that somebody left long ago; how many there were."""
        drafts = await asyncio.to_thread(self._objects.names, names.DRAFTS)
        old = [draft for draft in drafts if names.made_ms(draft) < now_ms - DRAFT_MS]
        for draft in old:
            await asyncio.to_thread(self._objects.delete, draft)
        return len(old)


def _decoded_or_why_not(file: str, data: bytes) -> ArchivedLog | BrokenLog:
    try:
        return _decoded(names.told_by(file), data)
    except BrokenLog as fault:
        return fault


def _decoded(game_id: str, data: bytes) -> ArchivedLog:
    try:
        entry = msgspec.json.decode(data, type=ArchivedLog)
    except msgspec.DecodeError as error:
        raise DamagedArchive(game_id, f"its entry in the index cannot be read: {error}") from error
    if entry.layout != LAYOUT:
        raise LaterLayout(game_id, entry.layout)
    return entry
