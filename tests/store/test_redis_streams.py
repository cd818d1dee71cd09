"""What only a store behind a connection can get wrong: lost answers, flushed scripts, other servers, rights."""

import asyncio
from hashlib import sha256
from pathlib import Path

import pytest
import redis
from tests.store.games import commit, hear, log_of, neighbours, play, pointer, read_to
from tests.store.opening import opened
from tests.support.proxy import proxy_to
from tests.support.servers import BareServer, eventually

from meldlog_service.store.event_store import (
    BrokenLog,
    OutcomeUnknown,
    StoreUnavailable,
)
from meldlog_service.store.redis_streams import RedisStreams

APPEND = b"EVAL"
"""What every append's request contains, and no other request."""


# The stored log, as it was promised.


async def test_keys_and_entries_are_those_of_the_stored_log(embedded_store_url: str) -> None:
    """Whoever reads the server without us finds what the description of the log says."""
    async with opened(embedded_store_url) as store:
        await store.append(pointer("g", 1, "open", created_ms=7, deadline_ms=9), commit("g", 1))
        await store.append(pointer("g", 2, "playing", created_ms=7), commit("g", 2))
    pp = sha256(b"g").hexdigest()[:2]
    with redis.Redis.from_url(embedded_store_url, protocol=2) as client:
        assert client.execute_command("XRANGE", f"meldlog:{{{pp}}}:game:g", "-", "+") == [
            (b"1-0", {b"commit": commit("g", 1)}),
            (b"2-0", {b"commit": commit("g", 2)}),
        ]
        assert [
            fields for _, fields in client.execute_command("XRANGE", f"meldlog:{{{pp}}}:feed", "-", "+")
        ] == [{b"game_id": b"g", b"version": version, b"type": b"draw"} for version in (b"1", b"2")]
        assert client.zrange(f"meldlog:{{{pp}}}:index:playing", 0, -1, withscores=True) == [(b"g", 7.0)]
        assert sorted(client.keys("*")) == sorted(
            f"meldlog:{{{pp}}}:{name}".encode() for name in ("game:g", "feed", "index:playing")
        )


async def test_a_log_with_a_hole_is_not_read_as_whole(embedded_store_url: str) -> None:
    """A version that somebody deleted is missed."""
    async with opened(embedded_store_url) as store:
        await play(store, "g", 5)
        with redis.Redis.from_url(embedded_store_url) as client:
            client.xdel(f"meldlog:{{{sha256(b'g').hexdigest()[:2]}}}:game:g", "3-0")
        with pytest.raises(BrokenLog, match="version 4 where version 3 belongs"):
            await store.read("g")
        with pytest.raises(BrokenLog):
            await store.read("g", after=2)
        assert [version for version, _ in await store.read("g", after=3)] == [4, 5]


async def test_the_feed_is_trimmed(embedded_store_url: str) -> None:
    """It keeps the last pointers only; the logs keep everything."""
    async with opened(embedded_store_url) as store:
        games = neighbours(10)
        await asyncio.gather(*(play(store, game, 220) for game in games))
        with redis.Redis.from_url(embedded_store_url) as client:
            pp = sha256(games[0].encode()).hexdigest()[:2]
            assert 1_000 <= client.xlen(f"meldlog:{{{pp}}}:feed") < 2_200
        assert [len(await store.read(game)) for game in games] == [220] * 10


# Scripts.


async def test_append_after_script_flush_works(embedded_store_url: str) -> None:
    """A server that forgot the script is told it again, for every append of the batch."""
    async with opened(embedded_store_url) as store:
        await play(store, "g", 1)
        with redis.Redis.from_url(embedded_store_url) as client:
            client.script_flush()
        await asyncio.gather(play(store, "g", 3, after=1), *(play(store, f"h{n}", 2) for n in range(20)))
        assert await store.read("g") == log_of("g", 4)
        assert [await store.read(f"h{n}") for n in range(20)] == [log_of(f"h{n}", 2) for n in range(20)]


async def test_append_works_on_a_server_that_was_started_again(tmp_path: Path) -> None:
    """With a new connection, and the script sent again."""
    with BareServer(tmp_path, {"appendonly": "yes", "appendfsync": "no"}) as server:
        async with opened(server.url) as store:
            await play(store, "g", 2)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await play(store, "g", 2, after=2)
            assert await store.read("g") == log_of("g", 4)


# Connections.


async def test_appends_that_wait_at_the_same_time_go_out_together(embedded_store_url: str) -> None:
    """Group commit: one round trip for all of them."""
    batches: list[int] = []
    store = RedisStreams(embedded_store_url, on_batch=batches.append)
    await asyncio.gather(*(play(store, f"g{n}", 5) for n in range(32)))
    await store.close()
    # The first is sent twice: by its digest, which the server may not know, and in full.
    assert sum(batches) - 32 <= 32 * 5 <= sum(batches)
    assert max(batches) == 32
    assert len(batches) <= 12


async def test_connection_lost_after_sending_is_an_unknown_outcome(socket_of: Path) -> None:
    """Only the answer was lost: everybody in the batch must look, and finds the commit."""
    async with proxy_to(socket_of) as proxy, opened(proxy.url) as store:
        await play(store, "g", 1)
        proxy.cut_at(APPEND, delivered=True)
        results = await asyncio.gather(
            *(
                store.append(pointer(name, version), commit(name, version))
                for name, version in (("g", 2), ("h", 1))
            ),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [OutcomeUnknown, OutcomeUnknown]
        assert await store.read("g") == log_of("g", 2)
        assert await store.read("h") == log_of("h", 1)


async def test_connection_lost_before_the_server_got_it_is_an_unknown_outcome_too(socket_of: Path) -> None:
    """The bytes left this process, so it cannot know that they never arrived, and never sends them again."""
    async with proxy_to(socket_of) as proxy, opened(proxy.url) as store:
        await play(store, "g", 1)
        proxy.cut_at(APPEND, delivered=False)
        with pytest.raises(OutcomeUnknown):
            await play(store, "g", 1, after=1)
        assert await store.last_version("g") == 1
        await play(store, "g", 1, after=1)
        assert await store.read("g") == log_of("g", 2)


async def test_an_overdue_answer_is_an_unknown_outcome(socket_of: Path) -> None:
    """A server that hangs is not waited for beyond the time that an answer may take."""
    async with proxy_to(socket_of) as proxy, opened(proxy.url, answer_seconds=0.2) as store:
        await play(store, "g", 1)
        proxy.hold()
        with pytest.raises(OutcomeUnknown, match=r"no answer within 0\.2 s"):
            await play(store, "g", 1, after=1)
        proxy.release()
        # The server did get it, late: whoever looks at the tail learns that.
        with redis.Redis.from_url(f"unix://{socket_of}") as client:
            await eventually(lambda: client.xlen(f"meldlog:{{{sha256(b'g').hexdigest()[:2]}}}:game:g") == 2)
        assert await store.read("g") == log_of("g", 2)


async def test_a_connection_that_ended_while_idle_is_replaced(socket_of: Path) -> None:
    """A quiet night behind a firewall costs nobody a command."""
    async with proxy_to(socket_of) as proxy, opened(proxy.url) as store:
        await play(store, "g", 1)
        assert await store.last_version("g") == 1
        proxy.cut()
        await asyncio.sleep(0.02)
        await play(store, "g", 1, after=1)
        assert await store.read("g") == log_of("g", 2)


async def test_a_read_survives_a_lost_answer(socket_of: Path) -> None:
    """Reading twice does no harm."""
    async with proxy_to(socket_of) as proxy, opened(proxy.url) as store:
        await play(store, "g", 3)
        proxy.cut_at(b"XRANGE", delivered=True)
        assert await store.read("g") == log_of("g", 3)
        assert proxy.sprung.is_set()


async def test_without_a_server_the_store_is_unavailable(tmp_path: Path) -> None:
    """Soon, for everybody who asks, and nothing was stored."""
    async with opened(f"unix://{tmp_path}/nobody") as store:
        results = await asyncio.gather(
            *(play(store, f"g{n}", 1) for n in range(10)),
            store.read("g0"),
            store.ping(),
            return_exceptions=True,
        )
        assert {type(result) for result in results} == {StoreUnavailable}
        assert "cannot be reached" in str(results[0])


async def test_appends_wait_for_a_server_that_comes_back_at_once(tmp_path: Path) -> None:
    """A short absence, as while the embedded server is started again, is only a delay."""
    server = BareServer(tmp_path)
    async with opened(server.url) as store:
        waiting = asyncio.gather(*(play(store, f"g{n}", 1) for n in range(5)), store.last_version("g0"))
        await asyncio.sleep(0)
        await asyncio.to_thread(server.start)
        try:
            await waiting
        finally:
            server.kill()


async def test_a_server_that_is_not_one_is_unavailable() -> None:
    """Something else listens at the address."""

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with opened(f"redis://127.0.0.1:{port}") as store:
        with pytest.raises(StoreUnavailable):
            await play(store, "g", 1)
    listener.close()
    await listener.wait_closed()


# The feed.


async def test_news_written_while_the_feed_was_lost_are_not_missed(socket_of: Path) -> None:
    """After every new connection everybody looks."""
    async with (
        proxy_to(socket_of) as proxy,
        opened(proxy.url) as reader,
        opened(f"unix://{socket_of}") as writer,
    ):
        with reader.follow().subscribe("g") as news:
            for version in range(1, 6):
                follower = asyncio.create_task(read_to(reader, news, "g", version))
                await asyncio.sleep(0)
                proxy.cut()
                await play(writer, "g", 1, after=version - 1)
                assert await follower == list(range(1, version + 1))


async def test_a_flood_of_news_wakes_everybody(socket_of: Path) -> None:
    """More news than are taken at a time, or than a feed keeps, may hide some: so all must look."""
    loud, quiet = neighbours(2)
    url = f"unix://{socket_of}"
    async with opened(url) as store:
        with store.follow().subscribe(quiet) as news:
            await hear(news)
            with redis.Redis.from_url(url) as client, client.pipeline() as together:
                for version in range(3_000):
                    fields = {"game_id": loud, "version": version, "type": "draw"}
                    together.xadd(f"meldlog:{{{sha256(loud.encode()).hexdigest()[:2]}}}:feed", fields)
                together.execute()
            assert await hear(news) == 0


async def test_the_news_tell_the_version(socket_of: Path) -> None:
    """So a reader who has it already need not look."""
    async with opened(f"unix://{socket_of}") as reader, opened(f"unix://{socket_of}") as writer:
        with reader.follow().subscribe("g") as news:
            assert await hear(news) == 0
            await play(writer, "g", 1)
            assert await hear(news) == 1
