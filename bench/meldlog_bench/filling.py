"""Logs of prepared games, put into a store as a service would have left them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from meldlog_bench.plays import Step
from meldlog_service.settings import Durability
from meldlog_service.store.redis_streams import RedisStreams

DURABILITY = Durability("process")


def fill(url: str, games: Iterable[Sequence[Step]], together: int = 256) -> None:
    """Append these steps, a game's in their order and some games at a time."""
    asyncio.run(_fill(url, games, together))


async def _fill(url: str, games: Iterable[Sequence[Step]], together: int) -> None:
    store = RedisStreams(url, DURABILITY)
    waiting = iter(games)

    async def write() -> None:
        for steps in waiting:
            for step in steps:
                await store.append(step.pointer, step.line)

    try:
        async with asyncio.TaskGroup() as writers:
            for _ in range(together):
                writers.create_task(write())
    finally:
        await store.close()
