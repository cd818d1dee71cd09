"""What an audit checks, and what it says that it found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from meldlog_service.app.differences import Difference
from meldlog_service.metrics import Verdict
from meldlog_service.store.archive.archive import LaterLayout
from meldlog_service.store.event_store import BrokenLog

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


class Unread(Struct, frozen=True):
    """Why a log, or the rest of it, could not be read, and whether that speaks against the log."""

    verdict: Verdict
    detail: str
    version: int | None = None
    """The first that could not be read; None for the one after the last that was."""

    @classmethod
    def because(cls, fault: BaseException) -> Unread:
        """What a store or the system says: a broken log differs, one that cannot be looked at now is not judged."""
        if isinstance(fault, OSError):
            return cls("cannot_judge", f"the log cannot be read: {fault.strerror}")
        broken = isinstance(fault, BrokenLog) and not isinstance(fault, LaterLayout)
        version = fault.version if isinstance(fault, BrokenLog) else None
        return cls("differs" if broken else "cannot_judge", str(fault), version)


class AuditReport(Struct, frozen=True):
    """What an audit found; ``version`` is the first that differs, or that cannot be judged, else the last one."""

    verdict: Verdict
    version: int
    checks: tuple[Check, ...]
    difference: Difference | None = None
    """The first command that is decided otherwise, if one is."""
