"""A store in memory that fails on demand: the next calls follow a script, later ones simply work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from meldlog_service.store.event_store import Entry, NotDurable, OutcomeUnknown, Pointer, StoreUnavailable
from meldlog_service.store.memory import MemoryStore, Shelf

Write = Callable[[], Awaitable[None]]
Append = Callable[[Write], Awaitable[None]]
"""What becomes of one append; it is handed what would really store the commit."""


async def works(write: Write) -> None:
    """Nothing goes wrong."""
    await write()


async def lost_before_it_was_stored(write: Write) -> None:
    """The connection breaks on the way there."""
    raise OutcomeUnknown("the answer was lost")


async def lost_after_it_was_stored(write: Write) -> None:
    """The connection breaks on the way back."""
    await write()
    raise OutcomeUnknown("the answer was lost")


async def stored_in_one_place_only(write: Write) -> None:
    """Stored, but the replicas did not confirm."""
    await write()
    raise NotDurable("no replica has it yet")


async def unavailable(write: Write) -> None:
    """The store can't be reached."""
    raise StoreUnavailable("no server")


def after(happening: Callable[[], Awaitable[object]], then: Append = works) -> Append:
    """Something else happens just before."""

    async def append(write: Write) -> None:
        await happening()
        await then(write)

    return append


class Gate:
    """Holds an append up until the test opens it."""

    def __init__(self, then: Append = works) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self._then = then

    async def __call__(self, write: Write) -> None:
        """Wait at the gate."""
        self.reached.set()
        await self.opened.wait()
        await self._then(write)


class ScriptedStore(MemoryStore):
    """Follows its script, call by call, and counts.

    Attributes:
        script: what becomes of the next appends.
        reads_fail: how many of the next reads find no server.
    """

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = shelf or Shelf()
        super().__init__(self.shelf)
        self.script: deque[Append] = deque()
        self.reads_fail = 0
        self.appends = 0
        self.reads = 0

    async def append(self, pointer: Pointer, commit: bytes) -> None:
        """See `EventStore.append`."""
        self.appends += 1
        step = self.script.popleft() if self.script else works
        await step(lambda: super(ScriptedStore, self).append(pointer, commit))

    async def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `EventStore.read`."""
        self.reads += 1
        if self.reads_fail:
            self.reads_fail -= 1
            raise StoreUnavailable("no server")
        return await super().read(game_id, after, limit)

    def log(self, game_id: str = "g1") -> list[bytes]:
        """The lines of a game as they are stored."""
        return self.shelf.logs[game_id]
