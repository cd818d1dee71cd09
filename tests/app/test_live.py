"""Following a game: every version, in order, once."""

import asyncio
from contextlib import aclosing

import pytest
from tests.app.scripted import ScriptedStore
from tests.app.staging import ENDLESS, creation, handler_on, others_go_on, seated, started, step

from meldlog_contracts.table import Table
from meldlog_service.app.handler import Handler
from meldlog_service.app.live import PAGE, Live
from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.memory import MemoryStore


async def followed(live: Live, after: int, until: int, game_id: str = "g1") -> list[int]:
    """The versions given from `after` on, up to `until`."""
    versions: list[int] = []
    async with aclosing(live.versions(game_id, after)) as commits:
        async for commit in commits:
            versions.append(commit.version)
            if commit.version == until:
                break
    return versions


async def test_what_is_there_is_given_first_and_then_what_comes(handler: Handler) -> None:
    """Without a gap at the seam, for everybody who follows, from wherever they begin."""
    live = Live(handler)
    table = await started(handler)
    followers = [
        asyncio.create_task(followed(live, after, table.version + 10)) for after in (0, 3, table.version)
    ]
    for _ in range(10):
        table = await step(handler, table)

    assert [await follower for follower in followers] == [
        list(range(after + 1, table.version + 1)) for after in (0, 3, table.version - 10)
    ]


async def test_what_another_worker_writes_is_given_as_well(store: ScriptedStore) -> None:
    """The feed wakes every process."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    follower = asyncio.create_task(followed(Live(here), table.version, table.version + 2))
    await asyncio.sleep(0)

    await step(there, await step(there, table))

    assert await follower == [table.version + 1, table.version + 2]


async def test_whoever_is_far_behind_is_given_page_after_page(handler: Handler) -> None:
    """Versions beyond a page follow on."""
    table = await started(handler, creation(house_rules=ENDLESS))
    while table.version < 2 * PAGE + 5:
        table = await step(handler, table)

    assert await followed(Live(handler), 0, table.version) == list(range(1, table.version + 1))


async def test_a_slow_follower_misses_nothing(handler: Handler) -> None:
    """Many versions come while it is busy with one."""
    live = Live(handler)
    table = await started(handler)
    seen: list[int] = []
    async with aclosing(live.versions("g1", table.version)) as commits:
        first = asyncio.ensure_future(anext(commits))
        for _ in range(3):
            table = await step(handler, table)
        seen.append((await first).version)
        for _ in range(3):
            table = await step(handler, table)
        seen += [(await anext(commits)).version for _ in range(5)]

    assert seen == list(range(table.version - 5, table.version + 1))


async def test_closing_ends_every_stream_orderly(handler: Handler) -> None:
    """No error, nothing lost: those who wait are let go."""
    live = Live(handler)
    table = await seated(handler, creation())
    followers = [
        asyncio.create_task(drained(live, table)),
        asyncio.create_task(drained(live, table)),
    ]
    await others_go_on()

    live.close()

    assert await asyncio.gather(*followers) == [[1, 2, 3, 4]] * 2
    assert await drained(live, table) == [1, 2, 3, 4]


async def drained(live: Live, table: Table) -> list[int]:
    """Everything until the stream ends."""
    return [commit.version async for commit in live.versions(table.game_id, 0)]


async def test_a_follower_who_goes_away_is_cancelled_and_leaves_nothing(handler: Handler) -> None:
    """A cancelled stream does not look like one that ended."""
    live = Live(handler)
    await seated(handler, creation())
    follower = asyncio.create_task(followed(live, 0, 100))
    await others_go_on()

    follower.cancel()

    with pytest.raises(asyncio.CancelledError):
        await follower
    assert not live._waiting


async def test_a_store_that_is_gone_ends_the_stream_with_an_error(
    handler: Handler, store: ScriptedStore
) -> None:
    """Whoever follows comes again with the last version it was given."""
    live = Live(handler)
    table = await seated(handler, creation())
    follower = asyncio.create_task(followed(live, table.version, 100))
    await others_go_on()

    await store.close()

    with pytest.raises(StoreUnavailable):
        await follower
