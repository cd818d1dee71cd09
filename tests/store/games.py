"""Games for the store's tests: made-up ids, pointers and commits; playing them, and following them."""

import asyncio
from itertools import count

from meldlog_service.store.event_store import EventStore, Pointer, Status, Subscription
from meldlog_service.store.redis_streams.keys import partition_of

DAY_ONE = 1_795_996_800_000
"""A time, in milliseconds."""

SOON = 5.0
"""Seconds in which what is promised must have come, on the slowest machine."""


def pointer(
    game_id: str,
    version: int,
    status: Status = "playing",
    created_ms: int = DAY_ONE,
    deadline_ms: int | None = None,
) -> Pointer:
    """A pointer with everything that a test does not care about filled in."""
    return Pointer(game_id, version, "draw", status, created_ms, deadline_ms)


def commit(game_id: str, version: int) -> bytes:
    """A commit that can be told from every other, of a usual size."""
    return (
        f'{{"command":{{"type":"draw"}},"for":"{game_id}","pad":"{"·" * 400}","version":{version}}}'.encode()
    )


async def play(store: EventStore, game_id: str, versions: int, after: int = 0) -> None:
    """Append some versions one after the other."""
    for version in range(after + 1, after + versions + 1):
        await store.append(pointer(game_id, version), commit(game_id, version))


def log_of(game_id: str, versions: int) -> list[tuple[int, bytes]]:
    """What `play` leaves in the log."""
    return [(version, commit(game_id, version)) for version in range(1, versions + 1)]


def neighbours(number: int) -> list[str]:
    """Games that share a partition."""
    home = partition_of("neighbour-0")
    names = (name for n in count() if partition_of(name := f"neighbour-{n}") == home)
    return [next(names) for _ in range(number)]


async def hear(news: Subscription) -> int:
    """Wait for the next news, for a while."""
    async with asyncio.timeout(SOON):
        return await news.changed()


async def read_to(store: EventStore, news: Subscription, game_id: str, version: int) -> list[int]:
    """Follow a game until a version has been seen, as a live stream does; gives all versions seen."""
    seen: list[int] = []
    while True:
        seen += [v for v, _ in await store.read(game_id, after=seen[-1] if seen else 0)]
        if seen and seen[-1] >= version:
            return seen
        await hear(news)
