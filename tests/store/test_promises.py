"""What every store promises; each test runs on each kind of store."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from tests.store.games import DAY_ONE, commit, hear, log_of, neighbours, play, pointer, read_to
from tests.store.opening import OpenStore

from meldlog_service.store.event_store import (
    STATUSES,
    Conflict,
    EventStore,
    Feed,
    InvalidCursor,
    Pointer,
    Status,
    StoreUnavailable,
)


async def test_a_store_keeps_to_the_protocol(store: EventStore) -> None:
    """Nothing of the protocol is missing."""
    assert isinstance(store, EventStore)
    assert isinstance(store.follow(), Feed)


# The log.


async def test_an_append_at_the_next_version_is_kept(store: EventStore) -> None:
    """What was appended is read again, byte for byte and in order."""
    await play(store, "g", 3)
    assert await store.read("g") == log_of("g", 3)


async def test_a_commit_may_hold_any_bytes(store: EventStore) -> None:
    """A store does not look into what it keeps."""
    odd = bytes(range(256)) + "♠♥".encode()
    await store.append(pointer("g", 1), odd)
    assert await store.read("g") == [(1, odd)]


async def test_a_game_id_may_hold_any_characters(store: EventStore) -> None:
    """An id is opaque, even one that looks like a part of a key."""
    names = ["{00}:game:x", "رامى", "a b\r\n*?[", "x" * 200]
    for name in names:
        await play(store, name, 2)
    assert [await store.read(name) for name in names] == [log_of(name, 2) for name in names]
    assert {game async for game in store.games()} == set(names)


async def test_a_gap_is_refused(store: EventStore) -> None:
    """A version whose predecessor is missing is not taken, and the store says how far it is."""
    await play(store, "g", 2)
    with pytest.raises(Conflict) as conflict:
        await store.append(pointer("g", 4), commit("g", 4))
    assert conflict.value.last == 2
    assert await store.read("g") == log_of("g", 2)


async def test_a_gap_at_the_start_of_a_game_is_refused(store: EventStore) -> None:
    """A store that lost a whole game does not take its end."""
    with pytest.raises(Conflict) as conflict:
        await store.append(pointer("g", 7), commit("g", 7))
    assert conflict.value.last == 0
    assert await store.last_version("g") == 0


async def test_a_log_can_begin_with_a_past(store: EventStore) -> None:
    """All of it is there at once, with its place in the index and on the clock, and it goes on like any other."""
    commits = [commit("g", version) for version in range(1, 1201)]
    await store.adopt(pointer("g", 1200, "playing", deadline_ms=5), commits)
    assert [line async for _, line in store.scan("g")] == commits
    assert [game async for game in store.games("playing")] == ["g"]
    assert await store.due(100, 10) == [("g", 5)]
    await store.append(pointer("g", 1201), commit("g", 1201))
    assert await store.last_version("g") == 1201


async def test_a_log_that_is_there_is_not_begun_with_another_past(store: EventStore) -> None:
    """Neither over it nor behind it, however long either is."""
    await play(store, "g", 3)
    for versions in (1, 3, 4, 7):
        with pytest.raises(Conflict) as conflict:
            await store.adopt(pointer("g", versions), [b"other"] * versions)
        assert conflict.value.last == 3
    assert await store.read("g") == log_of("g", 3)


async def test_a_log_is_begun_with_a_past_once(open_store: OpenStore) -> None:
    """Of many who try it at the same time one does."""
    stores = [open_store() for _ in range(3)]
    tries = (stores[n % 3].adopt(pointer("g", 5), [b"from %d" % n] * 5) for n in range(12))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(result) for result in results if result is not None] == [Conflict] * 11
    assert await stores[0].last_version("g") == 5


async def test_whoever_waits_for_a_game_hears_of_its_past(store: EventStore) -> None:
    """The feed tells the last version."""
    with store.follow().subscribe("g") as news:
        await store.adopt(pointer("g", 3), [commit("g", version) for version in (1, 2, 3)])
        assert await asyncio.wait_for(news.changed(), 10) in (0, 3)


async def test_an_old_version_is_refused_and_says_what_is_last(store: EventStore) -> None:
    """Whoever comes late learns where the log ends."""
    await play(store, "g", 3)
    with pytest.raises(Conflict) as conflict:
        await store.append(pointer("g", 2), b"other")
    assert conflict.value.last == 3
    assert await store.read("g") == log_of("g", 3)


async def test_a_refused_append_changes_nothing_beside_the_log(store: EventStore) -> None:
    """Index and clock stay as the last commit left them."""
    await store.append(pointer("g", 1, "open", deadline_ms=5), commit("g", 1))
    with pytest.raises(Conflict):
        await store.append(pointer("g", 1, "finished", deadline_ms=99), b"other")
    assert [game async for game in store.games("open")] == ["g"]
    assert [game async for game in store.games("finished")] == []
    assert await store.due(100, 10) == [("g", 5)]


async def test_of_a_hundred_concurrent_appends_for_one_version_exactly_one_wins(
    open_store: OpenStore,
) -> None:
    """However many workers decide at the same time, one of them is first."""
    await play(open_store(), "g", 1)
    workers = [open_store() for _ in range(4)]
    results = await asyncio.gather(
        *(workers[n % 4].append(pointer("g", 2), b"from %d" % n) for n in range(100)), return_exceptions=True
    )
    winners = [n for n, result in enumerate(results) if result is None]
    assert len(winners) == 1
    assert [error.last for error in results if isinstance(error, Conflict)] == [2] * 99
    assert await workers[0].read("g", after=1) == [(2, b"from %d" % winners[0])]


async def test_a_conflict_in_a_batch_touches_nobody_else(store: EventStore) -> None:
    """Appends that go out together are judged one by one."""
    await play(store, "busy", 1)
    results = await asyncio.gather(
        *(store.append(pointer(f"g{n}", 1), commit(f"g{n}", 1)) for n in range(20)),
        store.append(pointer("busy", 1), b"late"),
        store.append(pointer("busy", 9), b"early"),
        *(store.append(pointer(f"h{n}", 1), commit(f"h{n}", 1)) for n in range(20)),
        return_exceptions=True,
    )
    conflicts = [result for result in results if result is not None]
    assert [type(conflict) for conflict in conflicts] == [Conflict, Conflict]
    for name in [f"g{n}" for n in range(20)] + [f"h{n}" for n in range(20)]:
        assert await store.read(name) == log_of(name, 1)


async def test_many_games_grow_at_the_same_time(store: EventStore) -> None:
    """Every game has its own versions, whoever else appends."""
    await asyncio.gather(*(play(store, f"g{n}", 20) for n in range(32)))
    for n in range(32):
        assert await store.read(f"g{n}") == log_of(f"g{n}", 20)


async def test_a_caller_who_goes_away_disturbs_nobody(store: EventStore) -> None:
    """A cancelled append may be stored or not; the others of its batch are."""
    gone = asyncio.create_task(store.append(pointer("gone", 1), commit("gone", 1)))
    stays = asyncio.create_task(store.append(pointer("stays", 1), commit("stays", 1)))
    await asyncio.sleep(0)
    gone.cancel()
    await stays
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert await store.read("stays") == log_of("stays", 1)
    assert await store.read("gone") in ([], log_of("gone", 1))


# Reading.


async def test_a_game_that_is_not_there_reads_as_an_empty_log(store: EventStore) -> None:
    """Nothing is not an error."""
    assert await store.read("nobody") == []
    assert await store.last_version("nobody") == 0
    assert [entry async for entry in store.scan("nobody")] == []


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [
        (0, None, [1, 2, 3, 4, 5]),
        (2, None, [3, 4, 5]),
        (0, 2, [1, 2]),
        (3, 1, [4]),
        (4, 9, [5]),
        (5, None, []),
        (9, 3, []),
    ],
)
async def test_a_log_is_read_from_after_a_version(
    store: EventStore, after: int, limit: int | None, expected: list[int]
) -> None:
    """What was seen already is not read again, and no more than was asked for."""
    await play(store, "g", 5)
    assert [version for version, _ in await store.read("g", after, limit)] == expected


async def test_a_long_log_is_scanned_in_pages(store: EventStore) -> None:
    """Page by page comes the same as at once, also with a page that is just full."""
    await play(store, "g", 10)
    for page in (1, 3, 5, 10, 11):
        assert [entry async for entry in store.scan("g", page=page)] == log_of("g", 10)
    assert [entry async for entry in store.scan("g", after=8, page=5)] == log_of("g", 10)[8:]


async def test_the_last_version_is_known(store: EventStore) -> None:
    """Without reading the log."""
    await play(store, "g", 4)
    assert await store.last_version("g") == 4


async def test_what_one_store_wrote_another_reads(open_store: OpenStore) -> None:
    """All workers see the same logs."""
    writer, reader = open_store(), open_store()
    await play(writer, "g", 2)
    assert await reader.read("g") == log_of("g", 2)
    await play(reader, "g", 1, after=2)
    assert await writer.last_version("g") == 3


async def test_a_log_kept_elsewhere_can_be_removed_and_stays_in_the_index(store: EventStore) -> None:
    """An archived game is still listed."""
    await play(store, "g", 2)
    await store.append(pointer("g", 3, "finished"), commit("g", 3))
    await store.remove("g", 3)
    assert await store.read("g") == []
    await store.remove("g", 3)
    assert [game async for game in store.games("finished")] == ["g"]


async def test_a_log_that_has_grown_is_not_removed(store: EventStore) -> None:
    """What is not in the archive yet stays."""
    await play(store, "g", 3)
    with pytest.raises(Conflict) as conflict:
        await store.remove("g", 2)
    assert conflict.value.last == 3
    assert await store.read("g") == log_of("g", 3)


async def test_a_log_kept_elsewhere_is_not_begun_anew(store: EventStore) -> None:
    """Whoever takes its id for a new game is told that there is one."""
    await store.append(pointer("g", 1, "finished"), commit("g", 1))
    await store.remove("g", 1)
    with pytest.raises(Conflict):
        await store.append(pointer("g", 1), b"another game")
    assert await store.read("g") == []
    assert [game async for game in store.games()] == ["g"]


async def test_a_log_is_restored_whole_and_in_its_place_in_the_index(open_store: OpenStore) -> None:
    """Byte for byte, for every worker; also where the index does not know the game any more."""
    store, other = open_store(), open_store()
    await store.restore(pointer("g", 3, "finished", DAY_ONE), [line for _, line in log_of("g", 3)])
    assert await other.read("g") == log_of("g", 3)
    assert (await other.page("finished", None, 10)).items == [("g", DAY_ONE)]
    with pytest.raises(Conflict):
        await other.append(pointer("g", 3, "finished"), b"late")


async def test_a_log_that_is_there_is_not_restored(store: EventStore) -> None:
    """One of the same length is taken to be the same; one of another is nobody's to replace."""
    await play(store, "g", 2)
    await store.restore(pointer("g", 2, "finished"), [b"x", b"y"])
    assert await store.read("g") == log_of("g", 2)
    with pytest.raises(Conflict) as conflict:
        await store.restore(pointer("g", 3, "finished"), [b"x", b"y", b"z"])
    assert conflict.value.last == 2
    assert await store.read("g") == log_of("g", 2)


async def test_a_game_whose_log_is_elsewhere_can_be_listed(store: EventStore) -> None:
    """One that has a log here stays where that says."""
    await play(store, "here", 1)
    for name in ("here", "elsewhere"):
        await store.enlist(pointer(name, 9, "finished", DAY_ONE))
    assert [game async for game in store.games("finished")] == ["elsewhere"]
    assert await store.read("elsewhere") == []
    assert sorted([game async for game in store.games()]) == ["elsewhere", "here"]


async def test_every_log_is_found_without_the_index(store: EventStore) -> None:
    """Those that were taken away are not."""
    for name in ("a", "b", "{00}:game:c"):
        await play(store, name, 2)
    await store.remove("a", 2)
    assert sorted([game async for game in store.logs()]) == ["b", "{00}:game:c"]
    assert await store.archived("b") is None


# The index.


async def test_the_index_lists_newest_first_and_every_game_once_across_pages(store: EventStore) -> None:
    """Pages of any size join to the same list, also where games were created in the same millisecond."""
    created = {f"g{n}": DAY_ONE + n // 3 for n in range(60)}
    await asyncio.gather(
        *(store.append(pointer(name, 1, "open", ms), commit(name, 1)) for name, ms in created.items())
    )
    expected = sorted(((ms, name) for name, ms in created.items()), reverse=True)
    for limit in (1, 7, 60, 100):
        listed: list[tuple[str, int]] = []
        cursor: str | None = None
        while True:
            page = await store.page("open", cursor, limit)
            assert len(page.items) <= limit
            listed += page.items
            if (cursor := page.next_cursor) is None:
                break
        assert [(ms, name) for name, ms in listed] == expected


async def test_many_games_of_one_partition_and_millisecond_are_listed(store: EventStore) -> None:
    """Games that were imported together do not hide one another."""
    games = neighbours(30)
    for name in games:
        await store.append(pointer(name, 1, "open"), commit(name, 1))
    assert [game async for game in store.games()] == sorted(games, reverse=True)
    first = await store.page("open", None, 3)
    second = await store.page("open", first.next_cursor, 4)
    assert [name for name, _ in first.items + second.items] == sorted(games, reverse=True)[:7]


async def test_a_cursor_stays_where_it_is_when_newer_games_come(store: EventStore) -> None:
    """Reading on never repeats what was read."""
    for n in range(6):
        await store.append(pointer(f"g{n}", 1, "open", DAY_ONE + n), commit(f"g{n}", 1))
    first = await store.page("open", None, 2)
    await store.append(pointer("new", 1, "open", DAY_ONE + 99), commit("new", 1))
    second = await store.page("open", first.next_cursor, 9)
    assert [name for name, _ in first.items + second.items] == ["g5", "g4", "g3", "g2", "g1", "g0"]


async def test_a_game_stands_in_the_index_under_its_status_only(store: EventStore) -> None:
    """A game moves on as its commits say."""
    seen = []
    lives: tuple[Status, ...] = ("open", "playing", "playing", "finished")
    for version, status in enumerate(lives, 1):
        await store.append(pointer("g", version, status), commit("g", version))
        seen.append([each for each in STATUSES if [game async for game in store.games(each)]])
    assert seen == [["open"], ["playing"], ["playing"], ["finished"]]
    assert [game async for game in store.games()] == ["g"]


async def test_an_empty_index_is_an_empty_page(store: EventStore) -> None:
    """There is no next page after nothing."""
    page = await store.page(None, None, 10)
    assert (page.items, page.next_cursor) == ([], None)


@pytest.mark.parametrize("cursor", ["", "x", "12", "12.", ".g", "-1.g", "1e3.g", "9" * 40 + ".g", "١.g"])
async def test_a_cursor_that_no_page_gave_out_is_refused(store: EventStore, cursor: str) -> None:
    """A made-up cursor is the caller's mistake, not a page."""
    with pytest.raises(InvalidCursor):
        await store.page("open", cursor, 10)


# The clock.


async def test_the_clock_lists_what_is_due_the_longest_overdue_first(store: EventStore) -> None:
    """A deadline counts from its own millisecond on."""
    for name, deadline in {"later": 300, "first": 100, "exact": 200, "never": None}.items():
        await store.append(pointer(name, 1, deadline_ms=deadline), commit(name, 1))
    assert await store.due(99, 10) == []
    assert await store.due(200, 10) == [("first", 100), ("exact", 200)]
    assert await store.due(999, 2) == [("first", 100), ("exact", 200)]
    assert await store.due(999, 10) == [("first", 100), ("exact", 200), ("later", 300)]


async def test_a_commit_without_a_deadline_takes_the_game_off_the_clock(store: EventStore) -> None:
    """And one with another deadline moves it."""
    await store.append(pointer("g", 1, deadline_ms=100), commit("g", 1))
    await store.append(pointer("g", 2, deadline_ms=500), commit("g", 2))
    assert await store.due(400, 10) == []
    assert await store.due(500, 10) == [("g", 500)]
    await store.append(pointer("g", 3), commit("g", 3))
    assert await store.due(999, 10) == []


# The feed.


async def test_a_reader_who_subscribed_hears_of_what_another_store_object_wrote(
    open_store: OpenStore,
) -> None:
    """News cross from worker to worker."""
    reader, writer = open_store(), open_store()
    with reader.follow().subscribe("g") as news:
        follower = asyncio.create_task(read_to(reader, news, "g", 50))
        await play(writer, "g", 50)
        assert await follower == list(range(1, 51))


async def test_a_reader_hears_of_what_the_same_store_object_wrote(store: EventStore) -> None:
    """With the version, once it is known."""
    with store.follow().subscribe("g") as news:
        await play(store, "g", 1)
        while await hear(news) == 0:
            await play(store, "g", 1, after=await store.last_version("g"))
        assert await store.last_version("g") >= 1


async def test_nothing_is_missed_between_reading_and_waiting(open_store: OpenStore) -> None:
    """What is written while a reader reads wakes it at its next wait."""
    reader, writer = open_store(), open_store()
    with reader.follow().subscribe("g") as news:
        for version in range(1, 20):
            assert len(await reader.read("g")) == version - 1
            await play(writer, "g", 1, after=version - 1)
            while await reader.last_version("g") < version:
                await hear(news)
            await hear(news)


async def test_many_readers_of_many_games_are_all_woken(open_store: OpenStore) -> None:
    """Several readers of one game, and games of all partitions."""
    reader, writer = open_store(), open_store()
    games = [f"g{n}" for n in range(40)]
    feed = reader.follow()
    subscriptions = [(name, feed.subscribe(name)) for name in games for _ in range(2)]
    followers = [asyncio.create_task(read_to(reader, news, name, 5)) for name, news in subscriptions]
    await asyncio.gather(*(play(writer, name, 5) for name in games))
    assert await asyncio.gather(*followers) == [[1, 2, 3, 4, 5]] * 80
    for _, news in subscriptions:
        news.close()


async def test_a_subscription_that_was_left_hears_nothing(open_store: OpenStore) -> None:
    """And another one of the same game goes on."""
    reader, writer = open_store(), open_store()
    left, stays = reader.follow().subscribe("g"), reader.follow().subscribe("g")
    await play(writer, "g", 1)
    await read_to(reader, stays, "g", 1)
    left.close()
    left.close()
    await play(writer, "g", 1, after=1)
    assert await read_to(reader, stays, "g", 2) == [1, 2]
    stays.close()


async def test_a_reader_can_come_back_after_all_have_left(open_store: OpenStore) -> None:
    """The feed is taken up again, with nothing missed."""
    reader, writer = open_store(), open_store()
    for round_ in range(3):
        with reader.follow().subscribe("g") as news:
            follower = asyncio.create_task(read_to(reader, news, "g", (round_ + 1) * 2))
            await play(writer, "g", 2, after=round_ * 2)
            await follower


async def test_whoever_waits_hears_that_the_store_is_closed(store: EventStore) -> None:
    """Nobody waits for ever."""
    news = store.follow().subscribe("g")

    async def wait() -> None:
        while True:
            await hear(news)

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(StoreUnavailable):
        await waiting


# Keeping house.


def pointer_of(commits: Sequence[bytes]) -> Pointer:
    """What the app derives from a log: here, always a finished game with a deadline."""
    last = msgspec.json.decode(commits[-1])
    return Pointer(last["for"], last["version"], "draw", "finished", DAY_ONE + 7, 70)


async def test_reindex_makes_index_and_clock_again_from_the_logs(open_store: OpenStore) -> None:
    """What is derived follows the logs, whatever it said before."""
    store, other = open_store(), open_store()
    for n in range(5):
        await play(store, f"g{n}", n + 1)
    with other.follow().subscribe("g3") as news:
        assert await store.reindex(pointer_of) == 5
        await hear(news)
    page = await store.page("finished", None, 10)
    assert sorted(page.items) == [(f"g{n}", DAY_ONE + 7) for n in range(5)]
    assert (await store.page("playing", None, 10)).items == []
    assert sorted(await store.due(70, 10)) == [(f"g{n}", 70) for n in range(5)]
    assert [await store.read(f"g{n}") for n in range(5)] == [log_of(f"g{n}", n + 1) for n in range(5)]


async def test_a_store_answers_a_ping(store: EventStore) -> None:
    """While it can be used."""
    await store.ping()


async def test_a_closed_store_is_unavailable(store: EventStore) -> None:
    """For writing and for reading, at once."""
    await play(store, "g", 1)
    await store.close()
    with pytest.raises(StoreUnavailable):
        await play(store, "g", 1, after=1)
    with pytest.raises(StoreUnavailable):
        await store.read("g")
    await store.close()
