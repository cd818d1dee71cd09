"""Audits of many games at once: logs are read here, and judged by as many processes as there are cores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

from msgspec import Struct

from meldlog_service.app.audit import audit_log
from meldlog_service.app.audit_report import Unread
from meldlog_service.cli.installed import installed
from meldlog_service.cli.jobs import in_order
from meldlog_service.cli.tallying import Audited, Finding
from meldlog_service.core.views import OPERATOR

Instead = tuple[tuple[str, int], ...]
"""Rules versions to judge by in place of those that games recorded, by plugin."""


class Job(Struct, frozen=True):
    """One log to audit."""

    game: str
    """Its game's id, or its file."""
    key: str = ""
    """What tells it from every other log, and from itself before it grew."""
    lines: Sequence[bytes] | None = None
    """Its commits; None for a file, which whoever judges it reads."""
    known: Audited | None = None
    """What an audit before this one found."""
    unread: Unread | None = None
    """Why the log, or its end, could not be read, if it could not."""


def judge(job: Job, instead: Instead = ()) -> tuple[Job, Audited]:
    """Audit a log; the job comes back without its lines."""
    if job.known is not None:
        return Job(job.game, job.key, known=job.known), job.known
    lines, unread = _lines_of(job.game) if job.lines is None else (job.lines, job.unread)
    # What could not be read now is not known for the next time.
    done = Job(job.game, job.key if unread is None else "")
    if not lines and unread is None:
        empty = Finding("log", "cannot_judge", "there is no log here", None)
        return done, Audited(job.game, "cannot_judge", 0, (empty,))
    report = audit_log(lines, installed(), viewer=OPERATOR, instead=dict(instead), unread=unread)
    checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
    return done, Audited(job.game, report.verdict, report.version, checks, report.difference)


def _lines_of(file: str) -> tuple[list[bytes], Unread | None]:
    try:
        lines = Path(file).read_bytes().split(b"\n")
    except OSError as error:
        return [], Unread.because(error)
    return (lines[:-1] if lines[-1] == b"" else lines), None


async def audit_all(
    jobs: AsyncIterator[Job],
    games: int,
    done: Callable[[Job, Audited], None],
    instead: Instead = (),
    *,
    processes: int | None = None,
) -> None:
    """Audit every log, and tell of each in the order that they came in.

    Args:
        jobs: What to audit; no more are taken than are needed to keep every core at work.
        games: How many there are.
        done: Hears of each.
        instead: Rules versions to judge by in place of those that the games recorded.
        processes: How many may judge at the same time; as many as there are cores, unless it is said.
    """
    with_rules = ((job, instead) async for job in jobs)
    async with aclosing(in_order(judge, with_rules, games, processes=processes)) as audits:
        async for job, audited in audits:
            done(job, audited)
