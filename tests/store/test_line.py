"""The connection that many share: opened once for all of them, and nobody's end holds up another's."""

import asyncio

import pytest

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams.line import Line
from meldlog_service.store.redis_streams.link import Link


class Dialling:
    """A server that never answers."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    async def __call__(self) -> Link:
        """Wait for ever."""
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_whoever_waits_for_a_line_that_is_closed_is_told() -> None:
    """The store cannot be asked any more; the caller goes on."""
    dialling = Dialling()
    line = Line(dialling)
    caller = asyncio.create_task(line.open())
    await dialling.begun.wait()
    line.close()
    with pytest.raises(StoreUnavailable):
        await caller


async def test_whoever_is_cancelled_together_with_the_opening_ends() -> None:
    """At the end of a process everything is cancelled at once; a caller that went on would keep the process alive."""
    dialling = Dialling()
    line = Line(dialling)
    others = asyncio.all_tasks()
    caller = asyncio.create_task(line.open())
    await dialling.begun.wait()
    for task in asyncio.all_tasks() - others:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert caller.cancelled()
