"""One server, one found through sentinels, or a cluster: what the URL says.

* `redis://[user:password@]host:port/db`, `rediss://…` (TLS), `unix:///path/to/socket?db=0`: see `address_of`
* `redis+sentinel://[user:password@]host:port,host:port/service/db`, `rediss+sentinel://…`; user and password are
  the server's, the sentinels' own are `?sentinel_username=…&sentinel_password=…`
* `redis+cluster://[user:password@]host:port,host:port`, `rediss+cluster://…`
"""

import asyncio
from binascii import crc_hqx
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from msgspec.structs import replace

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams.address import PORT, Address, address_of
from meldlog_service.store.redis_streams.batcher import Batcher
from meldlog_service.store.redis_streams.keys import PARTITIONS
from meldlog_service.store.redis_streams.line import Line
from meldlog_service.store.redis_streams.link import Link, open_link
from meldlog_service.store.redis_streams.replies import (
    Lost,
    Reply,
    ServerSaid,
    expect_bytes,
    expect_int,
    expect_list,
)
from meldlog_service.store.redis_streams.script import pack
from meldlog_service.store.redis_streams.servers import Node, Servers

Dial = Callable[[], Awaitable[Link]]

SENTINEL_PORT = 26379


class Times(NamedTuple):
    """How long things may take, in seconds."""

    connect: float
    answer: float


def servers_at(url: str, times: Times, appends: Callable[[Line], Batcher]) -> Servers:
    """The servers that a URL names, in one of the forms above; raises ValueError for any other."""
    scheme, _, rest = url.partition("://")
    tls, _, kind = scheme.partition("+")
    if kind not in {"sentinel", "cluster"} or tls not in {"redis", "rediss"}:
        return OneServer(_dial(address_of(url), times), times, appends)
    parts = urlsplit(f"//{rest}")
    login, at, hosts = parts.netloc.rpartition("@")
    query = dict(parse_qsl(parts.query))
    own = {name: query.pop(f"sentinel_{name}", "") for name in ("username", "password")}
    if kind == "cluster":
        node = address_of(f"{tls}://{login}{at}node?{urlencode(query)}")
        return Cluster(_places(hosts, node, PORT), times, appends)
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError(
            "a URL of sentinels ends with the service's name: redis+sentinel://host:port/service"
        )
    server = address_of(f"{tls}://{login}{at}server/{db}?{urlencode(query)}")
    sentinels = _places(hosts, replace(server, db=0, **own), SENTINEL_PORT)
    return OneServer(_dial_by_sentinel(sentinels, unquote(service), server, times), times, appends)


def _places(hosts: str, like: Address, port: int) -> list[Address]:
    """The addresses in `host:port,host:port`, with everything else as in one of them."""
    places = [urlsplit(f"//{host}") for host in hosts.split(",")]
    if not all(place.hostname for place in places):
        raise ValueError(
            "a URL of sentinels or of a cluster names each as host:port, with commas between them"
        )
    return [replace(like, host=place.hostname, port=place.port or port) for place in places]


def _dial(address: Address, times: Times) -> Dial:
    return lambda: open_link(address, times.connect)


def _dial_by_sentinel(sentinels: list[Address], service: str, server: Address, times: Times) -> Dial:
    async def dial() -> Link:
        faults = []
        for sentinel in list(sentinels):
            try:
                host, port = await _ask_sentinel(sentinel, service, times)
            except (Lost, ServerSaid) as error:
                faults.append(str(error))
                continue
            # The one that answered is asked first the next time.
            sentinels.remove(sentinel)
            sentinels.insert(0, sentinel)
            return await open_link(replace(server, host=host, port=port), times.connect, primary=True)
        raise Lost(f"no sentinel knows a primary of {service}: {'; '.join(faults)}")

    return dial


async def _ask_sentinel(sentinel: Address, service: str, times: Times) -> tuple[str, int]:
    link = await open_link(sentinel, times.connect)
    try:
        (reply,) = await link.send(pack("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service), 1, times.answer)
    finally:
        link.close()
    if reply is None:
        raise Lost(f"{sentinel} has not heard of {service}")
    host, port = (expect_bytes(part).decode() for part in expect_list(reply))
    return host, int(port)


class OneServer(Servers):
    """A server that has all partitions."""

    def __init__(self, dial: Dial, times: Times, appends: Callable[[Line], Batcher]) -> None:
        self._node = Node(dial, appends, times.answer)

    def known(self, partition: str) -> Node:  # noqa: ARG002
        """See `Servers.known`."""
        return self._node

    async def node(self, partition: str) -> Node:
        """See `Servers.node`."""
        return self.known(partition)

    async def nodes(self) -> dict[Node, list[str]]:
        """See `Servers.nodes`."""
        return {self._node: list(PARTITIONS)}

    async def look_again(self) -> None:
        """It became a replica: the sentinels, or the address itself, lead to another server by now."""
        self._node.hang_up()

    def read_together(self, partition: str) -> tuple[str, ...]:  # noqa: ARG002
        """See `Servers.read_together`."""
        return PARTITIONS

    def close(self) -> None:
        """See `Servers.close`."""
        self._node.close()


SLOTS = {partition: crc_hqx(partition.encode(), 0) % 16_384 for partition in PARTITIONS}
"""The slot of a partition's keys: CRC-16 of the text between the braces."""


class Cluster(Servers):
    """The primaries of a Redis Cluster, as its nodes know them."""

    def __init__(self, seeds: list[Address], times: Times, appends: Callable[[Line], Batcher]) -> None:
        self._seeds = seeds
        self._times = times
        self._appends = appends
        self._nodes: dict[Address, Node] = {}
        self._by_partition: dict[str, Node] = {}
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    def known(self, partition: str) -> Node | None:
        """See `Servers.known`."""
        return self._by_partition.get(partition)

    async def node(self, partition: str) -> Node:
        """See `Servers.node`."""
        if partition not in self._by_partition:
            await self.look_again()
        try:
            return self._by_partition[partition]
        except KeyError:
            raise StoreUnavailable(f"no server of the cluster has slot {SLOTS[partition]}") from None

    async def nodes(self) -> dict[Node, list[str]]:
        """See `Servers.nodes`."""
        return await self._nodes_of(set(PARTITIONS))

    async def look_again(self) -> None:
        """Ask the cluster who has what; those who ask at the same time share one answer."""
        if self._closed:
            raise StoreUnavailable("the store is closed")
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(self._looked)
        await asyncio.shield(self._looking)

    def _looked(self, looking: asyncio.Task[None]) -> None:
        self._looking = None
        if not looking.cancelled():
            looking.exception()  # whoever waits raises it; nobody may be waiting any more

    async def _look(self) -> None:
        faults = []
        for address in [*self._nodes, *self._seeds]:
            try:
                link = await open_link(address, self._times.connect)
                try:
                    (reply,) = await link.send(pack("CLUSTER", "SLOTS"), 1, self._times.answer)
                finally:
                    link.close()
                self._learn(expect_list(reply), address)
            except (Lost, ServerSaid) as error:
                faults.append(str(error))
            else:
                return
        raise StoreUnavailable(f"no server of the cluster answers: {'; '.join(faults)}")

    def _learn(self, ranges: list[Reply], told_by: Address) -> None:
        owners: dict[str, Address] = {}
        for entry in ranges:
            first, last, primary, *_ = expect_list(entry)
            host, port, *_ = expect_list(primary)
            # A node that does not know its own name means the one that we reached it by.
            name = host.decode() if isinstance(host, bytes) and host else told_by.host
            address = replace(told_by, host=name, port=expect_int(port))
            slots = range(expect_int(first), expect_int(last) + 1)
            owners |= {partition: address for partition, slot in SLOTS.items() if slot in slots}
        addresses = set(owners.values())
        for gone in self._nodes.keys() - addresses:
            self._nodes.pop(gone).close()
        for address in addresses - self._nodes.keys():
            self._nodes[address] = Node(_dial(address, self._times), self._appends, self._times.answer)
        self._by_partition = {partition: self._nodes[address] for partition, address in owners.items()}

    def read_together(self, partition: str) -> tuple[str, ...]:
        """A command may only name keys of one slot."""
        return (partition,)

    def close(self) -> None:
        """See `Servers.close`."""
        self._closed = True
        if self._looking is not None:
            self._looking.cancel()
        for node in self._nodes.values():
            node.close()
