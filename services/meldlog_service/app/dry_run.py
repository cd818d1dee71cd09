"""Judging without storing, and without telling what only a stored command may tell.

Whoever asks "what if" must not learn the next card by it. Whether a seat's command (or list) is allowed follows from
what the seat can see, but the events it causes may hold more: they are told with their secrets closed, and only up to
the first that brings something to light.
"""

from __future__ import annotations

from meldlog_contracts.commands import Command
from meldlog_contracts.events import (
    CardDrawn,
    DealEnded,
    DealScored,
    DealStarted,
    Event,
    GameStarted,
    SeedsRevealed,
    StockRenewed,
)
from meldlog_contracts.table import Table
from meldlog_service.core.chain import close_event
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.ruleset import Ruleset

_TOLD_LAST = (CardDrawn, DealEnded, StockRenewed)
"""Events that bring something to light; they themselves can be told with their secrets closed."""
_NEVER_TOLD = (GameStarted, DealStarted, DealScored, SeedsRevealed)
"""Events that say it in the open."""


def foreseen(command: Command, by: str, table: Table, rules: Ruleset, context: Context) -> tuple[Event, ...]:
    """What the command would cause, as far as it can be told beforehand.

    Raises:
        Refused: when the command may not be.
    """
    told: list[Event] = []
    for event in decide(command, by, table, rules, context).events:
        if isinstance(event, _NEVER_TOLD):
            break
        told.append(close_event(event))
        if isinstance(event, _TOLD_LAST):
            break
    return tuple(told)
