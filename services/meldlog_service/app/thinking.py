"""Bots that think long do so in a process of their own: everybody else's moves go on meanwhile.

A thread would not do: a search is all Python, so it would take turns with the event loop every few milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess

from meldlog_service.app.choosing import Question, choice
from meldlog_service.bots import Move, Strategy

LIMIT = 30.0
"""Seconds for a move. A strategy counts its work and reads no clock, so a busy machine needs longer for the same."""


class ThinkerGone(Exception):
    """The process that thought about a move was killed."""


class ThoughtTooLong(Exception):
    """A strategy has not chosen within the limit: it never will, or the machine is very busy."""


class Thinker:
    """A process that strategies are asked in, started when the first is asked.

    Args:
        limit: Seconds that a move may be thought about, and wait for its turn.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self._process: ProcessPoolExecutor | None = None
        self._pid: Future[int] | None = None

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """What a strategy chooses. Whoever is cancelled waits no longer; the process ends the move by itself.

        Raises:
            ThinkerGone: when the process was killed; the next question starts another.
            ThoughtTooLong: after the limit; the process is killed, with what else it was to think about.
            Exception: what the strategy raises.
        """
        if self._process is None:
            self._process = ProcessPoolExecutor(1, get_context("spawn"), _begin)
            self._pid = self._process.submit(os.getpid)
        process, seconds = self._process, self.limit
        thought = asyncio.get_running_loop().run_in_executor(process, choice, strategy, asked)
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await thought
        except TimeoutError as error:
            if not limit.expired():
                raise
            self._end(process)
            raise ThoughtTooLong(f"{strategy.name} thought for more than {seconds:g} seconds") from error
        except BrokenProcessPool as error:
            self._end(process)
            raise ThinkerGone("the process that thinks for bots was killed") from error

    def close(self) -> None:
        """Ask nobody any more: what waits is dropped, and so is the move that is thought about."""
        if self._process is not None:
            self._process.shutdown(wait=False, cancel_futures=True)
            self._end(self._process)

    def _end(self, process: ProcessPoolExecutor) -> None:
        """Kill a process, unless another has taken its place: it may be in the middle of a thought, or stopped.

        Whoever else waits for it is told that it is gone.
        """
        if self._process is not process:
            return
        pid, self._process, self._pid = self._pid, None, None
        process.shutdown(wait=False)
        if pid is not None and pid.done() and not pid.cancelled() and pid.exception() is None:
            with suppress(ProcessLookupError):
                os.kill(pid.result(), signal.SIGKILL)


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
