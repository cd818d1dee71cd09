"""What audits found: told game by game, and summed up by cause."""

from __future__ import annotations

from collections import Counter

import msgspec
import rich_click as click
from msgspec import Struct

from meldlog_service.app.differences import Difference
from meldlog_service.cli.words import event_words, shown

AGREES = "agrees"

LONGEST_DETAIL = 300
"""Characters of a finding that people are shown; programs get all of it."""
MOST_CHANGES = 8
"""Places of the table that people are shown where a game differs; programs get all that there are."""


class Finding(Struct, frozen=True):
    """One thing that an audit looked at, and the version where it failed."""

    name: str
    verdict: str
    detail: str | None
    version: int | None

    def words(self) -> str:
        """The finding in a line."""
        where = f" [version {self.version}]" if self.version is not None else ""
        return f"{self.verdict.replace('_', ' ')}: {self.name}: {shortened(self.detail or '')}{where}"


class Audited(Struct, frozen=True):
    """The audit of one game."""

    game: str
    """Its id, or the file that its log is in."""
    verdict: str
    version: int
    """The first that differs or cannot be judged, else the last."""
    checks: tuple[Finding, ...]
    difference: Difference | None = None
    """The first command that is decided otherwise, if one is."""

    @property
    def cause(self) -> Finding | None:
        """The check for which the game does not agree, the first of them at the first version; None if it does."""
        found = [check for check in self.checks if check.verdict == self.verdict != AGREES]
        return next((check for check in found if check.version == self.version), next(iter(found), None))


def shortened(text: str) -> str:
    """A text that people are shown."""
    safe = shown(text)
    return safe if len(safe) <= LONGEST_DETAIL else f"{safe[:LONGEST_DETAIL]} ..."


def unlike(difference: Difference) -> list[str]:
    """A difference in lines: what was recorded, what is decided now, and where the two tables differ."""
    lines = [f"recorded: {event_words(event)}" for event in difference.recorded]
    if difference.code is not None:
        clause = f" ({difference.rule})" if difference.rule else ""
        lines.append(f"decided:  refused, {difference.code}{clause}: {difference.detail}")
    else:
        lines += [f"decided:  {event_words(event)}" for event in difference.decided]
    lines += [
        f"{one.pointer}: recorded {bytes(one.recorded).decode()}, decided {bytes(one.decided).decode()}"
        for one in difference.table[:MOST_CHANGES]
    ]
    if len(difference.table) > MOST_CHANGES:
        lines.append(f"... and {len(difference.table) - MOST_CHANGES} more places of the table")
    return [shortened(line) for line in lines]


class Tally:
    """Tells of every audit, and sums them up.

    Args:
        as_json: Tell programs, a game a line; they count for themselves.
        in_full: Tell people also of the checks that agree.
        instead: The other rules that games are judged by, in words, if they are.
    """

    def __init__(self, *, as_json: bool, in_full: bool, instead: str | None = None) -> None:
        self._as_json = as_json
        self._in_full = in_full
        self._instead = instead
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
            self._causes[_cause(audited)] += 1
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
        if audited.difference is not None:
            for line in unlike(audited.difference):
                click.echo(f"    {line}")

    def sum_up(self) -> None:
        """Tell people how many games there were, by verdict, and why those that do not agree do not."""
        if self._as_json:
            return
        games, agree = self._verdicts.total(), self._verdicts[AGREES]
        if self._instead is None:
            click.echo(f"{games} game{'s' * (games != 1)}: {agree} agree{'s' * (games == 1)}")
        else:
            others = self._verdicts["differs"]
            click.echo(
                f"{games} game{'s' * (games != 1)} judged by {self._instead}: "
                f"{agree} would have gone as they went, {others} otherwise"
            )
        for cause, count in self._causes.most_common():
            click.echo(f"  {count:>6}  {cause}")


def _cause(audited: Audited) -> str:
    """Why a game does not agree, in the same words for all games of which it is true."""
    found = audited.cause
    words = f"{audited.verdict.replace('_', ' ')}: {found.name if found else 'no reason given'}"
    difference = audited.difference
    if found is None or found.name != "decisions" or difference is None:
        return words
    if difference.code is not None:
        return f"{words}: refused now, {difference.rule or difference.code}"
    return f"{words}: other consequences"
