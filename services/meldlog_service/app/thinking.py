"""Bots that think long do so in a process of their own: everybody else's moves go on meanwhile.

A thread would not do: a search is all Python, so it would take turns with the event loop every few milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess

from meldlog_service.app.choosing import Question, choice
from meldlog_service.bots import Move, Strategy


class ThinkerGone(Exception):
    """The process that thought about a move was killed."""


class Thinker:
    """A process that strategies are asked in, started when the first is asked."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """What a strategy chooses. Whoever is cancelled waits no longer; the process ends the move by itself.

        Raises:
            ThinkerGone: when the process was killed; the next question starts another.
            Exception: what the strategy raises.
        """
        if self._process is None:
            self._process = ProcessPoolExecutor(1, get_context("spawn"), _begin)
        process = self._process
        try:
            return await asyncio.get_running_loop().run_in_executor(process, choice, strategy, asked)
        except BrokenProcessPool as error:
            if self._process is process:
                self._process = None
            raise ThinkerGone("the process that thinks for bots was killed") from error

    def close(self) -> None:
        """Ask nobody any more: what waits is dropped, and the process ends after the move that it is at."""
        if self._process is not None:
            self._process.shutdown(wait=False, cancel_futures=True)
            self._process = None


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
