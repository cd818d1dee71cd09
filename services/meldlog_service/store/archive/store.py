"""A store whose finished games may be in an archive: reading goes on as before, wherever a log is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.event_store import (
    ArchivedLog,
    Conflict,
    Entry,
    EventStore,
    Feed,
    Page,
    Pointer,
    Status,
)


class ArchivedStore:
    """An `EventStore` that looks into the archive for a log that the store does not have.

    The store is always asked first, so a game that is still there, or is there again, is read from there. An archive
    that cannot be reached disturbs only those who ask for a game that the store does not have.

    Attributes:
        live: The store.
        archive: The archive.
    """

    def __init__(self, live: EventStore, archive: Archive) -> None:
        self.live = live
        self.archive = archive

    async def archived(self, game_id: str) -> ArchivedLog | None:
        """See `EventStore.archived`."""
        return None if await self.live.last_version(game_id) else await self.archive.entry(game_id)

    async def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `EventStore.read`."""
        entries = await self.live.read(game_id, after, limit)
        if entries:
            return entries
        # Nothing after that version; or a log that is not here, or was taken away a moment ago.
        entry = await self.archived(game_id)
        if entry is None:
            return []
        lines = (await self.archive.log(entry))[after:]
        return list(enumerate(lines[:limit], start=after + 1))

    async def last_version(self, game_id: str) -> int:
        """See `EventStore.last_version`."""
        last = await self.live.last_version(game_id)
        if last:
            return last
        entry = await self.archive.entry(game_id)
        return 0 if entry is None else entry.version

    async def scan(self, game_id: str, after: int = 0, page: int = 500) -> AsyncIterator[Entry]:
        """See `EventStore.scan`; a log that is moved meanwhile is read on from where it is then."""
        full = True
        while full:
            entries = await self.read(game_id, after, page)
            for entry in entries:
                yield entry
            after += len(entries)
            full = len(entries) == page

    async def adopt(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.adopt`: a game that is in the archive is there already."""
        kept = await self.archived(pointer.game_id)
        if kept is not None:
            raise Conflict(pointer.game_id, pointer.version, kept.version)
        await self.live.adopt(pointer, commits)

    # Everything else is the store's own.

    async def append(self, pointer: Pointer, commit: bytes) -> None:
        """See `EventStore.append`."""
        await self.live.append(pointer, commit)

    async def page(self, status: Status | None, cursor: str | None, limit: int) -> Page:
        """See `EventStore.page`; a game stays in the store's index wherever its log is."""
        return await self.live.page(status, cursor, limit)

    def games(self, status: Status | None = None) -> AsyncIterator[str]:
        """See `EventStore.games`."""
        return self.live.games(status)

    def logs(self) -> AsyncIterator[str]:
        """See `EventStore.logs`: those in the store."""
        return self.live.logs()

    async def due(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """See `EventStore.due`."""
        return await self.live.due(now_ms, limit)

    def follow(self) -> Feed:
        """See `EventStore.follow`."""
        return self.live.follow()

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        await self.live.remove(game_id, last)

    async def restore(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.restore`."""
        await self.live.restore(pointer, commits)

    async def enlist(self, pointer: Pointer) -> None:
        """See `EventStore.enlist`."""
        await self.live.enlist(pointer)

    async def reindex(self, pointer_of: Callable[[Sequence[bytes]], Pointer]) -> int:
        """See `EventStore.reindex`."""
        return await self.live.reindex(pointer_of)

    async def check(self) -> list[str]:
        """See `EventStore.check`."""
        return await self.live.check()

    async def ping(self) -> None:
        """See `EventStore.ping`: the archive is not asked, since games are played without it."""
        await self.live.ping()

    async def close(self) -> None:
        """See `EventStore.close`."""
        await self.live.close()
