"""What an audit checks, and what it says that it found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from meldlog_service.app.differences import Difference
from meldlog_service.metrics import Verdict

CheckName = Literal[
    "log",
    "contiguity",
    "chain",
    "seals",
    "fold",
    "commitments",
    "shuffles",
    "conservation",
    "plugins",
    "decisions",
]
SAID: dict[CheckName, str] = {
    "log": "every line is a commit",
    "contiguity": "versions follow one another without a gap",
    "chain": "every commit carries the hash of its content and of the commit before",
    "seals": "every opened value is what was sealed",
    "fold": "every event fits the table",
    "commitments": "every seed is the one committed to before",
    "shuffles": "cards lie where the game's seed has shuffled them",
    "conservation": "no card appears or vanishes",
    "plugins": "the rules are installed in the versions that the game recorded, with the same code",
    "decisions": "every command, decided again, has the recorded consequences",
}
"""What each check says where nothing is wrong."""


class Check(Struct, frozen=True):
    """One thing that was checked; ``version`` is where it first failed, or could not be judged any more."""

    name: CheckName
    verdict: Verdict
    detail: str
    version: int | None


class AuditReport(Struct, frozen=True):
    """What an audit found; ``version`` is the first that differs, or that cannot be judged, else the last one."""

    verdict: Verdict
    version: int
    checks: tuple[Check, ...]
    difference: Difference | None = None
    """The first command that is decided otherwise, if one is."""
