"""Purity: the same arguments always get the same answer, whatever the clock says, and no argument is changed."""

from __future__ import annotations

from meldlog_contracts.commands import Command
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.checking.faults import Broken
from meldlog_service.checking.watching import Watch, snapshot
from meldlog_service.core.context import Context
from meldlog_service.core.decide import Decision, decide

LATER_MS = 3 * 3_600_000 + 17
"""How much later the second decision is made; what is decided does not depend on it where turns have no time limit."""


def check_pure(
    decided: Decision,
    command: Command,
    by: str,
    table: Table,
    context: Context,
    watch: Watch,
    *,
    thorough: bool = False,
) -> None:
    """Decide a command a second time: at another time of day, by plugins that are watched.

    Raises:
        Broken: ``purity``.
    """
    before = snapshot(table)
    later = context if table.turn_seconds else Context(context.at_ms + LATER_MS, context.game_seed)
    with watch.watching(thorough=thorough):
        try:
            again = decide(command, by, table, watch.rules, later)
        except Refused as refused:
            raise Broken(
                "purity",
                f"decided again, it is refused ({refused.rule}): {refused.detail}",
                rule=refused.rule,
            ) from refused
    if snapshot(table) != before:
        raise Broken("purity", "deciding it changed the table")
    if snapshot(again.events) != snapshot(decided.events):
        raise Broken(
            "purity", f"decided again, it has other consequences: {_first_difference(decided, again)}"
        )


def _first_difference(one: Decision, other: Decision) -> str:
    for first, second in zip(one.events, other.events, strict=False):
        if snapshot(first) != snapshot(second):
            return f"first {snapshot(first).decode()}, then {snapshot(second).decode()}"
    return f"first {len(one.events)} events, then {len(other.events)}"
