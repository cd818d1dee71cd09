"""Stores that are closed again, and servers that are emptied."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import redis

from meldlog_service.settings import Durability
from meldlog_service.store.event_store import EventStore
from meldlog_service.store.redis_streams import RedisStreams

OpenStore: TypeAlias = Callable[[], EventStore]
"""Makes a store object over the server (or the shelf) of a test; all of a test's share it, and are closed after it."""


@asynccontextmanager
async def opened(
    url: str, durability: str = "process", answer_seconds: float = 5.0
) -> AsyncIterator[RedisStreams]:
    """A store over a server, closed at the end."""
    store = RedisStreams(url, Durability.parse(durability), answer_seconds=answer_seconds)
    try:
        yield store
    finally:
        await store.close()


def empty(url: str) -> None:
    """Take everything out of the database that a URL names."""
    if "+cluster" in url:
        with redis.RedisCluster.from_url(url.replace("+cluster", "").split(",")[0]) as cluster:
            cluster.flushall(target_nodes=redis.RedisCluster.PRIMARIES)
    else:
        with redis.Redis.from_url(url) as client:
            client.flushdb()
