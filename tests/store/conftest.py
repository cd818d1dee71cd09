"""The stores that the promises are kept on, and what tests of single stores need."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from tests.store.opening import OpenStore, empty
from tests.support import servers
from tests.support.archives import with_archive
from tests.support.cluster import running_cluster

from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.event_store import EventStore
from meldlog_service.store.memory import MemoryStore, Shelf
from meldlog_service.store.redis_streams import RedisStreams

BACKENDS = ["memory", "archived", "embedded", "cluster", *(["redis"] if servers.real_redis_is() else [])]


@pytest.fixture(scope="session")
def process(worker_id: str) -> int:
    """The number of this process of the test run."""
    return int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 0


@pytest.fixture(scope="session")
def embedded_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running embedded server."""
    with servers.embedded_server(tmp_path_factory.mktemp("embedded")) as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running cluster."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(process: int) -> Iterator[str]:
    """A real Redis."""
    with servers.real_redis(process) as url:
        yield url


@pytest.fixture(params=BACKENDS)
async def open_store(request: pytest.FixtureRequest) -> AsyncIterator[OpenStore]:
    """Every kind of store in turn, empty."""
    make = _maker(request.param, request)
    opened: list[EventStore] = []

    def open_one() -> EventStore:
        opened.append(make())
        return opened[-1]

    yield open_one
    for store in opened:
        await store.close()


def _maker(backend: str, request: pytest.FixtureRequest) -> Callable[[], EventStore]:
    if backend in {"memory", "archived"}:
        shelf = Shelf()
        if backend == "memory":
            return lambda: MemoryStore(shelf)
        folder = Folder(request.getfixturevalue("tmp_path"))
        return lambda: with_archive(MemoryStore(shelf), folder)
    url: str = request.getfixturevalue(f"{backend}_url")
    empty(url)
    return lambda: RedisStreams(url)


@pytest.fixture
def store(open_store: OpenStore) -> EventStore:
    """Every kind of store in turn, empty."""
    return open_store()


@pytest.fixture
def embedded_store_url(embedded_url: str) -> str:
    """The embedded server, emptied."""
    empty(embedded_url)
    return embedded_url


@pytest.fixture
def socket_of(embedded_store_url: str) -> Path:
    """The socket of the embedded server, emptied."""
    return Path(embedded_store_url.removeprefix("unix://"))
