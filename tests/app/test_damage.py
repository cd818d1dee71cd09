"""Stores that have lost something, and logs that are damaged: never shown as they were, never written to."""

import msgspec
import pytest
from tests.app.scripted import (
    ScriptedStore,
)
from tests.app.staging import (
    assert_is_a_log,
    creation,
    handler_on,
    on_turn,
    seated,
    simple_move,
    sit,
    started,
    step,
)

from meldlog_contracts.commands import TakeSeat
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import Handler
from meldlog_service.core.evolve import Corrupt
from meldlog_service.store.event_store import BrokenLog, Entry
from meldlog_service.store.memory import MemoryStore


async def test_a_cache_that_is_ahead_of_the_store_is_read_anew(
    handler: Handler, store: ScriptedStore
) -> None:
    """After a fail-over the last commits are gone: what the cache knew of them counts for nothing."""
    tables = [await started(handler)]
    for _ in range(4):
        tables.append(await step(handler, tables[-1]))
    del store.log()[tables[1].version :]

    answer = await handler.submit("g1", simple_move(tables[1]), on_turn(tables[1]))

    assert answer.version == tables[1].version + 1
    assert_is_a_log(store, handler)


async def test_a_table_that_the_store_has_lost_is_not_shown(handler: Handler, store: ScriptedStore) -> None:
    """Reading compares the cached version with the log's."""
    tables = [await started(handler)]
    for _ in range(3):
        tables.append(await step(handler, tables[-1]))
    del store.log()[tables[1].version :]

    assert await handler.table("g1") == tables[1]


async def test_a_log_that_went_another_way_is_read_anew(store: ScriptedStore) -> None:
    """After the loss another worker wrote the same versions differently."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    await sit(here, "g1", 0)
    del store.log()[1:]
    await sit(there, "g1", 2)

    table = await here.table("g1")

    assert [seat.name for seat in table.seats] == [None, None, "player 2"]
    await sit(here, "g1", 1)
    assert_is_a_log(store, here)


async def test_a_key_that_the_store_has_lost_is_new_again(handler: Handler, store: ScriptedStore) -> None:
    """The commit is gone, so the retry has its effect after all."""
    table = await started(handler)
    command, by = simple_move(table), on_turn(table)
    await handler.submit("g1", command, by, command_id="k")
    del store.log()[table.version :]

    again = await handler.submit("g1", command, by, command_id="k")

    assert (again.version, again.replayed) == (table.version + 1, False)
    assert_is_a_log(store, handler)


async def test_a_game_that_was_taken_away_is_gone(handler: Handler, store: ScriptedStore) -> None:
    """A cached table is no game."""
    table = await started(handler)
    await store.remove("g1", table.version)

    with pytest.raises(NoSuchGame):
        await handler.table("g1")
    with pytest.raises(NoSuchGame):
        await handler.submit("g1", simple_move(table), on_turn(table))


async def test_a_key_that_the_log_gives_to_somebody_else_is_not_theirs(store: ScriptedStore) -> None:
    """The version that the cache remembers for a key was lost and is another command's now."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    await here.submit("g1", TakeSeat(0, "ann"), "seat:0", command_id="k")
    del store.log()[1:]
    await sit(there, "g1", 2)

    again = await here.submit("g1", TakeSeat(0, "ann"), "seat:0", command_id="k")

    assert (again.version, again.replayed) == (3, False)
    assert_is_a_log(store, here)


def altered(line: bytes, **members: object) -> bytes:
    """A stored commit with some members changed."""
    return msgspec.json.encode({**msgspec.json.decode(line), **members}, order="sorted")


async def test_a_damaged_log_is_reported_and_never_written_to(store: ScriptedStore) -> None:
    """A line that cannot be read, a wrong hash, a wrong link, a gap, an event that does not fit."""
    table = await started(handler_on(store))
    good = list(store.log())
    stranger = altered(good[2], events=[{"type": "seat_taken", "seat": 7, "name": "x", "kind": "player"}])
    for damaged in (
        [*good[:2], b"{}", *good[3:]],
        [*good[:2], altered(good[2], at="2000-01-01T00:00:00.000Z"), *good[3:]],
        [*good[:2], altered(good[2], prev="0" * 64), *good[3:]],
        [*good[:2], *good[3:]],
        [*good[:2], stranger, *good[3:]],
        [altered(good[0], prev="0" * 64), *good[1:]],
    ):
        store.shelf.logs["g1"] = list(damaged)
        handler = handler_on(store, worker=1)
        for _ in range(2):
            with pytest.raises(Corrupt):
                await handler.table("g1")
            with pytest.raises(Corrupt):
                await handler.submit("g1", simple_move(table), on_turn(table))
        assert store.log() == damaged


async def test_damage_after_the_cached_version_is_reported_as_well(store: ScriptedStore) -> None:
    """What is cached does not hide it."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    await step(here, table)
    store.log()[-1] = altered(store.log()[-1], command_id="other")

    for _ in range(2):
        with pytest.raises(Corrupt):
            await there.table("g1")
    with pytest.raises(Corrupt):
        await there.submit("g1", simple_move(table), on_turn(table))


async def test_a_log_under_a_wrong_name_is_reported(handler: Handler, store: ScriptedStore) -> None:
    """A stream that holds another game's log would be continued with a wrong chain."""
    await seated(handler, creation())
    store.shelf.logs["g2"] = list(store.log())

    with pytest.raises(Corrupt):
        await handler.table("g2")


async def test_a_log_with_a_gap_is_reported_however_it_is_read(
    handler: Handler, store: ScriptedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store sees the gap before anybody decodes what lies around it."""
    table = await started(handler)

    async def read(game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        raise BrokenLog(game_id, 3, 4)

    monkeypatch.setattr(store, "read", read)

    with pytest.raises(Corrupt, match="has version 4 where version 3 belongs"):
        await handler.commits("g1")
    with pytest.raises(Corrupt):
        [commit async for commit in handler.scan("g1")]
    with pytest.raises(Corrupt):
        await handler.submit("g1", TakeSeat(0, "ann"), "seat:0")
    assert handler._tables.peek("g1") is None
    assert table.version == 5
