"""Audits of many games at once: logs are read here, and judged by as many processes as there are cores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing

import msgspec

from meldlog_service.app.audit import audit_log
from meldlog_service.cli.installed import installed
from meldlog_service.cli.jobs import in_order
from meldlog_service.cli.tallying import Audited, Finding
from meldlog_service.core import chain

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
    report = audit_log(commits, installed())
    checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
    return Audited(game, report.verdict, report.version, checks)


async def audit_all(logs: Logs, games: int, done: Callable[[Audited], None]) -> None:
    """Audit every log, and tell of each in the order that they came in.

    Args:
        logs: What to audit; read no further ahead than is needed to keep every core at work.
        games: How many there are.
        done: Hears of each.
    """
    async with aclosing(in_order(judge, logs, games)) as audits:
        async for audited in audits:
            done(audited)
