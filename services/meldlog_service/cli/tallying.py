"""What audits found: told game by game, and summed up by cause."""

from __future__ import annotations

from collections import Counter

import msgspec
import rich_click as click
from msgspec import Struct

from meldlog_service.cli.words import shown

AGREES = "agrees"

LONGEST_DETAIL = 300
"""Characters of a finding that people are shown; programs get all of it."""


class Finding(Struct, frozen=True):
    """One thing that an audit looked at, and the version where it failed."""

    name: str
    verdict: str
    detail: str | None
    version: int | None

    def words(self) -> str:
        """The finding in a line."""
        where = f" [version {self.version}]" if self.version is not None else ""
        detail = shown(self.detail or "")
        if len(detail) > LONGEST_DETAIL:
            detail = f"{detail[:LONGEST_DETAIL]} ..."
        return f"{self.verdict.replace('_', ' ')}: {self.name}: {detail}{where}"


class Audited(Struct, frozen=True):
    """The audit of one game."""

    game: str
    """Its id, or the file that its log is in."""
    verdict: str
    version: int
    """The first that differs or cannot be judged, else the last."""
    checks: tuple[Finding, ...]

    @property
    def cause(self) -> Finding | None:
        """The first check for which the game does not agree."""
        return next((check for check in self.checks if check.verdict == self.verdict != AGREES), None)


class Tally:
    """Tells of every audit, and sums them up.

    Args:
        as_json: Tell programs, a game a line; they count for themselves.
        in_full: Tell people also of the checks that agree.
    """

    def __init__(self, *, as_json: bool, in_full: bool) -> None:
        self._as_json = as_json
        self._in_full = in_full
        self._verdicts: Counter[str] = Counter()
        self._causes: Counter[str] = Counter()

    @property
    def all_agree(self) -> bool:
        """Whether there was nothing but agreement."""
        return not self._verdicts.keys() - {AGREES}

    def add(self, audited: Audited) -> None:
        """Tell of one game."""
        self._verdicts[audited.verdict] += 1
        if audited.verdict != AGREES:
            cause = audited.cause
            self._causes[
                f"{audited.verdict.replace('_', ' ')}: {cause.name if cause else 'no reason given'}"
            ] += 1
        if self._as_json:
            click.echo(msgspec.json.encode(audited))
            return
        if audited.verdict == AGREES and not self._in_full:
            return
        reach = "up to" if audited.verdict == AGREES else "at"
        click.echo(
            f"{shown(audited.game)}: {audited.verdict.replace('_', ' ')} {reach} version {audited.version}"
        )
        for check in audited.checks:
            if self._in_full or check.verdict != AGREES:
                click.echo(f"  {check.words()}")

    def sum_up(self) -> None:
        """Tell people how many games there were, by verdict, and why those that do not agree do not."""
        if self._as_json:
            return
        games = self._verdicts.total()
        click.echo(f"{games} game{'s' * (games != 1)}: {self._verdicts[AGREES]} agree{'s' * (games == 1)}")
        for cause, count in self._causes.most_common():
            click.echo(f"  {count:>6}  {cause}")
