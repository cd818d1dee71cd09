"""A fault made short: fewer house rules, seats and commands, as long as it is the same fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

import msgspec
from msgspec.structs import replace

from meldlog_contracts.commands import StartGame
from meldlog_contracts.events import Commit
from meldlog_contracts.problems import Refused
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Fault
from meldlog_service.checking.playing import again, play
from meldlog_service.checking.setups import Setup
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import Judge
from meldlog_service.core import chain

SEEDS = 8
"""Games tried of each simpler setup."""
LOOKED_AT = 8
"""Positions at the end of a log that are looked at while it is made shorter."""
NEEDS_THE_GAME = ("time", "termination")
"""What a log does not show by itself: the game is played again to see it."""


class Shrinker:
    """Makes one fault short.

    Args:
        catalogue: Where the rules are.
        judge: Audits logs.
        pace: How closely the game was looked at.
        seconds: When to be content with what was reached.
    """

    def __init__(self, catalogue: Catalogue, judge: Judge, pace: Pace, seconds: float) -> None:
        self._catalogue = catalogue
        self._judge = judge
        self._pace = replace(pace, every=min(pace.every, 4))
        self._until = monotonic() + seconds

    def shrunk(self, fault: Fault) -> Fault:
        """The same fault in a shorter game, or as it is; its log is left out where that does not show the fault."""
        if fault.invariant in NEEDS_THE_GAME:
            return replace(fault, log=())
        if fault.invariant != "audit":  # which takes a whole game, and another process
            fault = self._fewer_commands(self._sooner(self._simpler(fault)))
        if fault.invariant == "audit" or self._given(_readable(fault.log), fault) is not None:
            return fault
        return replace(fault, log=())

    def _simpler(self, fault: Fault) -> Fault:
        """Without options and house rules that have nothing to do with it, and with fewer seats."""
        changed = True
        while changed and monotonic() < self._until:
            changed = False
            for setup in _simpler_setups(fault.setup):
                found = self._found_in(setup, fault)
                if found is not None:
                    fault, changed = found, True
                    break
        return fault

    def _sooner(self, fault: Fault) -> Fault:
        """In the shortest of a few other games."""
        for seed in range(SEEDS):
            found = self._play(replace(fault.setup, seed=seed), fault)
            if found is not None and found.version < fault.version:
                fault = found
        return fault

    def _found_in(self, setup: Setup, fault: Fault) -> Fault | None:
        for seed in (setup.seed, *range(SEEDS)):
            found = self._play(replace(setup, seed=seed), fault)
            if found is not None:
                return found
        return None

    def _play(self, setup: Setup, fault: Fault) -> Fault | None:
        """The same fault in another game that is no longer."""
        if monotonic() > self._until:
            return None
        pace = replace(self._pace, longest=fault.version + 2)
        try:
            found = play(self._catalogue, setup, pace, self._judge, Tally(setup.variant))
        except Refused:
            return None
        return found if found is not None and found.signature == fault.signature else None

    def _fewer_commands(self, fault: Fault) -> Fault:
        """Without commands that the fault can do without; what is not legal any more then is left out as well."""
        commits = _readable(fault.log)
        start = next(
            (n for n, one in enumerate(commits, 1) if isinstance(one.command, StartGame)), len(commits)
        )
        size = max(1, (len(commits) - start) // 2)
        while size:
            place = len(commits)
            while place > start and monotonic() < self._until:
                first = max(start, place - size)
                found = self._given([*commits[:first], *commits[place:]], fault)
                place = first
                if found is not None and found.version < fault.version:
                    fault = found
                    commits = _readable(fault.log)
                    place = min(place, len(commits))
            size //= 2
        return fault

    def _given(self, commits: Sequence[Commit], fault: Fault) -> Fault | None:
        """The same fault where these commands are given."""
        if not commits:
            return None
        try:
            found = again(
                self._catalogue,
                commits,
                self._judge,
                Tally(fault.setup.variant),
                look_from=len(commits) - LOOKED_AT,
                skip_refused=True,
            )
        except Refused:
            return None
        if found is None or found.signature != fault.signature:
            return None
        return replace(found, setup=fault.setup)


def _readable(log: Sequence[bytes]) -> list[Commit]:
    """The commits of a log, up to one that cannot be read."""
    commits = []
    for line in log:
        try:
            commits.append(chain.decode(line))
        except (msgspec.MsgspecError, ValueError):
            break
    return commits


def _simpler_setups(setup: Setup) -> Iterator[Setup]:
    """Setups with less in them, the simplest first."""
    if setup.options and setup.house_rules:
        yield replace(setup, options=(), house_rules={})
    for option in setup.options:
        yield replace(setup, options=tuple(one for one in setup.options if one != option))
    if len(setup.house_rules) > 1:
        yield replace(setup, house_rules={})
    for name in setup.house_rules:
        rest = {key: value for key, value in setup.house_rules.items() if key != name}
        yield replace(setup, house_rules=rest)
    for seats in range(2, setup.seats):
        yield replace(setup, seats=seats, bots=setup.bots[:seats])
