"""Live: everybody who follows a game is given every version of it, in order, without a gap or a repeat.

News only wakes; what is given is always read from the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from meldlog_contracts.events import Commit
from meldlog_service.app.handler import Handler
from meldlog_service.store.event_store import Subscription

PAGE = 500
"""Commits read at a time by whoever is far behind."""


class Live:
    """The followers of one process.

    Args:
        handler: Where logs are read.
    """

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._feed = handler.store.follow()
        self._closed = False
        self._waiting: set[asyncio.Future[int]] = set()

    async def versions(self, game_id: str, after: int) -> AsyncGenerator[Commit, None]:
        """Every commit after a version, those that are there and then each as it comes; ends when this is closed.

        Raises:
            StoreUnavailable: when the store cannot be read; go on from the last version that was given.
            Corrupt: when the log cannot be read.
        """
        with self._feed.subscribe(game_id) as news:
            while True:
                full = True
                while full:
                    commits = await self._handler.read(game_id, after, PAGE)
                    for commit in commits:
                        yield commit
                        after = commit.version
                    # After a part of a page there was nothing more, and what came since is news.
                    full = len(commits) == PAGE
                if not await self._news(news):
                    return

    async def _news(self, news: Subscription) -> bool:
        """Wait for news; False when there will be no more."""
        if self._closed:
            return False
        changed = asyncio.ensure_future(news.changed())
        self._waiting.add(changed)
        try:
            await changed
        except asyncio.CancelledError:
            if changed.cancelled() and not _is_cancelling():
                return False  # closed meanwhile
            raise
        finally:
            self._waiting.discard(changed)
        return True

    def close(self) -> None:
        """End every stream: what is there has been given, and nothing more comes."""
        self._closed = True
        for changed in self._waiting:
            changed.cancel()


def _is_cancelling() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
