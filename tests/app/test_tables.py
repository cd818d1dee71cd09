"""The cache: bounded, shared by those who ask at once, and never anything but a shortcut."""

import asyncio

from tests.app.scripted import Gate, ScriptedStore
from tests.app.staging import ENDLESS, creation, handler_on, on_turn, simple_move, started, step

from meldlog_service.app.handler import Handler
from meldlog_service.app.tables import Entry, Tables


def test_the_least_recently_used_goes_first() -> None:
    """Looking at an entry uses it, peeking does not."""
    counts: list[int] = []
    tables = Tables(2, counts.append)
    for game_id in "ab":
        tables.put(Entry(game_id))
    assert tables.get("a") is not None
    assert tables.peek("b") is not None

    tables.put(Entry("c"))

    assert [tables.peek(game_id) is not None for game_id in "abc"] == [True, False, True]
    assert (len(tables), counts[-1]) == (2, 2)
    tables.drop("a")
    tables.drop("a")
    assert counts[-1] == 1


def test_an_entry_in_use_is_not_thrown_out() -> None:
    """The bound is exceeded for that moment; the next one put makes good for it."""
    tables = Tables(1)
    busy = tables.put(Entry("a"))
    busy.busy = True
    tables.put(Entry("b"))
    assert (tables.peek("a"), len(tables)) == (busy, 2)

    busy.busy = False
    tables.put(Entry("c"))

    assert [tables.peek(game_id) is not None for game_id in "abc"] == [False, False, True]


def test_a_game_keeps_the_entry_it_has() -> None:
    """Of two readings of one game the first put counts."""
    tables = Tables(2)
    first = tables.put(Entry("a"))
    assert tables.put(Entry("a")) is first


async def test_games_that_were_thrown_out_are_read_again(store: ScriptedStore) -> None:
    """With room for one table, three games are played in turns."""
    handler = handler_on(store, cache_tables=1)
    games = {game_id: await started(handler, creation(game_id)) for game_id in ("a", "b", "c")}
    for _ in range(6):
        for game_id, table in games.items():
            games[game_id] = await step(handler, table)

    assert [(await handler.table(game_id)) for game_id in games] == list(games.values())


async def test_a_game_thrown_out_in_the_middle_of_a_command_suffers_nothing(store: ScriptedStore) -> None:
    """Its append is under way while others want the room, and a repeat of it arrives."""
    handler = handler_on(store, cache_tables=1)
    table = await started(handler, creation("a"))
    gate = Gate()
    store.script.append(gate)
    first = asyncio.create_task(handler.submit("a", simple_move(table), on_turn(table), command_id="k"))
    await gate.reached.wait()

    await started(handler, creation("b"))
    handler._tables.drop("a")  # as if there had been no other way
    repeat = asyncio.create_task(handler.submit("a", simple_move(table), on_turn(table), command_id="k"))
    await asyncio.sleep(0)
    gate.opened.set()

    versions = {(await task).version for task in (first, repeat)}
    assert versions == {table.version + 1}
    assert len(store.log("a")) == table.version + 1


async def test_many_who_ask_for_an_uncached_game_share_one_reading(store: ScriptedStore) -> None:
    """A hundred at once cost one fold; whoever came later compares with the end of the log."""
    table = await started(handler_on(store))
    handler = handler_on(store, worker=1)
    store.reads = 0
    folds = 0
    fold = handler._reader._fold

    async def counted(game_id: str, until: int | None = None) -> Entry:
        nonlocal folds
        folds += 1
        return await fold(game_id, until)

    handler._reader._fold = counted  # type: ignore[method-assign]

    tables = await asyncio.gather(*(handler.table("g1") for _ in range(100)))

    assert folds == 1
    assert all(one == table for one in tables)


async def test_whoever_shares_a_reading_is_not_given_an_older_table(store: ScriptedStore) -> None:
    """The game went on after the reading began, and before the second asked."""
    here = handler_on(store)
    table = await started(here)
    there_store = ScriptedStore(store.shelf)
    there = handler_on(there_store, worker=1)
    scanned, go_on = asyncio.Event(), asyncio.Event()
    fold = there._reader._fold

    async def slow(game_id: str, until: int | None = None) -> Entry:
        entry = await fold(game_id, until)
        scanned.set()
        await go_on.wait()
        return entry

    there._reader._fold = slow  # type: ignore[method-assign]
    first = asyncio.create_task(there.table("g1"))
    await scanned.wait()
    newer = await step(here, table)
    second = asyncio.create_task(there.table("g1"))
    await asyncio.sleep(0)
    go_on.set()

    assert (await second) == newer
    assert (await first).version in (table.version, newer.version)


async def test_somebody_who_stops_waiting_for_a_reading_does_not_stop_it_for_others(
    store: ScriptedStore,
) -> None:
    """The first who asked goes away; the second is given the table."""
    table = await started(handler_on(store))
    handler = handler_on(store, worker=1)
    first = asyncio.create_task(handler.table("g1"))
    second = asyncio.create_task(handler.table("g1"))
    await asyncio.sleep(0)

    first.cancel()

    assert await second == table


async def test_a_long_game_costs_a_command_no_more_than_a_short_one(
    handler: Handler, store: ScriptedStore
) -> None:
    """After hundreds of commits a command still is one append, and what is remembered has a bound."""
    table = await started(handler, creation(house_rules=ENDLESS))
    store.reads = store.appends = 0
    most = 0
    for _ in range(900):
        table = await step(handler, table)
        entry = handler._tables.peek("g1")
        assert entry is not None
        most = max(most, len(entry.keys))

    assert (store.reads, store.appends) == (0, 900)
    assert table.deal.number > 3
    assert most < 700
