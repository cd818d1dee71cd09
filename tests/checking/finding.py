"""What a check finds in a plugin that is made on the spot, without processes."""

from __future__ import annotations

from msgspec.structs import replace
from tests.support.plugins import catalogue_with

from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Fault
from meldlog_service.checking.playing import play
from meldlog_service.checking.setups import Setup
from meldlog_service.checking.shrinking import Shrinker
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import in_this_process

GAMES = 12
PACE = Pace(every=4, longest=300)
"""Close, and for short games."""
SETUP = Setup("planted", seats=2, seed=0, bots=("plain", "busy"))


def fault_in(plugin: object, *, pace: Pace = PACE, setup: Setup = SETUP) -> Fault | None:
    """The first fault in a few games."""
    catalogue = catalogue_with(plugin)
    judge = in_this_process(catalogue)
    games = (replace(setup, seed=seed) for seed in range(setup.seed, setup.seed + GAMES))
    found = (play(catalogue, game, pace, judge, Tally(game.variant)) for game in games)
    return next((fault for fault in found if fault is not None), None)


def shrunk(fault: Fault, plugin: object, seconds: float = 20.0) -> Fault:
    """A fault made short."""
    catalogue = catalogue_with(plugin)
    return Shrinker(catalogue, in_this_process(catalogue), PACE, seconds).shrunk(fault)
