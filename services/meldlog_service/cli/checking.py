"""Plays the games of a check on every core, and has what is found made short."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing

from msgspec.structs import replace

from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Fault
from meldlog_service.checking.options import Cell
from meldlog_service.checking.planning import Job, Wanted, jobs_of
from meldlog_service.checking.running import Done, perform_installed, shrink_installed
from meldlog_service.cli.check_telling import Telling
from meldlog_service.cli.jobs import in_order
from meldlog_service.cli.progress import progress

Planned = tuple[Wanted, list[Cell]]
"""What is wanted of a variant, and the options and house rules that it is played with."""
AHEAD = 4
"""For each process, how many jobs are begun before the first is told: some games take ten times as long as others."""


class Checking:
    """Games being played.

    Args:
        plans: Which.
        processes: How many may work; as many as there are cores if it is not said.
        pace: How closely the games are looked at.
        telling: Hears of everything.
        skip: How many games are left out, those that would be the first.
    """

    def __init__(
        self, plans: Sequence[Planned], processes: int | None, pace: Pace, telling: Telling, skip: int = 0
    ) -> None:
        self._jobs = list(
            _without_first(skip, [job for wanted, cells in plans for job in jobs_of(wanted, cells)])
        )
        self.played = skip
        """Games that are behind, those that were left out as well; they are told in order."""
        self._processes = processes
        self._pace = pace
        self._telling = telling
        self._faulty: set[str] = set()

    async def run(self) -> None:
        """Play every game, except those of a variant in which a fault was found; then tell of the faults."""
        with progress("checking", sum(len(job.seeds) for job in self._jobs)) as step:
            work = in_order(
                perform_installed, self._left(step), len(self._jobs), processes=self._processes, ahead=AHEAD
            )
            async with aclosing(work) as results:
                async for done in results:
                    self._hear(done)
                    self.played += len(done.job.seeds)
                    for _ in done.job.seeds:
                        step()
        noted = self._telling.noted
        with progress("making short", len(noted)) as step:
            shrinking = in_order(shrink_installed, self._found(), len(noted), processes=self._processes)
            async with aclosing(shrinking) as short:
                async for fault in short:
                    self._telling.tell(fault)
                    step()

    def _hear(self, done: Done) -> None:
        self._telling.add(done.tally)
        if done.fault is not None:
            self._faulty.add(done.job.wanted.variant)
            self._telling.note(done.fault)

    async def _found(self) -> AsyncIterator[tuple[Fault, Pace]]:
        for fault in self._telling.noted:
            yield fault, self._pace

    async def _left(self, step: Callable[[], None]) -> AsyncIterator[tuple[Job]]:
        """The jobs, but for those of a variant that is faulty by now."""
        for job in self._jobs:
            if job.wanted.variant not in self._faulty:
                yield (job,)
                continue
            for _ in job.seeds:
                step()


def _without_first(count: int, jobs: Sequence[Job]) -> Iterator[Job]:
    """The jobs without the first so many games."""
    for job in jobs:
        if count < len(job.seeds):
            yield replace(job, seeds=job.seeds[count:])
        count = max(count - len(job.seeds), 0)
