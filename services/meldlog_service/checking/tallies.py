"""What a check has done, in numbers that can be added up."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from meldlog_service.checking.setups import Setup, value_text


class Record(Struct, frozen=True, order=True):
    """The most of something: how much, and where."""

    amount: float = 0.0
    where: str = ""
    """What it was, and the token of the game."""


class Tally(Struct):
    """Numbers of some games of one variant."""

    variant: str
    games: int = 0
    commands: int = 0
    deals: int = 0
    seconds: float = 0.0
    """Of all processes together."""
    positions: int = 0
    """Looked at closer."""
    probes: int = 0
    """Commands tried that nobody gave."""
    longest: Record = Record()
    """Commands of the longest game."""
    most_turns: Record = Record()
    """Turns of the longest deal."""
    slowest_decision: Record = Record()
    """Milliseconds."""
    slowest_moves: Record = Record()
    """Milliseconds."""
    refusals: dict[str, int] = {}
    """Refusals of what was tried, by clause."""
    options: dict[str, int] = {}
    """Games by option, and by each house rule that was changed."""
    senseless: dict[str, int] = {}
    """Combinations that make no game, by the reason given."""

    def refused(self, rule: str | None) -> None:
        """Count a refusal."""
        _add(self.refusals, {rule or "(the command makes no sense)": 1})

    def played(self, setup: Setup, commands: int, deals: int) -> None:
        """Count a game."""
        self.games += 1
        self.commands += commands
        self.deals += deals
        self.longest = max(self.longest, Record(commands, setup.token))
        _add(self.options, dict.fromkeys(covered(setup), 1))

    def add(self, other: Tally) -> None:
        """Add the numbers of other games."""
        for name in ("games", "commands", "deals", "seconds", "positions", "probes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("longest", "most_turns", "slowest_decision", "slowest_moves"):
            setattr(self, name, max(getattr(self, name), getattr(other, name)))
        for name in ("refusals", "options", "senseless"):
            _add(getattr(self, name), getattr(other, name))

    def as_json(self) -> bytes:
        """For programs."""
        return msgspec.json.encode(self)


def covered(setup: Setup) -> list[str]:
    """What a game tries: its options and its changed house rules, each as it is typed."""
    changed = [f"{name}={value_text(value)}" for name, value in setup.house_rules.items()]
    return [*setup.options, *changed]


def _add(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count
