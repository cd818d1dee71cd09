"""A move may be killed anywhere, and two may do it at once: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import asyncio

import pytest
from tests.app.archived import assert_is_there_once
from tests.support.archives import STEPS, Fate, FatefulStore, Killed, finished, put, with_archive

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive import names
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.event_store import Conflict
from meldlog_service.store.memory import MemoryStore, Shelf

# Killed, at every write there is.


@pytest.mark.parametrize("at", range(1, STEPS + 2))
async def test_a_killed_move_loses_and_doubles_nothing_and_is_finished_later(
    shelf: Shelf, folder: Folder, at: int
) -> None:
    """Killed before any of its writes, in the middle of a file too; whoever comes next finds it and ends it."""
    game = await put(MemoryStore(shelf), finished())
    fate = Fate(at)
    mortal = Archiver(with_archive(FatefulStore(shelf), folder, fate))
    if at <= STEPS:
        with pytest.raises(Killed):
            await mortal.archive("g1")
    else:
        await mortal.archive("g1")
    assert fate.writes == min(at, STEPS)

    store = with_archive(MemoryStore(shelf), folder)
    await assert_is_there_once(store, game)
    archiver = Archiver(store)
    begun = 2 < at <= STEPS  # the note is there as soon as it was published
    assert await archiver.interrupted() == (["g1"] if begun else [])
    assert await archiver.look(None) == begun
    await assert_is_there_once(store, game)
    assert await archiver.interrupted() == []
    assert ("g1" in shelf.logs) == (at <= 2)
    await archiver.archive("g1")
    assert shelf.logs == {}
    await assert_is_there_once(store, game)


@pytest.mark.parametrize("at", range(1, 6))
async def test_a_killed_return_loses_and_doubles_nothing(shelf: Shelf, folder: Folder, at: int) -> None:
    """It is there before, meanwhile and after; and stays where it was brought, once it was."""
    store = with_archive(MemoryStore(shelf), folder)
    game = await put(store, finished())
    await Archiver(store).archive("g1")
    mortal = Archiver(with_archive(FatefulStore(shelf), folder, Fate(at)))
    if at < 5:
        with pytest.raises(Killed):
            await mortal.restore("g1")
    else:
        await mortal.restore("g1")
    await assert_is_there_once(with_archive(MemoryStore(shelf), folder), game)
    await Archiver(store).restore("g1")
    assert shelf.logs == {"g1": game.lines}
    assert await Archiver(store).look(None) == 0
    assert shelf.logs == {"g1": game.lines}


# Two at the same time.


@pytest.mark.parametrize("at", range(1, STEPS + 1))
async def test_two_who_archive_one_game_disturb_nobody(shelf: Shelf, folder: Folder, at: int) -> None:
    """Before any write of the one, the other does everything."""
    game = await put(MemoryStore(shelf), finished())

    def other() -> None:
        """In a thread of its own, since it is called in the midst of a write."""
        asyncio.run(Archiver(with_archive(MemoryStore(shelf), folder)).archive("g1"))

    first = Archiver(with_archive(ThreadedStore(shelf), folder, Fate(at, other)))
    assert not (await first.archive("g1")).already
    store = with_archive(MemoryStore(shelf), folder)
    await assert_is_there_once(store, game)
    assert shelf.logs == {}
    assert await store.archive.moves() == []
    assert folder.names(names.DRAFTS) == []


class ThreadedStore(FatefulStore):
    """What comes before a removal may run an event loop of its own."""

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        await asyncio.to_thread(self.fate.comes)
        await MemoryStore.remove(self, game_id, last)


async def test_many_who_archive_many_games_move_each_once(shelf: Shelf, folder: Folder) -> None:
    """All of them at once, as workers that start together."""
    games = [await put(MemoryStore(shelf), finished(f"g{n}")) for n in range(6)]
    workers = [Archiver(with_archive(MemoryStore(shelf), folder)) for _ in range(3)]
    await asyncio.gather(*(worker.look(0) for worker in workers))
    store = with_archive(MemoryStore(shelf), folder)
    for game in games:
        await assert_is_there_once(store, game)
    assert shelf.logs == {}
    assert await store.archive.moves() == []


async def test_a_log_that_has_grown_meanwhile_stays(shelf: Shelf, folder: Folder) -> None:
    """It is not taken away, whatever the archive has; the store is asked first."""
    game = await put(MemoryStore(shelf), finished())
    grow = Fate(7, lambda: shelf.logs["g1"].append(b"more"))
    with pytest.raises(Conflict):
        await Archiver(with_archive(FatefulStore(shelf), folder, grow)).archive("g1")
    assert shelf.logs["g1"] == [*game.lines, b"more"]
