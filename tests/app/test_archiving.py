"""Finished games move to the archive and back, and are read as before; nothing is written to them there."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace
from tests.app.archived import assert_is_there_once, listed
from tests.app.staging import handler_on
from tests.support.archives import (
    finished,
    log_in,
    pointers,
    put,
    with_archive,
)
from tests.support.games import Game

from meldlog_contracts.commands import CreateGame, Resign, TakeSeat
from meldlog_service.app.archiving import Archiver
from meldlog_service.app.errors import GameArchived, GameExists, KeyReused, NoSuchGame, NotFinished, Stale
from meldlog_service.app.handler import Handler
from meldlog_service.app.summaries import summary
from meldlog_service.core.context import milliseconds
from meldlog_service.core.evolve import Corrupt
from meldlog_service.store.archive import names
from meldlog_service.store.archive.archive import DamagedArchive, OtherLog
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import BrokenLog, Conflict
from meldlog_service.store.memory import MemoryStore, Shelf

DAY_MS = 86_400_000


@pytest.fixture
def store(shelf: Shelf, folder: Folder) -> ArchivedStore:
    """A store with an archive, both empty."""
    return with_archive(MemoryStore(shelf), folder)


@pytest.fixture
def handler(store: ArchivedStore) -> Handler:
    """One worker on it."""
    return handler_on(store)


def ended_ms(game: Game) -> int:
    """When a game ended."""
    return milliseconds(game.commits[-1].at)


# A game in the archive.


async def test_an_archived_game_leaves_the_store_and_is_read_as_before(
    store: ArchivedStore, shelf: Shelf, handler: Handler
) -> None:
    """Whoever reads sees no difference, and the store has no byte of its log."""
    game = await put(store, finished())
    moved = await Archiver(store).archive("g1")
    assert not moved.already
    assert shelf.logs == {}
    await assert_is_there_once(store, game)
    assert await handler.table("g1") == game.table
    for version in (1, game.version // 2, game.version):
        assert await handler.table("g1", version) == game.tables[version]
    assert await handler.commits("g1", 3, 2) == game.commits[3:5]


async def test_the_index_tells_what_was_archived(store: ArchivedStore) -> None:
    """Without the log being opened."""
    game = await put(store, finished())
    entry = (await Archiver(store, now_ms=lambda: 77).archive("g1")).entry
    assert (entry.version, entry.head, entry.archived_ms) == (game.version, game.commits[-1].hash, 77)
    assert (entry.created_ms, entry.ended_ms) == (milliseconds(game.commits[0].at), ended_ms(game))
    assert entry.log_bytes == sum(len(line) + 1 for line in game.lines)


async def test_to_archive_a_game_again_does_nothing(store: ArchivedStore) -> None:
    """It is where it should be."""
    await put(store, finished())
    first = await Archiver(store).archive("g1")
    again = await Archiver(store).archive("g1")
    assert (again.already, again.entry) == (True, first.entry)


async def test_a_list_reads_no_log_of_an_archived_game(store: ArchivedStore, folder: Folder) -> None:
    """Its entry says what a list shows, also where the game was folded before."""
    game = await put(store, finished())
    knows, knows_not = handler_on(store), handler_on(with_archive(store.live, folder))
    await knows.table("g1")
    await Archiver(store).archive("g1")
    folder.delete(names.log_name("g1"))
    for handler in (knows, knows_not):
        assert await summary(handler, "g1") == listed(game)


# What is not archived.


async def test_a_game_that_is_not_over_is_not_archived(store: ArchivedStore) -> None:
    """It stays where it is played."""
    game = Game(seats=2).started()
    await put(store, game)
    with pytest.raises(NotFinished):
        await Archiver(store).archive("g1")
    assert await log_in(store.live, "g1") == game.lines
    assert await store.archive.entry("g1") is None


async def test_a_game_that_there_is_not_is_told(store: ArchivedStore) -> None:
    """In both directions."""
    for move in (Archiver(store).archive, Archiver(store).restore):
        with pytest.raises(NoSuchGame):
            await move("nobody")


def _changed(lines: Sequence[bytes], version: int, old: bytes, new: bytes) -> list[bytes]:
    changed = list(lines)
    assert old in changed[version - 1]
    changed[version - 1] = changed[version - 1].replace(old, new, 1)
    return changed


@pytest.mark.parametrize("version", [1, 4, -1])
async def test_a_log_that_was_changed_is_not_archived(
    store: ArchivedStore, shelf: Shelf, version: int
) -> None:
    """Not where its chain is broken, however good its end looks; it stays for whoever looks into it."""
    game = await put(store, finished())
    number = version if version > 0 else game.version
    lines = _changed(game.lines, number, b'"at":"20', b'"at":"21')
    shelf.logs["g1"] = lines
    with pytest.raises(Corrupt, match=f"version {number}"):
        await Archiver(store).archive("g1")
    assert shelf.logs["g1"] == lines
    assert await store.archive.entry("g1") is None


async def test_a_log_whose_seal_is_broken_is_not_archived(store: ArchivedStore, shelf: Shelf) -> None:
    """The chain covers the seals and not what is in them."""
    game = await put(store, finished())
    version = next(n for n, line in enumerate(game.lines, 1) if b'"salt":"' in line and n > 1)
    salt = game.lines[version - 1].split(b'"salt":"')[1][:1]
    lines = _changed(game.lines, version, b'"salt":"' + salt, b'"salt":"' + (b"0" if salt != b"0" else b"1"))
    shelf.logs["g1"] = lines
    with pytest.raises(Corrupt, match="not what was sealed"):
        await Archiver(store).archive("g1")
    assert shelf.logs["g1"] == lines


async def test_a_log_under_another_games_name_is_not_archived(store: ArchivedStore, shelf: Shelf) -> None:
    """It would be read as that game for ever."""
    shelf.logs["g2"] = list(finished().lines)
    with pytest.raises(Corrupt):
        await Archiver(store).archive("g2")


async def test_a_log_that_differs_from_the_archived_one_stays_beside_it(
    store: ArchivedStore, shelf: Shelf
) -> None:
    """Which of them is right is not for the service to say."""
    game = await put(store, finished())
    await Archiver(store).archive("g1")
    other = finished("g1", seed=6)
    shelf.logs["g1"] = list(other.lines)
    assert other.lines != game.lines
    with pytest.raises(OtherLog):
        await Archiver(store).archive("g1")
    assert shelf.logs["g1"] == other.lines
    entry = await store.archive.entry("g1", fresh=True)
    assert entry is not None
    assert await store.archive.log(entry, fresh=True) == game.lines


# Writing to a game in the archive.


async def test_a_command_to_an_archived_game_is_refused(store: ArchivedStore) -> None:
    """By a worker that has just read it, by one that knew it before, and by one that knows only its beginning."""
    game = finished()
    behind = handler_on(store)
    for pointer, line in zip(pointers(game)[:-1], game.lines[:-1], strict=True):
        await store.append(pointer, line)
    await behind.table("g1")
    await store.append(pointers(game)[-1], game.lines[-1])
    knew = handler_on(store)
    await knew.table("g1")
    await Archiver(store).archive("g1")
    for handler in (handler_on(store), knew, behind):
        with pytest.raises(GameArchived) as refused:
            await handler.submit("g1", Resign(seat=0), "operator")
        assert refused.value.version == game.version
        with pytest.raises(GameArchived):
            await handler.submit("g1", Resign(seat=0), "operator", dry_run=True)
        with pytest.raises(GameArchived):
            await handler.submit("g1", TakeSeat(0, "late", token_hash="t" * 64), "seat:0")
    assert await log_in(store, "g1") == game.lines


async def test_a_command_for_another_version_is_told_that_first(
    store: ArchivedStore, handler: Handler
) -> None:
    """As for every game."""
    game = await put(store, finished())
    await Archiver(store).archive("g1")
    with pytest.raises(Stale) as stale:
        await handler.submit("g1", Resign(seat=0), "operator", if_match=3)
    assert stale.value.version == game.version


async def test_a_retry_of_the_last_deals_commands_is_answered_from_the_archive(
    store: ArchivedStore, handler: Handler
) -> None:
    """A key is good for as long as its deal is the last one, wherever the log is."""
    game = await put(store, finished())
    await Archiver(store).archive("g1")
    last = game.commits[-1]
    again = await handler.submit("g1", last.command, last.by, command_id=last.command_id)
    assert (again.version, again.events, again.replayed) == (last.version, last.events, True)
    with pytest.raises(KeyReused):
        await handler.submit("g1", Resign(), last.by, command_id=last.command_id)


async def test_the_id_of_an_archived_game_is_not_given_again(store: ArchivedStore, handler: Handler) -> None:
    """There would be two logs of one name."""
    await put(store, finished())
    await Archiver(store).archive("g1")
    with pytest.raises(GameExists):
        await handler.create(CreateGame("g1", "crazy-rummy", 2, "h" * 64))
    assert await log_in(store, "g1") == finished().lines


# Back into the store.


async def test_a_restored_game_is_byte_for_byte_what_it_was(store: ArchivedStore, shelf: Shelf) -> None:
    """And is the store's again: a command is judged, and refused by the rules."""
    game = await put(store, finished())
    before = dict(shelf.pointers)
    await Archiver(store).archive("g1")
    moved = await Archiver(store).restore("g1")
    assert not moved.already
    assert shelf.logs == {"g1": game.lines}
    assert shelf.pointers == before
    await assert_is_there_once(store, game)
    assert await store.archived("g1") is None
    assert (await Archiver(store).restore("g1")).already


async def test_a_restored_game_can_be_archived_again(store: ArchivedStore, shelf: Shelf) -> None:
    """Any number of times."""
    game = await put(store, finished())
    for _ in range(3):
        await Archiver(store).archive("g1")
        assert shelf.logs == {}
        await assert_is_there_once(store, game)
        await Archiver(store).restore("g1")
        await assert_is_there_once(store, game)


async def test_a_store_that_lost_a_restored_game_has_lost_nothing(store: ArchivedStore, shelf: Shelf) -> None:
    """The archive keeps its copy."""
    game = await put(store, finished())
    await Archiver(store).archive("g1")
    await Archiver(store).restore("g1")
    del shelf.logs["g1"]
    await assert_is_there_once(store, game)


async def test_what_is_damaged_in_the_archive_is_not_restored(
    store: ArchivedStore, shelf: Shelf, folder: Folder
) -> None:
    """Nothing is written; the store stays without it."""
    await put(store, finished())
    await Archiver(store).archive("g1")
    folder.publish(folder.draft(b"something"), names.log_name("g1"))
    with pytest.raises(DamagedArchive):
        await Archiver(store).restore("g1")
    assert shelf.logs == {}


async def test_another_log_in_the_store_is_not_replaced(store: ArchivedStore, shelf: Shelf) -> None:
    """Restoring adds, and never takes away."""
    await put(store, finished())
    await Archiver(store).archive("g1")
    shelf.logs["g1"] = [b"something"]
    with pytest.raises(Conflict):
        await Archiver(store).restore("g1")
    assert shelf.logs["g1"] == [b"something"]


async def test_a_store_that_was_lost_lists_the_archived_games_again(folder: Folder) -> None:
    """The archive's index knows them, in their order."""
    games = [finished(f"g{n}") for n in range(3)]
    old = with_archive(MemoryStore(), folder)
    for game in games:
        await put(old, game)
        await Archiver(old).archive(game.table.game_id)
    before = await old.page("finished", None, 10)
    new = with_archive(MemoryStore(), folder)
    assert await log_in(new, "g1") == games[1].lines
    assert (await new.page("finished", None, 10)).items == []
    faults: list[BrokenLog] = []
    assert await Archiver(new).enlist(faults.append) == 3
    assert faults == []
    assert await new.page("finished", None, 10) == before


async def test_an_entry_of_an_earlier_release_still_lists_its_game(
    store: ArchivedStore, handler: Handler
) -> None:
    """What a summary says is kept for as long as archives are: these bytes never change.

    When a game was last played is told by the entry itself.
    """
    game = await put(store, finished())
    entry = (await Archiver(store).archive("g1")).entry
    kept = (
        b'{"game_id":"g1","version":9,"status":"finished","variant":"crazy-rummy","options":["press"],'
        b'"seats":[{"seat":0,"name":"Ann","kind":"player"},{"seat":1,"name":"Bob","kind":"bot"}],"listed":true,'
        b'"turn_seconds":null,"created_at":"2025-11-29T21:00:01.000Z","deal":1,"of":1,"totals":[0,12],"winners":[0]}'
    )
    await store.archive._put_entry(replace(entry, summary=msgspec.Raw(kept)))
    found = await summary(handler, "g1")
    assert found is not None
    assert msgspec.json.encode(found) == kept[:-1] + b',"updated_at":"' + game.commits[-1].at.encode() + b'"}'
