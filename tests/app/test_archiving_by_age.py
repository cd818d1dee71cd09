"""The service archives by itself what is old enough, and ends what was interrupted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.app.archived import assert_is_there_once
from tests.app.staging import Clock
from tests.support.archives import (
    Fate,
    FatefulStore,
    Killed,
    finished,
    log_in,
    put,
    with_archive,
)
from tests.support.games import START_MS, Game
from tests.support.servers import eventually

from meldlog_service.app.archiving import Archiver
from meldlog_service.core.context import milliseconds
from meldlog_service.metrics import Metrics
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.objects import ArchiveUnavailable
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.memory import MemoryStore, Shelf

DAY_MS = 86_400_000


@pytest.fixture
def store(shelf: Shelf, folder: Folder) -> ArchivedStore:
    """A store with an archive, both empty."""
    return with_archive(MemoryStore(shelf), folder)


def ended_ms(game: Game) -> int:
    """When a game ended."""
    return milliseconds(game.commits[-1].at)


async def test_games_are_archived_when_they_are_old_enough(store: ArchivedStore, shelf: Shelf) -> None:
    """From the end of the game, and not from its beginning."""
    game = await put(store, finished())
    clock = Clock()
    archiver = Archiver(store, clock)
    clock.ms = ended_ms(game) + DAY_MS - 1
    assert await archiver.look(DAY_MS) == 0
    clock.ms += 1
    assert await archiver.look(DAY_MS) == 1
    assert shelf.logs == {}
    assert await archiver.look(DAY_MS) == 0


async def test_a_game_that_is_not_over_never_gets_old_enough(store: ArchivedStore, shelf: Shelf) -> None:
    """Whatever its index says."""
    await put(store, Game(seats=2).started())
    shelf.pointers["g1"] = replace(shelf.pointers["g1"], status="finished")
    assert await Archiver(store, lambda: START_MS + 999 * DAY_MS).look(0) == 0
    assert list(shelf.logs) == ["g1"]


async def test_a_restored_game_gets_old_again(store: ArchivedStore, shelf: Shelf) -> None:
    """Whoever wanted it back has it for as long as the age says."""
    game = await put(store, finished())
    clock = Clock()
    clock.ms = ended_ms(game) + 9 * DAY_MS
    archiver = Archiver(store, clock)
    assert await archiver.look(DAY_MS) == 1
    await archiver.restore("g1")
    clock.ms += DAY_MS - 1
    assert await archiver.look(DAY_MS) == 0
    assert list(shelf.logs) == ["g1"]
    clock.ms += 1
    assert await archiver.look(DAY_MS) == 1


async def test_what_is_wrong_with_one_game_is_told_once_and_the_others_are_archived(
    store: ArchivedStore, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator hears of it, and not every ten minutes."""
    for n in range(3):
        await put(store, finished(f"g{n}"))
    shelf.logs["g1"][3] = shelf.logs["g1"][3].replace(b'"at":"20', b'"at":"21')
    metrics = Metrics({})
    archiver = Archiver(store, metrics=metrics)
    with caplog.at_level(logging.ERROR):
        assert await archiver.look(0) == 2
        assert await archiver.look(0) == 0
    assert list(shelf.logs) == ["g1"]
    (told,) = caplog.messages
    assert "g1" in told
    assert b'meldlog_archive_moves_total{outcome="archived"} 2.0' in metrics.exposition()
    assert b'meldlog_archive_moves_total{outcome="failed"} 1.0' in metrics.exposition()


async def test_the_service_archives_by_itself_and_waits_for_an_archive_that_is_away(
    shelf: Shelf, folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told in the log, and tried again."""
    game = await put(MemoryStore(shelf), finished())
    tries = 0

    def away() -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise ArchiveUnavailable("the archive is away")

    store = with_archive(MemoryStore(shelf), Reluctant(folder, away))
    work = asyncio.create_task(Archiver(store).run(0, every=0.01, soon=0))
    await eventually(lambda: not shelf.logs)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    assert caplog.messages.count("games cannot be archived now: the archive is away") == 2
    await assert_is_there_once(store, game)


class Reluctant(Folder):
    """An archive that is not always there."""

    def __init__(self, folder: Folder, before: Callable[[], None]) -> None:
        super().__init__(folder._path)
        self._before = before

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        self._before()
        return super().draft(data)


async def test_without_an_age_only_what_was_interrupted_is_finished(shelf: Shelf, folder: Folder) -> None:
    """Then the service is done with it."""
    await put(MemoryStore(shelf), finished("g1"))
    await put(MemoryStore(shelf), finished("g2"))
    with pytest.raises(Killed):
        await Archiver(with_archive(FatefulStore(shelf), folder, Fate(7))).archive("g1")
    async with asyncio.timeout(10):
        await Archiver(with_archive(MemoryStore(shelf), folder)).run(None, soon=0)
    assert list(shelf.logs) == ["g2"]


async def test_a_game_is_played_while_the_archive_is_away(shelf: Shelf) -> None:
    """Only who asks for a game that the store does not have hears of it."""
    store = with_archive(MemoryStore(shelf), Away())
    game = await put(store, finished())
    assert await log_in(store, "g1") == game.lines
    with pytest.raises(StoreUnavailable):
        await store.read("g2")


class Away:
    """An archive that is not there."""

    def read(self, name: str) -> bytes:
        """See `Objects.read`."""
        raise ArchiveUnavailable(f"{name} cannot be reached")

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        raise ArchiveUnavailable(f"{len(data)} bytes cannot be written")

    def publish(self, draft: str, name: str) -> None:
        """See `Objects.publish`."""
        raise ArchiveUnavailable(f"{draft} cannot become {name}")

    def delete(self, name: str) -> None:
        """See `Objects.delete`."""
        raise ArchiveUnavailable(f"{name} cannot be deleted")

    def names(self, folder: str) -> list[str]:
        """See `Objects.names`."""
        raise ArchiveUnavailable(f"{folder} cannot be listed")
