"""Processes that archive a game each, and are killed before a write: `python -m tests.support.killed_archiver`.

Arguments are the store's URL, the archive's folder, and pairs `game:write`. Each is done by a process of its own,
forked from one that has imported everything; SIGKILL, so that nothing of it is tidied up.
"""

import asyncio
import os
import signal
import sys

from tests.support.archives import Fate, FatefulObjects

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.redis_streams import RedisStreams


class FatefulStreams(RedisStreams):
    """A real store whose removals are counted."""

    def __init__(self, url: str, fate: Fate) -> None:
        super().__init__(url)
        self._fate = fate

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        self._fate.comes()
        await super().remove(game_id, last)


async def archive(url: str, folder: str, game: str, write: int) -> None:
    """Archive a game, up to a write."""
    fate = Fate(write, lambda: os.kill(os.getpid(), signal.SIGKILL))
    store = FatefulStreams(url, fate)
    await Archiver(ArchivedStore(store, Archive(FatefulObjects(Folder(folder), fate)))).archive(game)
    await store.close()


def main(url: str, folder: str, *pairs: str) -> None:
    """Fork, wait, and print how each ended."""
    for pair in pairs:
        game, _, write = pair.rpartition(":")
        child = os.fork()
        if not child:
            asyncio.run(archive(url, folder, game, int(write)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(pair, os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
