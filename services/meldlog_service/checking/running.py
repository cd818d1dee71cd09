"""A few games at a time: what a process of a check is given to do, and what comes of it."""

from __future__ import annotations

import atexit
import gc
import os
import random
from functools import cache

from msgspec import Struct

from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Broken, Fault, fault_of
from meldlog_service.checking.planning import Job, check_told, refusal, seats_of, setup_of
from meldlog_service.checking.playing import play
from meldlog_service.checking.shrinking import Shrinker
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import Judge, Twin, in_this_process

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


# -- in a process of its own -------------------------------------------------------------------------------------------


def perform_installed(job: Job) -> Done:
    """Play the games of a job by the installed plugins; a process that stays audits them."""
    return perform(job, _catalogue(), _twin().audit)


def shrink_installed(fault: Fault, pace: Pace) -> Fault:
    """Make a fault of an installed plugin short."""
    return Shrinker(_catalogue(), in_this_process(_catalogue()), pace, SHRINKING_SECONDS).shrunk(fault)


@cache
def _catalogue() -> Catalogue:
    catalogue = Catalogue.from_entry_points()
    gc.freeze()  # what was imported need not be looked at by the collector again and again
    return catalogue


@cache
def _twin() -> Twin:
    twin = Twin(hash_seed=1 + os.getpid())
    atexit.register(twin.end)
    return twin
