"""Plays a plan on every core, hands every game to whatever keeps it, and sees Ctrl-C through."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from functools import partial

from msgspec.structs import replace

from meldlog_service.cli.destinations import Destination
from meldlog_service.cli.faults import Fault
from meldlog_service.cli.jobs import in_order, workers
from meldlog_service.cli.progress import progress
from meldlog_service.cli.simulation_report import Report
from meldlog_service.settings import Settings
from meldlog_service.simulating.keeping import InFolder, InStore, Keeper
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.playing import Played, play
from meldlog_service.simulating.summary import summed_up
from meldlog_service.store.event_store import EventStore

AHEAD = 8
"""For each process, how many games are begun before the first is told: some games take ten times as long as others."""


def simulated(plan: Plan, destination: Destination, jobs: int | None) -> Report:
    """Play the games of a plan.

    Args:
        plan: What to play.
        destination: Where the games go.
        jobs: How many processes play; None for as many as there are cores.

    Raises:
        Fault: when games cannot be kept.
    """
    run = _Run(plan, jobs)
    began = time.perf_counter()
    interrupted = False
    settings = destination.settings()
    try:
        if settings is not None:
            _into_store(run, settings)
        else:
            asyncio.run(run.play(None if destination.out is None else InFolder(destination.out)))
    except KeyboardInterrupt:
        interrupted = True
    return Report(
        plan=plan,
        summary=summed_up(run.played, plan.observed_together, plan.bots),
        processes=run.processes,
        seconds=time.perf_counter() - began,
        kept=run.kept,
        kept_in=destination.words(),
        interrupted=interrupted,
    )


def _into_store(run: _Run, settings: Settings) -> None:
    """Play games into the store of a service, if it can be reached and would not lose them."""
    from meldlog_service.cli.stores import check_store, using_store

    async def work(store: EventStore) -> None:
        await check_store(store)
        await run.play(InStore(store))

    using_store(settings, work, new=True)


class _Run:
    """Games being played.

    Attributes:
        played: Games that were played and, where they are to be kept, kept; without their logs.
        kept: How many of them are kept.
        processes: How many play.
    """

    def __init__(self, plan: Plan, jobs: int | None) -> None:
        self.processes = workers(plan.games, jobs)
        self.played: list[Played] = []
        self.kept = 0
        self._plan = plan

    async def play(self, keeper: Keeper | None) -> None:
        """Play every game, and have it kept if there is something that keeps it."""
        plan = self._plan
        work = partial(play, plan, with_log=keeper is not None)
        with progress("playing", plan.games) as step:
            async with aclosing(
                in_order(work, _numbers(plan.games), plan.games, processes=self.processes, ahead=AHEAD)
            ) as games:
                async for played in games:
                    await _to_its_end(self._keep(played, keeper, step))

    async def _keep(self, played: Played, keeper: Keeper | None, step: Callable[[], None]) -> None:
        if keeper is not None:
            try:
                self.kept += await keeper.keep(played)
            except OSError as error:
                raise Fault(f"{error.filename} cannot be written: {error.strerror}") from error
        self.played.append(replace(played, log=()))
        step()


async def _numbers(games: int) -> AsyncIterator[tuple[int]]:
    for number in range(games):
        yield (number,)


async def _to_its_end(work: Coroutine[None, None, None]) -> None:
    """Wait for something that Ctrl-C must not cut in two."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
