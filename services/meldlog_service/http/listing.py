"""Pages of the list of games."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from meldlog_contracts.table import Status
from meldlog_service.app.summaries import GameSummary, summary
from meldlog_service.http.service import Service

_LOOKED_AT = 1000
"""Most games that one page looks at; a page that found too few by then ends early."""


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
        games = await asyncio.gather(*(summary(service.handler, game_id) for game_id, _ in page.items))
        found += [
            game
            for game in games
            # The index is derived and may be a moment behind the log: what the log says counts.
            if game is not None
            and (game.listed or everything)
            and status in (None, game.status)
            and variant in (None, game.variant)
        ]
        looked_at += len(page.items)
        cursor = page.next_cursor
        if cursor is None or len(found) >= limit or looked_at >= _LOOKED_AT:
            return GamePage(tuple(found), cursor)
