"""How a check says which promise was broken, and by whom."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from meldlog_service.checking.setups import Setup

Invariant = Literal[
    "sheet",
    "hooks",
    "time",
    "termination",
    "conservation",
    "listed",
    "unlisted",
    "secrecy",
    "purity",
    "scores",
    "replay",
    "audit",
]
INVARIANTS: dict[Invariant, str] = {
    "sheet": "the rule sheet is whole: four languages, a clause for every option and for every refusal",
    "hooks": "a hook raises nothing but Refused",
    "time": "a decision and a list of moves are quick",
    "termination": "somebody can always move, and a game comes to its end",
    "conservation": "every card of the pack is in exactly one place",
    "listed": "every listed move is accepted",
    "unlisted": "what is not listed is refused by a clause",
    "secrecy": "nobody learns what they may not see",
    "purity": "the same arguments always get the same answer, and no argument is changed",
    "scores": "totals are the sum of what was scored, and the result follows from them",
    "replay": "the log, read and folded again, is the game that was played",
    "audit": "every command, decided again in another process, has the same consequences",
}
"""Every promise that is tried."""


class Hook(Struct, frozen=True, order=True):
    """A plugin's implementation of a hook."""

    plugin: str
    name: str

    def __str__(self) -> str:
        """In words."""
        return f"hook {self.name} of {self.plugin}"


class Broken(Exception):
    """A promise is broken.

    Args:
        invariant: Which.
        detail: What is wrong, in a sentence without its full stop.
        hook: Whose doing it is, where that is known.
        about: The hook's name, where it is known which question was answered wrongly but not by whom.
        rule: The clause that it is about.
        command: What was being decided, as JSON.
        by: For whom.
    """

    def __init__(
        self,
        invariant: Invariant,
        detail: str,
        *,
        hook: Hook | None = None,
        about: str | None = None,
        rule: str | None = None,
        command: str | None = None,
        by: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.about = about
        self.invariant: Invariant = invariant
        self.detail = detail
        self.hook = hook
        self.rule = rule
        self.command = command
        self.by = by


class Fault(Struct, frozen=True):
    """A broken promise, and the game in which it was found."""

    invariant: Invariant
    detail: str
    setup: Setup
    version: int
    """Commits that were made before it showed."""
    hook: Hook | None = None
    rule: str | None = None
    command: str | None = None
    by: str | None = None
    log: tuple[bytes, ...] = ()
    """Those commits as they are stored."""

    @property
    def signature(self) -> tuple[str, ...]:
        """What makes two faults the same: the game and its seed may be others."""
        return (self.setup.variant, self.invariant, str(self.hook), str(self.rule))

    @property
    def where(self) -> str:
        """Whose doing it is, in words."""
        return "" if self.hook is None else str(self.hook)


def fault_of(broken: Broken, setup: Setup, log: list[bytes]) -> Fault:
    """A broken promise as it is told."""
    return Fault(
        broken.invariant,
        broken.detail,
        setup,
        len(log),
        broken.hook,
        broken.rule,
        broken.command,
        broken.by,
        tuple(log),
    )
