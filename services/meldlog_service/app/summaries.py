"""What a list of games shows of each; of a game in the archive without reading and folding its log."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from meldlog_contracts.table import SeatKind, Status, Table
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import Handler
from meldlog_service.core.context import rfc3339


class SeatSummary(Struct, frozen=True):
    """Who sits where; ``name`` is null while nobody does."""

    seat: int
    name: str | None
    kind: SeatKind


class KeptSummary(Struct, frozen=True):
    """What a table says of a game. Archives hold these: a new field has a default, and none changes its meaning."""

    game_id: str
    version: int
    status: Status
    variant: str
    options: tuple[str, ...]
    seats: tuple[SeatSummary, ...]
    listed: bool
    turn_seconds: int | None
    created_at: str
    deal: int
    """Number of the deal being played; 0 before the first."""
    of: int | None
    """How many deals the game has, where that is fixed."""
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None


class GameSummary(KeptSummary, frozen=True, kw_only=True):
    """A game in the list."""

    updated_at: str
    """When its last command was given: what nobody touches any more is told from what is played."""


async def summary(handler: Handler, game_id: str) -> GameSummary | None:
    """A game as it is now; None when there is no such game (any more).

    Raises:
        Corrupt, StoreUnavailable: as in `Handler.table`.
    """
    known = handler.cached(game_id)
    if known is None or known.status == "finished":
        kept = await handler.store.archived(game_id)
        if kept is not None:
            return _dated(msgspec.json.decode(kept.summary, type=KeptSummary), rfc3339(kept.ended_ms))
    try:
        table, updated_at = await handler.dated(game_id)
    except NoSuchGame:
        return None
    return _dated(summary_of(table), updated_at)


def _dated(kept: KeptSummary, updated_at: str) -> GameSummary:
    return GameSummary(**asdict(kept), updated_at=updated_at)


def summary_of(table: Table) -> KeptSummary:
    """What a list shows of a game at this table, and an archive keeps of it."""
    return KeptSummary(
        game_id=table.game_id,
        version=table.version,
        status=table.status,
        variant=table.variant,
        options=table.options,
        seats=tuple(SeatSummary(number, seat.name, seat.kind) for number, seat in enumerate(table.seats)),
        listed=table.listed,
        turn_seconds=table.turn_seconds,
        created_at=table.created_at,
        deal=table.deal.number,
        of=table.deals,
        totals=table.totals,
        winners=None if table.result is None else table.result.winners,
    )
