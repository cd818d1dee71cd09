"""Clocks: whoever lets the time run out is played for, once, and nobody else is."""

import asyncio
import logging
import random
from collections.abc import Sequence
from contextlib import suppress

import pytest
from tests.app.scripted import ScriptedStore, after, unavailable
from tests.app.staging import Clock, creation, handler_on, on_turn, simple_move, started, step
from tests.support.games import installed

from meldlog_contracts.commands import Batch
from meldlog_contracts.table import Table
from meldlog_service.app.audit import audit
from meldlog_service.app.clocks import AT_A_TIME, Clocks
from meldlog_service.app.handler import Handler
from meldlog_service.bots import STRATEGIES, Move
from meldlog_service.catalogue import Catalogue
from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.memory import MemoryStore


@pytest.fixture
def clocks(handler: Handler, clock: Clock) -> Clocks:
    """The clocks of the worker."""
    return Clocks(handler, now_ms=clock)


async def test_nobody_is_played_for_in_time(handler: Handler, clocks: Clocks, clock: Clock) -> None:
    """Up to the last millisecond; and in a game without a clock never."""
    table = await started(handler, creation(turn_seconds=30))
    await started(handler, creation("g2"))
    clock.ms += 29_999

    assert await clocks.tick() == 0
    assert await handler.table("g1") == table


async def test_a_turn_that_is_overdue_is_played_to_its_end(
    handler: Handler, clocks: Clocks, clock: Clock
) -> None:
    """By the service, for the seat; then the next player's time begins, and the audit agrees."""
    table = await step(handler, await started(handler, creation(turn_seconds=30)))
    seat = table.deal.turn.seat
    clock.ms += 30_000

    given = await clocks.tick()

    commits = await handler.commits("g1", after=table.version)
    assert len(commits) == given >= 2
    assert {commit.by for commit in commits} == {"service"}
    assert all(commit.command.seat == seat for commit in commits)  # type: ignore[union-attr]
    newest = await handler.table("g1")
    assert newest.deal.turn.seat != seat
    assert await clocks.tick() == 0
    assert (await audit(handler, "g1")).verdict == "agrees"


class InLists:
    """A bot whose every move is a list, as openings are."""

    name = "lists"

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        move = STRATEGIES["plain"].choose(table, seat, moves, rng)
        return move if isinstance(move, Batch) else Batch((move,))


async def test_lists_of_commands_name_the_seat_as_well(handler: Handler, clock: Clock) -> None:
    """Whoever acts for another says for whom, in every command of a list."""
    table = await started(handler, creation(turn_seconds=30))
    clock.ms += 30_000

    await Clocks(handler, now_ms=clock, strategy=InLists()).tick()

    (commit, *_) = await handler.commits("g1", after=table.version)
    assert isinstance(commit.command, Batch)
    assert [one.seat for one in commit.command.commands] == [table.deal.turn.seat]


async def test_a_turn_is_played_on_from_where_its_player_left_it(
    handler: Handler, clocks: Clocks, clock: Clock
) -> None:
    """Who has drawn only discards."""
    table = await step(handler, await step(handler, await started(handler, creation(turn_seconds=30))))
    assert table.deal.turn.phase == "play"
    clock.ms += 30_000

    await clocks.tick()

    assert "draw" not in [
        type(commit.command).__name__.lower() for commit in await handler.commits("g1", after=table.version)
    ]
    assert on_turn(await handler.table("g1")) != on_turn(table)


async def test_a_game_that_everybody_left_comes_to_its_end(
    handler: Handler, clocks: Clocks, clock: Clock
) -> None:
    """Turn after turn, by the clock alone."""
    await started(handler, creation(turn_seconds=1, house_rules={"deal_count": 1}))
    while (await handler.look("g1")).status == "playing":
        clock.ms += 1_000
        assert await clocks.tick()

    assert await clocks.tick() == 0


async def test_workers_that_all_look_play_a_turn_once(store: ScriptedStore, clock: Clock) -> None:
    """Three clocks at the same moment: one turn is played."""
    handlers = [handler_on(MemoryStore(store.shelf), worker=worker, clock=clock) for worker in range(3)]
    table = await step(handlers[0], await started(handlers[0], creation(turn_seconds=30)))
    clock.ms += 30_000

    await asyncio.gather(*(Clocks(handler, now_ms=clock).tick() for handler in handlers))

    newest = await handlers[0].table("g1")
    assert newest.deal.turns == table.deal.turns + 1
    assert (await audit(handlers[0], "g1")).verdict == "agrees"


async def test_a_player_who_moves_at_the_last_moment_is_not_played_over(
    store: ScriptedStore, clock: Clock
) -> None:
    """The move arrives between the clock's look and its command."""
    here = handler_on(store, clock=clock)
    there = handler_on(MemoryStore(store.shelf), worker=1, clock=clock)
    table = await started(here, creation(turn_seconds=30))
    clock.ms += 30_000
    store.script.append(after(lambda: there.submit("g1", simple_move(table), on_turn(table))))

    assert await Clocks(here, now_ms=clock).tick() == 0

    (commit,) = await here.commits("g1", after=table.version)
    assert commit.by == on_turn(table)


async def test_more_overdue_games_than_are_taken_up_together_all_get_their_turn(
    handler: Handler, clocks: Clocks, clock: Clock
) -> None:
    """One look goes on until nothing is overdue."""
    count = AT_A_TIME + 5
    for number in range(count):
        await started(handler_on(handler.store, clock=clock), creation(f"g{number}", turn_seconds=30))
    clock.ms += 30_000

    assert await clocks.tick() >= count
    assert await handler.store.due(clock.ms, 1000) == []


async def test_a_game_that_cannot_be_played_on_does_not_stand_in_the_way(
    store: ScriptedStore, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """It is passed over for a while, and tried again later."""
    await started(handler_on(store, clock=clock), creation(turn_seconds=30))
    clock.ms += 30_000
    bare = Handler(MemoryStore(store.shelf), Catalogue([]), cache_tables=10, now_ms=clock)
    clocks = Clocks(bare, now_ms=clock)

    with caplog.at_level(logging.ERROR):
        assert [await clocks.tick() for _ in range(3)] == [0, 0, 0]
    assert len(caplog.records) == 1

    bare.catalogue = installed()
    bare._writer._catalogue = installed()
    assert await clocks.tick() == 0
    clock.ms += 30_001
    assert await clocks.tick() > 0


async def test_a_deadline_that_only_the_clock_knows_is_passed_over(
    handler: Handler, store: ScriptedStore, clocks: Clocks, clock: Clock
) -> None:
    """What is derived from the log may be wrong; the log decides."""
    table = await started(handler, creation(turn_seconds=30))
    old = store.shelf.pointers["g1"]
    clock.ms += 29_000
    await step(handler, table)
    store.shelf.pointers["g1"] = old
    clock.ms += 1_500

    assert [await clocks.tick(), await clocks.tick()] == [0, 0]


async def test_games_that_are_gone_are_passed_over(
    handler: Handler, store: ScriptedStore, clocks: Clocks, clock: Clock
) -> None:
    """A pointer may outlive its log."""
    await started(handler, creation(turn_seconds=30))
    del store.shelf.logs["g1"]
    clock.ms += 30_000

    assert [await clocks.tick(), await clocks.tick()] == [0, 0]


async def test_clocks_get_over_a_store_that_fails(
    handler: Handler, store: ScriptedStore, clocks: Clocks, clock: Clock
) -> None:
    """The next look finds the same games."""
    table = await started(handler, creation(turn_seconds=30))
    clock.ms += 30_000
    store.script.append(unavailable)

    assert await clocks.tick() == 0
    assert await clocks.tick() > 0
    assert (await handler.table("g1")).version > table.version


async def test_clocks_run_until_they_are_stopped(
    handler: Handler, store: ScriptedStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also through a time in which the deadlines can't be read."""
    table = await started(handler, creation(turn_seconds=30))
    clock.ms += 30_000
    due = store.due
    failures = 1

    async def failing(now_ms: int, limit: int) -> list[tuple[str, int]]:
        nonlocal failures
        if failures:
            failures -= 1
            raise StoreUnavailable("no server")
        return await due(now_ms, limit)

    monkeypatch.setattr(store, "due", failing)
    running = asyncio.create_task(Clocks(handler, now_ms=clock, every=0.001).run())
    with store.follow().subscribe("g1") as news:
        while (await handler.look("g1")).version == table.version:
            await news.changed()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert failures == 0
