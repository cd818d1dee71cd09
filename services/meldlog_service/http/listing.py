"""Pages of the list of games."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from meldlog_contracts.table import SeatKind, Status, Table
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.http.service import Service

_LOOKED_AT = 1000
"""Most games that one page looks at; a page that found too few by then ends early."""


class SeatSummary(Struct, frozen=True):
    """Who sits where; ``name`` is null while nobody does."""

    seat: int
    name: str | None
    kind: SeatKind


class GameSummary(Struct, frozen=True):
    """A game in the list."""

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


class GamePage(Struct, frozen=True):
    """Games, newest first; ``next_cursor`` is null on the last page."""

    items: tuple[GameSummary, ...]
    next_cursor: str | None


async def page_of(
    service: Service,
    status: Status | None,
    variant: str | None,
    cursor: str | None,
    limit: int,
    *,
    everything: bool,
) -> GamePage:
    """A page of the games that fit; `everything` is also what is not listed.

    Raises:
        InvalidCursor: for a cursor that no page gave out.
    """
    found: list[GameSummary] = []
    looked_at = 0
    while True:
        page = await service.store.page(status, cursor, limit - len(found))
        tables = await asyncio.gather(*(_table(service, game_id) for game_id, _ in page.items))
        found += [
            _summary(table)
            for table in tables
            # The index is derived and may be a moment behind the log: what the log says counts.
            if table is not None
            and (table.listed or everything)
            and status in (None, table.status)
            and variant in (None, table.variant)
        ]
        looked_at += len(page.items)
        cursor = page.next_cursor
        if cursor is None or len(found) >= limit or looked_at >= _LOOKED_AT:
            return GamePage(tuple(found), cursor)


async def _table(service: Service, game_id: str) -> Table | None:
    try:
        return await service.handler.table(game_id)
    except NoSuchGame:
        return None  # in the index but not in the store any more


def _summary(table: Table) -> GameSummary:
    return GameSummary(
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
