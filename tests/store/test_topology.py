"""Where the servers are: what URLs mean, clusters whose slots move, sentinels whose primary changes, TLS."""

import asyncio
import ssl
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.store.games import log_of, play, read_to
from tests.store.opening import empty, opened
from tests.support.servers import BareServer, eventually

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams import RedisStreams
from meldlog_service.store.redis_streams.address import Address, address_of
from meldlog_service.store.redis_streams.keys import partition_of
from meldlog_service.store.redis_streams.topology import SLOTS

# URLs.


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://localhost", Address(host="localhost", port=6379)),
        ("redis://h:7/3", Address(host="h", port=7, db=3)),
        ("redis://h?db=3", Address(host="h", db=3)),
        ("redis://u:p%40%2F@[::1]:7", Address(host="::1", port=7, username="u", password="p@/")),
        ("redis://:only@h/", Address(host="h", password="only")),
        ("redis://h?username=u&password=p%26q", Address(host="h", username="u", password="p&q")),
        ("unix:///run/a%20b.sock", Address(path="/run/a b.sock")),
        ("unix://u:p@/s?db=2", Address(path="/s", username="u", password="p", db=2)),
    ],
)
def test_a_url_says_where_a_server_is(url: str, address: Address) -> None:
    """And who we are there."""
    assert address_of(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://localhost",
        "redis://",
        "redis://h/first",
        "redis://h:port",
        "redis://h?sslmode=off",
        "rediss://h?ssl_ca_certs=/nowhere.pem",
        "unix://",
        "redis+ring://localhost",
        "unix+cluster:///tmp/x",
        "redis+cluster://",
        "redis+cluster://a,,b",
        "redis+sentinel://localhost:26379",
        "redis+sentinel://localhost:26379/",
        "redis+sentinel://:26379/service",
    ],
)
def test_a_url_in_no_known_form_is_refused(url: str) -> None:
    """At once, before anything is connected."""
    with pytest.raises(ValueError, match=r"URL|Port"):
        RedisStreams(url)


@pytest.mark.parametrize("form", ["redis://u:{}@127.0.0.1:1", "redis+cluster://:{}@127.0.0.1:1"])
async def test_a_password_is_never_told(form: str) -> None:
    """Neither by an address nor by the fault of a connection."""
    assert "pass1234" not in repr(address_of("redis://u:pass1234@h"))
    async with opened(form.format("pass1234")) as store:
        with pytest.raises(StoreUnavailable) as fault:
            await store.ping()
    assert "127.0.0.1:1" in str(fault.value)
    assert "pass1234" not in str(fault.value)


# A cluster.


def nodes_of(cluster_url: str) -> list[Any]:
    """A client for each node."""
    places = cluster_url.removeprefix("redis+cluster://").split(",")
    return [redis.Redis.from_url(f"redis://{place}", decode_responses=True) for place in places]


async def test_games_are_spread_over_the_nodes_of_a_cluster(cluster_url: str) -> None:
    """Each partition lives in one slot."""
    empty(cluster_url)
    async with opened(cluster_url) as store:
        await asyncio.gather(*(play(store, f"g{n}", 3) for n in range(32)))
        sizes = []
        for client in nodes_of(cluster_url):
            with client:
                sizes.append(client.dbsize())
        assert min(sizes) > 0
        assert await store.check() == [
            "The server keeps no append-only file: games are lost when it restarts. Set appendonly to yes."
        ]


async def test_a_slot_that_moved_is_found_again(cluster_url: str) -> None:
    """For appends, reads and news; nobody hears of the move."""
    empty(cluster_url)
    slot = SLOTS[partition_of("g")]
    with ExitStack() as stack:
        clients = [stack.enter_context(client) for client in nodes_of(cluster_url)]
        ids = [client.execute_command("CLUSTER", "MYID") for client in clients]
        home = next(n for n, c in enumerate(clients) if slot in range(n * 8192, (n + 1) * 8192))

        def move(to: int) -> None:
            for client in (clients[to], clients[1 - to]):
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[to])

        async with opened(cluster_url) as store, opened(cluster_url) as reader:
            with reader.follow().subscribe("g") as news:
                assert await store.last_version("g") == 0
                move(1 - home)
                try:
                    follower = asyncio.create_task(read_to(reader, news, "g", 3))
                    await play(store, "g", 3)
                    assert await store.read("g") == log_of("g", 3)
                    assert await follower == [1, 2, 3]
                    assert clients[1 - home].dbsize() > 0
                finally:
                    empty(cluster_url)
                    move(home)
            assert await store.last_version("g") == 0


async def test_any_node_of_a_cluster_leads_to_all(cluster_url: str) -> None:
    """A node that is gone is passed over."""
    empty(cluster_url)
    last = cluster_url.rpartition(",")[2]
    async with opened(f"redis+cluster://127.0.0.1:1,{last}") as store:
        await asyncio.gather(*(play(store, f"g{n}", 1) for n in range(16)))
        assert len([game async for game in store.games()]) == 16


# Sentinels.


async def test_sentinels_lead_to_the_primary_also_after_it_changed(tmp_path: Path) -> None:
    """The old primary refuses writes, and the store asks where the new one is."""
    with ExitStack() as stack:
        first = stack.enter_context(BareServer(tmp_path / "first", port=True))
        second = stack.enter_context(BareServer(tmp_path / "second", port=True))
        sentinel = stack.enter_context(sentinel_of(tmp_path / "sentinel"))
        ask_sentinel = stack.enter_context(sentinel.client).execute_command
        ask_sentinel("SENTINEL", "MONITOR", "games", "127.0.0.1", first.port, 1)
        url = f"redis+sentinel://127.0.0.1:1,127.0.0.1:{sentinel.port}/games/2"
        async with opened(url) as store:
            await play(store, "g", 2)
            client = stack.enter_context(first.client)
            assert client.info("keyspace").keys() == {"db2"}
            copy = stack.enter_context(second.client)
            copy.replicaof("127.0.0.1", first.port)
            await eventually(lambda: copy.info("replication")["master_link_status"] == "up")
            copy.replicaof("NO", "ONE")
            client.replicaof("127.0.0.1", second.port)
            ask_sentinel("SENTINEL", "REMOVE", "games")
            ask_sentinel("SENTINEL", "MONITOR", "games", "127.0.0.1", second.port, 1)
            await play(store, "g", 2, after=2)
            assert await store.read("g") == log_of("g", 4)
            assert copy.info("replication")["role"] == "master"


async def test_a_service_that_no_sentinel_knows_is_unavailable(tmp_path: Path) -> None:
    """With the name that was asked for."""
    with sentinel_of(tmp_path) as sentinel:
        async with opened(f"redis+sentinel://127.0.0.1:{sentinel.port}/games") as store:
            with pytest.raises(StoreUnavailable, match="has not heard of games"):
                await play(store, "g", 1)


def sentinel_of(folder: Path) -> BareServer:
    """A sentinel that watches nothing yet."""
    folder.mkdir(exist_ok=True)
    (folder / "sentinel.conf").write_text("sentinel resolve-hostnames no\n")
    return BareServer(folder, port=True, first=["sentinel.conf", "--sentinel"])


# TLS.

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""A certificate for localhost that signs itself, with its key; good for nothing else."""


async def test_a_server_behind_tls_is_reached_and_its_certificate_checked(socket_of: Path) -> None:
    """`rediss://` trusts what the URL says, and nobody else."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(str(socket_of))

        async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(65_536):
                sink.write(data)
            sink.close()

        await asyncio.gather(
            carry(reader, server_writer), carry(server_reader, writer), return_exceptions=True
        )

    listener = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    url = f"rediss://localhost:{listener.sockets[0].getsockname()[1]}"
    try:
        async with opened(f"{url}?ssl_ca_certs={CERTIFICATE}") as store:
            await play(store, "g", 2)
            assert await store.read("g") == log_of("g", 2)
        async with opened(f"{url}?ssl_cert_reqs=none") as store:
            assert await store.last_version("g") == 2
        async with opened(url) as store:
            with pytest.raises(StoreUnavailable, match="certificate verify failed"):
                await play(store, "g", 1)
    finally:
        listener.close()
        await listener.wait_closed()
