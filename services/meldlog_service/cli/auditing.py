"""Audits of many games at once: logs are read here, and judged by as many processes as there are cores."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context

import msgspec

from meldlog_service.app.audit import audit_log
from meldlog_service.catalogue import Catalogue
from meldlog_service.cli.installed import installed
from meldlog_service.cli.tallying import Audited, Finding
from meldlog_service.core import chain

FEW = 4
"""Up to this many games are judged by this process: others would still be starting when it is done."""

AHEAD = 2
"""How many logs for each process are read before they can be judged."""

Logs = AsyncIterator[tuple[str, Sequence[bytes]]]
"""Games (or files) and their commits."""


def judge(game: str, lines: Sequence[bytes]) -> Audited:
    """Audit a log; a line that is no commit differs from whatever was recorded."""
    if not lines:
        return Audited(
            game, "cannot_judge", 0, (Finding("log", "cannot_judge", "there is no log here", None),)
        )
    commits = []
    for number, line in enumerate(lines, 1):
        try:
            commits.append(chain.decode(line))
        except msgspec.DecodeError as error:
            finding = Finding("log", "differs", f"line {number} is no commit of a log: {error}", number)
            return Audited(game, "differs", len(lines), (finding,))
    report = audit_log(commits, _catalogue())
    checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
    return Audited(game, report.verdict, report.version, checks)


@cache
def _catalogue() -> Catalogue:
    return installed()


def _start_process() -> None:
    """Ctrl-C is for the parent, which ends its helpers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _executor_for(games: int) -> Executor:
    if games <= FEW:
        return ThreadPoolExecutor(1)
    # Not forked: this process has threads, of the embedded server for one.
    workers = min(os.cpu_count() or 1, games)
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start_process)


async def audit_all(logs: Logs, games: int, done: Callable[[Audited], None]) -> None:
    """Audit every log, and tell of each in the order that they came in.

    Args:
        logs: What to audit; read no further ahead than is needed to keep every core at work.
        games: How many there are.
        done: Hears of each.
    """
    loop = asyncio.get_running_loop()
    ahead = AHEAD * (os.cpu_count() or 1)
    waiting: deque[asyncio.Future[Audited]] = deque()
    with _executor_for(games) as executor:
        async for game, lines in logs:
            waiting.append(loop.run_in_executor(executor, judge, game, lines))
            if len(waiting) > ahead:
                done(await waiting.popleft())
        for future in waiting:
            done(await future)
