"""Events under way: each is folded as soon as it is decided, so that the next decision sees its consequence."""

from __future__ import annotations

from meldlog_contracts.events import Event
from meldlog_contracts.table import Table
from meldlog_service.core.context import Context
from meldlog_service.core.evolve import evolve
from meldlog_service.core.ruleset import Ruleset


class Draft:
    """The events decided so far, and the table after them."""

    __slots__ = ("context", "events", "rules", "table")

    def __init__(self, table: Table, rules: Ruleset, context: Context) -> None:
        """Begin with no events."""
        self.table = table
        self.rules = rules
        self.context = context
        self.events: list[Event] = []

    def add(self, event: Event) -> Table:
        """Decide one more event."""
        self.events.append(event)
        self.table = evolve(self.table, event)
        return self.table

    def next_seat(self, seat: int) -> int:
        """The seat after this one in the direction of play."""
        step = 1 if self.rules.clockwise else -1
        return (seat + step) % len(self.table.seats)

    def deadline(self) -> str | None:
        """When a turn that begins now must be over."""
        return self.context.deadline(self.table.turn_seconds)
