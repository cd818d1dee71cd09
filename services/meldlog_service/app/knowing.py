"""Who knew what in a game of the store."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from meldlog_contracts.table import Table
from meldlog_service.app.audit import AT_A_TIME
from meldlog_service.app.errors import NoSuchGame, NoSuchVersion
from meldlog_service.app.handler import Handler
from meldlog_service.app.reading import decoded
from meldlog_service.core.evolve import apply
from meldlog_service.core.knowledge import Knowing, SeenBy
from meldlog_service.core.views import Viewer


class Known(Struct, frozen=True):
    """What was known at a version: every seat's part for the operator and once the game is over, else one's own."""

    version: int
    known: tuple[SeenBy, ...]


async def known_at(handler: Handler, game_id: str, asking: Viewer, version: int) -> Known:
    """What was known at a version.

    Args:
        handler: Reads the log.
        game_id: Which game.
        asking: The operator for what every seat knew, another viewer for its own.
        version: From 1.

    Raises:
        NoSuchGame: when there is no log.
        NoSuchVersion: when it has no such version.
        Corrupt: when it cannot be read.
        StoreUnavailable: when the store cannot be asked.
    """
    table, knowing = Table(), Knowing(asking)
    async for line in handler.lines(game_id):
        commit = decoded(game_id, table.version + 1, line)
        table = apply(table, commit)
        knowing.take(commit, len(table.seats))
        if table.version == version:
            return Known(version, knowing.now())
        if table.version % AT_A_TIME == 0:
            await asyncio.sleep(0)
    if not table.version:
        raise NoSuchGame(game_id)
    raise NoSuchVersion(version, table.version)
