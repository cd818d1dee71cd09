"""A command on its way: who gave it, and the table that it is meant for."""

from __future__ import annotations

from meldlog_contracts.commands import Command, TakeSeat
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Table
from meldlog_service.app.envelope import SEAT_PREFIX, actor_of
from meldlog_service.app.errors import Stale, Unauthenticated


class Asked:
    """A command on its way."""

    __slots__ = ("actor", "by", "command", "command_id", "if_match", "sent", "token_hash", "unsure")

    def __init__(
        self,
        command: Command,
        by: str,
        command_id: str,
        if_match: int | None = None,
        token_hash: str | None = None,
    ) -> None:
        self.command = command
        self.by = by
        self.actor = actor_of(command, by)
        self.command_id = command_id
        self.if_match = if_match
        self.token_hash = token_hash
        self.sent = False
        """Whether an append is under way, or was and nobody knows how it ended."""
        self.unsure: list[str] = []
        """Hashes of commits that were sent and whose answer was lost."""

    def is_a_strangers(self, table: Table) -> bool:
        """Whether the seat is another's at this table: then not even an answer given before may be told."""
        if self.token_hash is None:
            return False
        seat = int(self.by.removeprefix(SEAT_PREFIX))
        return seat >= len(table.seats) or table.seats[seat].token_hash != self.token_hash

    def misses(self, table: Table) -> Unauthenticated | Refused | Stale | None:
        """Why this is not the table that the command was meant for: its seat is another's, or it has gone on.

        A token opens one place of a table: of two seats with the same one, one could not be played.
        """
        if self.is_a_strangers(table):
            return Unauthenticated()
        if isinstance(self.command, TakeSeat) and _opens_another(self.command, table):
            detail = "this token opens something else at this table"
            return Refused("invalid", detail, faults=(Fault("/token_hash", detail),))
        if self.if_match is not None and self.if_match != table.version:
            return Stale(table.version)
        return None


def _opens_another(asked: TakeSeat, table: Table) -> bool:
    """Whether the token of somebody who sits down opens another seat of a table, or the host's place."""
    if asked.token_hash is None:
        return False
    if asked.token_hash == table.host_token_hash:
        return True
    return any(
        seat.token_hash == asked.token_hash and number != asked.seat
        for number, seat in enumerate(table.seats)
    )
