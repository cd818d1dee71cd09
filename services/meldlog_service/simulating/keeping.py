"""Where simulated games go: nowhere, into a folder, or into a store."""

from __future__ import annotations

import asyncio
from errno import EEXIST
from pathlib import Path
from typing import Protocol

from meldlog_service.simulating.playing import Played
from meldlog_service.store.event_store import EventStore, StoreError

SUFFIX = ".ndjson"
AT_ONCE = 64
"""Commits of a game that are on their way to the store together."""


class OtherGame(StoreError):
    """A game that is not the one to be kept has its id."""


class Keeper(Protocol):
    """Something that games are handed to, one after the other."""

    async def keep(self, played: Played) -> bool:
        """Keep a game; whether it was kept."""
        ...


class InFolder:
    """Writes every game to a file named after it, as `meldlog export` would: its log, a commit a line.

    A file is there only when it is whole: it is written under another name first.

    Args:
        folder: Made when it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def keep(self, played: Played) -> bool:
        """See `Keeper.keep`; raises OSError. Games that were not finished are kept as well, to be looked at.

        A file that is there stays as it is: the same game played again is the same file, another one raises.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        draft, file = self._folder / f".{played.game_id}.part", self._folder / f"{played.game_id}{SUFFIX}"
        log = b"".join(line + b"\n" for _, line in played.log)
        if file.exists() and file.read_bytes() != log:
            raise FileExistsError(EEXIST, "another log is there already, name another folder", str(file))
        try:
            draft.write_bytes(log)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
        return True


class InStore:
    """Appends every finished game to a store, in the same steps as if it had been played there.

    Others stay out: a service would let their bots play on. A game that the store has already stays as it is, and one
    that it has in part, from a run that was killed, is completed.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def keep(self, played: Played) -> bool:
        """See `Keeper.keep`.

        Raises:
            OtherGame: when the store has another game with this id.
            StoreError: when the store fails; the game may be there in part then.
        """
        if played.outcome != "finished":
            return False
        there = [line async for _, line in self._store.scan(played.game_id)]
        if there != [line for _, line in played.log[: len(there)]]:
            raise OtherGame(f"the store has another game {played.game_id} already")
        for begin in range(len(there), len(played.log), AT_ONCE):
            # In one turn of the event loop, so the store is sent them in this order, as one batch.
            batch = played.log[begin : begin + AT_ONCE]
            await asyncio.gather(*(self._store.append(*entry) for entry in batch))
        return True
