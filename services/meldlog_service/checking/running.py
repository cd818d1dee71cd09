"""Games spread over processes: each loads the installed plugins by their entry points, and its games a twin audits."""

from __future__ import annotations

import gc
import os
import random
import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice
from multiprocessing import get_context

from msgspec import Struct

from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Broken, Fault, fault_of
from meldlog_service.checking.planning import Job, check_told, refusal, seats_of, setup_of
from meldlog_service.checking.playing import play
from meldlog_service.checking.shrinking import Shrinker
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import Judge, Twin, in_this_process

AHEAD = 3
"""Chunks for each process that wait to be played."""
SHRINKING_SECONDS = 20.0


class Done(Struct, frozen=True):
    """What came of a job."""

    job: Job
    tally: Tally
    fault: Fault | None


# -- playing them ------------------------------------------------------------------------------------------------------


def perform(job: Job, catalogue: Catalogue, judge: Judge) -> Done:
    """Play the games of a job, up to the first fault."""
    tally = Tally(job.wanted.variant)
    for seed in job.seeds:
        fault = _one_game(job, seed, catalogue, judge, tally)
        if fault is not None:
            return Done(job, tally, fault)
    return Done(job, tally, None)


def _one_game(job: Job, seed: int, catalogue: Catalogue, judge: Judge, tally: Tally) -> Fault | None:
    """A game for as many as the seed says, or for another number where these house rules make none for so many."""
    rng = random.Random(seed)
    seats = seats_of(job.wanted, catalogue)
    for number in rng.sample(seats, len(seats)):
        setup = setup_of(job.wanted, job.cell, seed, number, rng)
        refused = refusal(setup, catalogue)
        if refused is None:
            return play(catalogue, setup, job.wanted.pace, judge, tally)
        try:
            check_told(refused)
        except Broken as broken:
            return fault_of(broken, setup, [])
    return None


class Crew:
    """Processes that play; a context manager that ends them. With one job it is this process that plays.

    Args:
        processes: How many.
    """

    def __init__(self, processes: int) -> None:
        self._count = processes
        self._pool = (
            ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin)
            if processes > 1
            else None
        )

    def __enter__(self) -> Crew:
        """Use them."""
        return self

    def __exit__(self, *_: object) -> None:
        """End them; what has not begun is left."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        else:
            _end_twin()

    def perform(self, jobs: Iterable[Job], done: Callable[[Done], None]) -> None:
        """Play all jobs, except those of a variant in which a fault was found."""
        faulty: set[str] = set()
        left = (job for job in jobs if job.wanted.variant not in faulty)

        def hear(one: Done) -> None:
            if one.fault is not None:
                faulty.add(one.job.wanted.variant)
            done(one)

        if self._pool is None:
            for job in left:
                hear(_perform(job))
            return
        waiting = {self._pool.submit(_perform, job) for job in islice(left, AHEAD * self._count)}
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {self._pool.submit(_perform, job) for job in islice(left, len(finished))}
            for future in finished:
                hear(future.result())

    def shrink(self, faults: Sequence[Fault], pace: Pace) -> list[Fault]:
        """Make faults short, each in a process of its own."""
        if self._pool is None:
            return [_shrink(fault, pace) for fault in faults]
        futures: list[Future[Fault]] = [self._pool.submit(_shrink, fault, pace) for fault in faults]
        return [future.result() for future in futures]


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- in each process ---------------------------------------------------------------------------------------------------


def _begin() -> None:
    """Ctrl-C is for the parent, which ends its helpers; what was imported need not be looked at by the collector."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()


@cache
def _catalogue() -> Catalogue:
    return Catalogue.from_entry_points()


@cache
def _twin() -> Twin:
    return Twin(hash_seed=1 + os.getpid())


def _end_twin() -> None:
    if _twin.cache_info().currsize:
        _twin().__exit__(None, None, None)
        _twin.cache_clear()


def _perform(job: Job) -> Done:
    return perform(job, _catalogue(), _twin().audit)


def _shrink(fault: Fault, pace: Pace) -> Fault:
    return Shrinker(_catalogue(), in_this_process(_catalogue()), pace, SHRINKING_SECONDS).shrunk(fault)
