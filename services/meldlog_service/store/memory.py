"""Logs kept in memory: the same promises as every store, for tests and for games nobody needs to keep."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from meldlog_service.store.cursors import Place, cursor_of, place_of
from meldlog_service.store.event_store import (
    ArchivedLog,
    Conflict,
    Entry,
    Page,
    Pointer,
    Status,
    StoreUnavailable,
)
from meldlog_service.store.subscribers import Subscriber, Subscribers


class Shelf:
    """What several stores can share, as they would share a server."""

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.pointers: dict[str, Pointer] = {}
        self.readers: list[Subscribers] = []


class MemoryStore:
    """An `EventStore` without a server.

    Args:
        shelf: Where the logs lie; another store with the same shelf is like another worker on the same server.
    """

    def __init__(self, shelf: Shelf | None = None) -> None:
        self._shelf = shelf if shelf is not None else Shelf()
        self._subscribers = Subscribers()
        self._shelf.readers.append(self._subscribers)

    async def append(self, pointer: Pointer, commit: bytes) -> None:
        """See `EventStore.append`."""
        await self.ping()
        log = self._shelf.logs.get(pointer.game_id, [])
        if len(log) != pointer.version - 1 or (not log and self._is_kept_elsewhere(pointer.game_id)):
            raise Conflict(pointer.game_id, pointer.version, len(log))
        self._shelf.logs.setdefault(pointer.game_id, log).append(commit)
        self._derive(pointer)

    def _is_kept_elsewhere(self, game_id: str) -> bool:
        pointer = self._shelf.pointers.get(game_id)
        return pointer is not None and pointer.status == "finished"

    async def adopt(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.adopt`."""
        await self.ping()
        found = len(self._shelf.logs.get(pointer.game_id, []))
        if found or self._is_kept_elsewhere(pointer.game_id):
            raise Conflict(pointer.game_id, pointer.version, found)
        self._shelf.logs[pointer.game_id] = list(commits)
        self._derive(pointer)

    def _derive(self, pointer: Pointer) -> None:
        self._shelf.pointers[pointer.game_id] = pointer
        for subscribers in self._shelf.readers:
            subscribers.wake(pointer.game_id, pointer.version)

    async def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `EventStore.read`."""
        await self.ping()
        commits = self._shelf.logs.get(game_id, [])[after:]
        return list(enumerate(commits[:limit], start=after + 1))

    async def last_version(self, game_id: str) -> int:
        """See `EventStore.last_version`."""
        await self.ping()
        return len(self._shelf.logs.get(game_id, []))

    async def scan(self, game_id: str, after: int = 0, page: int = 500) -> AsyncIterator[Entry]:
        """See `EventStore.scan`."""
        while entries := await self.read(game_id, after, page):
            for entry in entries:
                yield entry
            after += len(entries)

    async def archived(self, game_id: str) -> ArchivedLog | None:  # noqa: ARG002
        """See `EventStore.archived`; whoever has an archive wraps this store."""
        return None

    async def page(self, status: Status | None, cursor: str | None, limit: int) -> Page:
        """See `EventStore.page`."""
        after = place_of(cursor)
        await self.ping()
        places = sorted(
            (
                Place(pointer.created_ms, pointer.game_id)
                for pointer in self._shelf.pointers.values()
                if status in {None, pointer.status}
            ),
            reverse=True,
        )
        rest = [place for place in places if after is None or place < after]
        shown = rest[:limit]
        return Page(
            [(place.game_id, place.created_ms) for place in shown],
            cursor_of(shown[-1]) if shown and len(rest) > limit else None,
        )

    async def games(self, status: Status | None = None) -> AsyncIterator[str]:
        """See `EventStore.games`."""
        cursor: str | None = None
        while True:
            page = await self.page(status, cursor, 500)
            for game_id, _ in page.items:
                yield game_id
            if (cursor := page.next_cursor) is None:
                return

    async def logs(self) -> AsyncIterator[str]:
        """See `EventStore.logs`."""
        await self.ping()
        for game_id in list(self._shelf.logs):
            yield game_id

    async def due(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """See `EventStore.due`."""
        await self.ping()
        due = [
            (pointer.deadline_ms, pointer.game_id)
            for pointer in self._shelf.pointers.values()
            if pointer.deadline_ms is not None and pointer.deadline_ms <= now_ms
        ]
        return [(game_id, deadline) for deadline, game_id in sorted(due)[:limit]]

    def follow(self) -> "MemoryStore":
        """See `EventStore.follow`; the store is its own feed."""
        return self

    def subscribe(self, game_id: str) -> Subscriber:
        """See `Feed.subscribe`."""
        return self._subscribers.join(game_id)

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        await self.ping()
        found = len(self._shelf.logs.get(game_id, []))
        if found not in {0, last}:
            raise Conflict(game_id, last + 1, found)
        self._shelf.logs.pop(game_id, None)

    async def restore(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.restore`."""
        await self.ping()
        found = len(self._shelf.logs.get(pointer.game_id, []))
        if found not in {0, pointer.version}:
            raise Conflict(pointer.game_id, pointer.version, found)
        if not found:
            self._shelf.logs[pointer.game_id] = list(commits)
            self._derive(pointer)

    async def enlist(self, pointer: Pointer) -> None:
        """See `EventStore.enlist`."""
        await self.ping()
        if pointer.game_id not in self._shelf.logs:
            self._shelf.pointers[pointer.game_id] = pointer

    async def reindex(self, pointer_of: Callable[[Sequence[bytes]], Pointer]) -> int:
        """See `EventStore.reindex`."""
        await self.ping()
        logs = {game_id: log for game_id, log in self._shelf.logs.items() if log}
        kept = {g: p for g, p in self._shelf.pointers.items() if g in logs or p.status == "finished"}
        self._shelf.pointers = kept
        for log in logs.values():
            self._derive(pointer_of(log))
        return len(logs)

    async def check(self) -> list[str]:
        """See `EventStore.check`."""
        await self.ping()
        return ["games are kept in memory only and end with this process"]

    async def ping(self) -> None:
        """See `EventStore.ping`; lets others go first, as a store behind a connection would."""
        await asyncio.sleep(0)
        if self._subscribers.closed:
            raise StoreUnavailable("the store is closed")

    async def close(self) -> None:
        """See `EventStore.close`."""
        self._subscribers.close()
        if self._subscribers in self._shelf.readers:
            self._shelf.readers.remove(self._subscribers)
