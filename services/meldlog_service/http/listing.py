"""Pages of the list of games."""

from __future__ import annotations

import asyncio
import logging
from functools import lru_cache

from msgspec import Struct

from meldlog_contracts.table import Status
from meldlog_service.app.summaries import GameSummary, summary
from meldlog_service.core.evolve import Corrupt
from meldlog_service.http.service import Service
from meldlog_service.store.event_store import BrokenLog

_log = logging.getLogger(__name__)
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
        games = await asyncio.gather(*(_summary(service, game_id) for game_id, _ in page.items))
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


async def _summary(service: Service, game_id: str) -> GameSummary | None:
    """What is shown of a game; None where there is nothing, or nothing that can be read: that hides no other game."""
    try:
        return await summary(service.handler, game_id)
    except (Corrupt, BrokenLog) as fault:
        _tell(game_id, str(fault))
        return None


@lru_cache(maxsize=_LOOKED_AT)
def _tell(game_id: str, fault: str) -> None:
    """Log it once, however often the list is asked for."""
    _log.error("game %s is not listed: %s", game_id, fault)
