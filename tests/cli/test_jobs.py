"""Work on every core."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from meldlog_service.cli.faults import Fault
from meldlog_service.cli.jobs import FEW, in_order


class Jobs:
    """Arguments, and how many of them were taken."""

    def __init__(self, arguments: Sequence[tuple[Any, ...]]) -> None:
        self._arguments = arguments
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[tuple[Any, ...]]:
        """Hand them out."""
        for arguments in self._arguments:
            self.taken += 1
            yield arguments


@pytest.mark.parametrize("count", [1, FEW, FEW + 1, 30])
async def test_results_come_in_the_order_of_the_jobs(count: int) -> None:
    """Few jobs are done here, more in other processes."""
    jobs = Jobs([(number, 2) for number in range(count)])
    async with aclosing(in_order(pow, jobs, count, processes=2)) as results:
        assert [result async for result in results] == [number**2 for number in range(count)]


async def test_no_more_jobs_are_taken_than_keep_the_processes_at_work() -> None:
    """However many there are: a log is read when somebody is there to judge it."""
    jobs = Jobs([(number,) for number in range(1000)])
    async with aclosing(in_order(abs, jobs, 1000, processes=2, ahead=3)) as results:
        assert await anext(results) == 0
        assert jobs.taken == 3 * 2 + 1


async def test_processes_are_ended_in_the_middle_of_what_they_do_when_the_work_is_given_up() -> None:
    """Nobody waits for what nobody wants any more."""
    began = time.monotonic()
    waiting = in_order(time.sleep, Jobs([(0,), *[(600,)] * 9]), 10, processes=2)
    async with aclosing(waiting) as results:
        await anext(results)
        task = asyncio.ensure_future(anext(results))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert time.monotonic() - began < 60


async def test_a_process_that_is_killed_is_told() -> None:
    """As when memory runs out."""
    jobs = Jobs([(signal.SIGKILL,)] * 9)
    async with aclosing(in_order(signal.raise_signal, jobs, 9, processes=2)) as results:
        with pytest.raises(Fault, match="was killed"):
            await anext(results)


async def test_what_a_job_raises_is_raised() -> None:
    """At its turn."""
    async with aclosing(in_order(divmod, Jobs([(1, 0)]), 1)) as results:
        with pytest.raises(ZeroDivisionError):
            await anext(results)
