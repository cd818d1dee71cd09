"""Processes that archive a game each, and are killed in the midst of it: `python -m tests.support.killed_archiver`.

Arguments are the store's URL, the archive's folder, and pairs `game:write` or `game:0.5`. Each is done by a process of
its own, forked from one that has imported everything, and killed before a write or after a part of the time that the
first one took. Nothing of it is tidied up.
"""

import asyncio
import os
import signal
import sys
import time

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


async def archive(url: str, folder: str, game: str, write: int | None) -> None:
    """Archive a game, up to a write; to the end without one."""
    fate = Fate(write, lambda: os.kill(os.getpid(), signal.SIGKILL))
    store = FatefulStreams(url, fate)
    await Archiver(ArchivedStore(store, Archive(FatefulObjects(Folder(folder), fate)))).archive(game)
    await store.close()


def main(url: str, folder: str, *pairs: str) -> None:
    """Fork, wait, and print how each ended."""
    whole = 0.0
    for pair in pairs:
        game, _, when = pair.rpartition(":")
        began = time.monotonic()
        child = os.fork()
        if not child:
            if "." in when:
                # Of the alarm nobody has to hear: it ends the process in the middle of whatever it does.
                signal.setitimer(signal.ITIMER_REAL, float(when) * whole)
            asyncio.run(archive(url, folder, game, None if "." in when else int(when)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        whole = whole or time.monotonic() - began
        print(pair, os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
