"""Work on every core: the same function for many jobs, in processes of their own, answered in the order of the jobs."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from types import FunctionType
from typing import TypeVar, TypeVarTuple

from meldlog_service.cli.faults import Fault

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

FEW = 4
"""Up to this many jobs are done by this process: others would still be starting when it is done."""
AHEAD = 2
"""For each process, how many jobs are taken before the answer of the first is fetched."""


def workers(count: int, processes: int | None = None) -> int:
    """How many processes do so many jobs: this one, or others, as many as there are cores unless it is said."""
    return 1 if count <= FEW else min(processes or os.cpu_count() or 1, count)


async def in_order(
    function: Callable[[*Arguments], Result],
    jobs: AsyncIterable[tuple[*Arguments]],
    count: int,
    *,
    processes: int | None = None,
    ahead: int = AHEAD,
) -> AsyncGenerator[Result, None]:
    """Do every job, and yield the results in the jobs' order. To be closed, also when it is left early.

    When it is left early, or the task that waits for it is cancelled (as Ctrl-C does), the jobs that are left are
    dropped, and the processes are ended in the middle of theirs.

    Args:
        function: Something that another process can import; its arguments and its result are sent there and back. It
            leaves no trace but its result.
        jobs: Arguments; no more are taken than are needed to keep every process at work.
        count: How many jobs there are.
        processes: How many may work at the same time; as many as there are cores, unless it is said.
        ahead: For each process, how many jobs are taken before the first result is fetched; more where some jobs
            take much longer than others.

    Raises:
        Fault: when a process was killed.
        Exception: what the function raises, with everything that it says.
    """
    working = workers(count, processes)
    loop = asyncio.get_running_loop()
    waiting: deque[asyncio.Future[Result]] = deque()
    not_ours = active_children()
    executor = _executor(working)
    complete = False
    try:
        async for arguments in jobs:
            waiting.append(loop.run_in_executor(executor, do, function, *arguments))
            if len(waiting) > ahead * working:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
        complete = True
    except Carried as carried:
        raise carried.unpacked() from carried.__cause__
    except BrokenProcessPool as error:
        raise Fault("a process that did a part of the work was killed: is there memory enough?") from error
    finally:
        if not complete:
            for future in waiting:
                future.cancel()
            for process in set(active_children()).difference(not_ours):
                process.terminate()
        executor.shutdown(cancel_futures=True)


class Carried(Exception):
    """An exception on its way from another process: what it is, and what it says.

    Python sends an exception as its class and `args`, to be made anew from these. One that is made from anything else,
    as `Refused` is from a code and a detail, would not arrive, or would say something else.
    """

    def __init__(self, kind: type[Exception], arguments: tuple[object, ...], said: dict[str, object]) -> None:
        super().__init__(kind, arguments, said)
        self._kind = kind
        self._arguments = arguments
        self._said = said

    def unpacked(self) -> Exception:
        """The exception as it was raised."""
        error: Exception = self._kind.__new__(self._kind, *self._arguments)
        error.__dict__.update(self._said)
        return error


def do(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """In every process: do a job, and pack what it raises where that would not come through by itself."""
    try:
        return function(*arguments)
    except Exception as error:
        kind = type(error)
        if isinstance(kind.__init__, FunctionType) and kind.__reduce__ is BaseException.__reduce__:
            raise Carried(kind, error.args, vars(error)) from error
        raise


def _executor(processes: int) -> Executor:
    if processes == 1:
        return ThreadPoolExecutor(1)
    # Not forked: this process has threads, of the embedded server for one.
    return ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """In every process: Ctrl-C is for the parent, which ends its helpers; and none outlives a parent that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        # Not `sys.exit`, which ends only this thread; there is nothing to be put in order.
        os._exit(1)
