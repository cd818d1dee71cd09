"""Archives that are killed in the middle of a move, and finished games to move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from tests.support.games import Game, busy

from meldlog_service.app.envelope import pointer_after
from meldlog_service.core.context import milliseconds
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.objects import Objects
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import EventStore, Pointer
from meldlog_service.store.memory import MemoryStore

STEPS = 8
"""Writes of one move to the archive: the note, the log and its entry, each a draft that is then published; the removal
from the store; and the end of the note."""


@cache
def finished(game_id: str = "g1", seed: int = 5) -> Game:
    """A short game that is over; the same one every time."""
    return (
        Game(seats=2, house_rules={"deal_count": 1}, game_id=game_id).started().play_out(busy(Random(seed)))
    )


def pointers(game: Game) -> list[Pointer]:
    """What was written beside each commit."""
    created = milliseconds(game.commits[0].at)
    return [
        pointer_after(commit.command, table, created)
        for commit, table in zip(game.commits, game.tables[1:], strict=True)
    ]


async def put(store: EventStore, game: Game, lines: Sequence[bytes] | None = None) -> Game:
    """Store a game as it was played."""
    for pointer, line in zip(pointers(game), lines or game.lines, strict=True):
        await store.append(pointer, line)
    return game


class Killed(BaseException):
    """Nothing after this happened: the process is gone."""


class Fate:
    """Counts writes, and does something before the one that is meant.

    Args:
        at: Which write, counted from 1; None for none.
        what: What happens; by default the process is killed.
    """

    def __init__(self, at: int | None, what: Callable[[], None] | None = None) -> None:
        self.writes = 0
        self._at = at
        self._what = what or self._kill

    def comes(self) -> None:
        """Before a write."""
        self.writes += 1
        if self.writes == self._at:
            self._what()

    def _kill(self) -> None:
        raise Killed


class FatefulObjects:
    """`Objects` whose writes are counted; one that is killed may leave half a draft behind."""

    def __init__(self, objects: Objects, fate: Fate) -> None:
        self._objects = objects
        self._fate = fate

    def read(self, name: str) -> bytes | None:
        """See `Objects.read`."""
        return self._objects.read(name)

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        try:
            self._fate.comes()
        except Killed:
            self._objects.draft(data[: len(data) // 2])
            raise
        return self._objects.draft(data)

    def publish(self, draft: str, name: str) -> None:
        """See `Objects.publish`."""
        self._fate.comes()
        self._objects.publish(draft, name)

    def delete(self, name: str) -> None:
        """See `Objects.delete`."""
        self._fate.comes()
        self._objects.delete(name)

    def names(self, folder: str) -> list[str]:
        """See `Objects.names`."""
        return self._objects.names(folder)


class FatefulStore(MemoryStore):
    """A store in memory whose moves are counted as well."""

    fate = Fate(None)

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        self.fate.comes()
        await super().remove(game_id, last)

    async def restore(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.restore`."""
        self.fate.comes()
        await super().restore(pointer, commits)


def with_archive(store: EventStore, objects: Objects, fate: Fate | None = None) -> ArchivedStore:
    """A store and its archive, as one worker has them; with a fate, one that may not live long."""
    if fate is not None:
        objects = FatefulObjects(objects, fate)
        if isinstance(store, FatefulStore):
            store.fate = fate
    return ArchivedStore(store, Archive(objects))


async def log_in(store: EventStore, game_id: str) -> list[bytes]:
    """A whole log, wherever it is."""
    return [line async for _, line in store.scan(game_id)]
