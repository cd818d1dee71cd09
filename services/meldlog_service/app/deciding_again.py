"""Recorded commands decided again, by the rules that the game recorded or by other versions of them."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from meldlog_contracts.commands import CreateGame
from meldlog_contracts.events import Commit, Event, GameCreated, GameForked
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import PluginRef, Table
from meldlog_service.app import differences
from meldlog_service.app.audit_report import CheckName
from meldlog_service.app.differences import Difference
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.evolve import Corrupt
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import Viewer
from meldlog_service.metrics import Verdict


class Finding(NamedTuple):
    """What a check says of one version."""

    name: CheckName
    verdict: Verdict
    version: int
    detail: str


class Judge:
    """Decides the commands of one log again, one after the other.

    Args:
        catalogue: The installed plugins.
        viewer: Who is told what differs: secrets of others stay closed.
        instead: Rules versions to judge by, by plugin, in place of those that the game recorded.

    Attributes:
        rules: Of the game, once it has been asked what they say.
        difference: The first command that is decided otherwise, if one is.
    """

    def __init__(self, catalogue: Catalogue, viewer: Viewer, instead: Mapping[str, int]) -> None:
        self.rules: Ruleset | None = None
        self.difference: Difference | None = None
        self._catalogue = catalogue
        self._viewer = viewer
        self._instead = instead
        self._has_differed = False

    def findings(
        self, commit: Commit, before: Table, after: Table | None, head: str | None
    ) -> Iterator[Finding]:
        """Decide a command again and say what is otherwise; after the first difference nothing more is said.

        Args:
            commit: What was recorded.
            before: The table that it was decided at.
            after: The table after the recorded events; None when they do not fit.
            head: Hash of the commit before.
        """
        if self._has_differed:
            return
        for finding in self._findings(commit, before, after, head):
            self._has_differed = self._has_differed or finding[:2] == ("decisions", "differs")
            yield finding

    def _findings(
        self, commit: Commit, before: Table, after: Table | None, head: str | None
    ) -> Iterator[Finding]:
        version, seed = commit.version, _seed_of(commit, before)
        if seed is None:
            yield Finding("decisions", "cannot_judge", version, "this log does not hold the game's seed")
            return
        try:
            rules, changed = self._rules_for(commit, before)
            if changed:
                detail = f"the code of {', '.join(changed)} has changed, its rules version has not"
                yield Finding("plugins", "agrees", 1, detail)
            context = Context(milliseconds(commit.at), seed, head)
            decision = decide(commit.command, commit.by, before, rules, context)
            events = chain.seal_events(decision.events, version, seed)
        except PluginUnavailable as missing:
            yield Finding("plugins", "cannot_judge", version, str(missing))
            yield Finding("decisions", "cannot_judge", version, str(missing))
        except Refused as refused:
            clause = f" ({refused.rule})" if refused.rule else ""
            self.difference = differences.refusal(
                version, commit.by, commit.command, commit.events, refused, self._viewer
            )
            detail = f"the command is refused now: {refused.detail}{clause}"
            yield Finding("decisions", "differs", version, detail)
        except Exception as error:
            # Whatever a log that was tampered with, or a plugin that has changed, makes the rules do.
            yield Finding("decisions", "differs", version, f"the command can't be decided: {_stopped(error)}")
        else:
            recorded = self._comparable(commit.events, events)
            if chain.canonical(events) != chain.canonical(recorded):
                self.difference = self._another(commit, events, decision, after)
                yield Finding("decisions", "differs", version, _first_difference(commit.events, events))

    def _comparable(self, recorded: tuple[Event, ...], decided: tuple[Event, ...]) -> tuple[Event, ...]:
        """The recorded events; judged by other rules, a game is not expected to have been created by those."""
        if self._instead and recorded and decided:
            was, now = recorded[0], decided[0]
            if isinstance(was, GameCreated) and isinstance(now, GameCreated):
                made = replace(was, house_rules=now.house_rules, plugins=now.plugins, options=now.options)
                return (made, *recorded[1:])
        return recorded

    def _another(
        self, commit: Commit, events: tuple[Event, ...], decision: Decision, after: Table | None
    ) -> Difference:
        return differences.another(
            commit.version,
            commit.by,
            commit.command,
            (commit.events, events),
            (after, replace(decision.table, version=commit.version)),
            self._viewer,
        )

    def _rules_for(self, commit: Commit, table: Table) -> tuple[Ruleset, list[str]]:
        """The rules to judge a command by, and which of them have other code than was recorded."""
        first = commit.events[0] if commit.events else None
        if isinstance(commit.command, CreateGame) and isinstance(first, GameCreated):
            if self._instead:
                self.rules = self._catalogue.ruleset_instead(
                    commit.command.variant, first.plugins, first.house_rules, self._instead
                )
                return self.rules, []
            rules = self._catalogue.ruleset_recorded(commit.command, first.plugins)
            return rules, self._changed(first.plugins)
        if self.rules is None:
            self.rules = self._catalogue.ruleset_of(table)
        return self.rules, []

    def _changed(self, recorded: tuple[PluginRef, ...]) -> list[str]:
        """Plugins whose code is not the recorded one: it may decide the same, which is what is asked."""
        return [
            ref.name
            for ref in recorded
            if self._catalogue.version(ref.name, ref.rules_version).ref.digest != ref.digest
        ]


def _stopped(error: Exception) -> str:
    """Where rules gave up, for their author; what an exception says is Python's, unless it speaks of the log."""
    if isinstance(error, Corrupt):
        return str(error)
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    where = f"{frames[-1].f_globals['__name__']}.{frames[-1].f_code.co_name}"
    return f"the rules find no answer to it and give up, in {where}"


def _seed_of(commit: Commit, table: Table) -> str | None:
    """The seed that is in force for a commit: the game's, or the one that its first event brings."""
    first = commit.events[0] if commit.events else None
    if isinstance(first, GameCreated | GameForked):
        return first.game_seed.value if isinstance(first.game_seed.value, str) else None
    return table.game_seed


def _first_difference(recorded: tuple[Event, ...], decided: tuple[Event, ...]) -> str:
    """The first event that differs, its secrets closed."""
    for place, (then, now) in enumerate(zip(recorded, decided, strict=False)):
        if chain.canonical(then) != chain.canonical(now):
            was, now_is = (chain.canonical(chain.close_event(event)).decode() for event in (then, now))
            return f"event {place}: recorded {was}, decided {now_is}"
    return f"{len(recorded)} events recorded, {len(decided)} decided"
