"""Data folders of services that do not run, with games in them."""

import asyncio
from pathlib import Path

from tests.support.archives import put
from tests.support.games import Game
from tests.support.servers import embedded_server

from meldlog_service.store.redis_streams import RedisStreams

GAMES = ("g1", "g2", "g3")
"""Those that are over."""


def filled(folder: Path, games: tuple[Game, ...]) -> None:
    """Have an embedded store keep these games, and end."""

    async def fill(url: str) -> None:
        store = RedisStreams(url)
        for game in games:
            await put(store, game)
        await store.close()

    with embedded_server(folder) as server:
        asyncio.run(fill(server.url))
