"""Any number of moves there and back, by two workers, each killed anywhere or not: the game is there, and once."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.support.archives import STEPS, Fate, FatefulStore, Killed, finished, log_in, put, with_archive

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive import names
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.memory import MemoryStore, Shelf

WRITES = st.one_of(st.none(), st.integers(1, STEPS))
"""Before which write a worker is killed; None for none."""
WORKERS = st.sampled_from((0, 1))


class Files:
    """`Objects` in memory."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def read(self, name: str) -> bytes | None:
        """See `Objects.read`."""
        return self.files.get(name)

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        name = names.new_draft()
        self.files[name] = data
        return name

    def publish(self, draft: str, name: str) -> None:
        """See `Objects.publish`."""
        self.files[name] = self.files.pop(draft)

    def delete(self, name: str) -> None:
        """See `Objects.delete`."""
        self.files.pop(name, None)

    def names(self, folder: str) -> list[str]:
        """See `Objects.names`."""
        return [name for name in self.files if name.startswith(f"{folder}/")]


class Moves(RuleBasedStateMachine):
    """One game, two workers; what they keep in memory outlives a kill only where it is another's."""

    def __init__(self) -> None:
        super().__init__()
        self.shelf = Shelf()
        self.files = Files()
        self.game = finished()
        self.workers = [self._worker(None), self._worker(None)]

    def _worker(self, at: int | None) -> ArchivedStore:
        return with_archive(FatefulStore(self.shelf), self.files, Fate(at))

    @initialize()
    def play(self) -> None:
        """The game is over."""
        asyncio.run(put(MemoryStore(self.shelf), self.game))

    @rule(at=WRITES)
    def archive(self, at: int | None) -> None:
        """Somebody archives it, perhaps not to the end."""
        with suppress(Killed):
            asyncio.run(Archiver(self._worker(at)).archive("g1"))
            assert self.shelf.logs == {}

    @rule(at=WRITES)
    def restore(self, at: int | None) -> None:
        """Somebody brings it back, perhaps not to the end; nothing comes back that was never archived."""
        if self.files.read(names.entry_name("g1")) is None:
            return
        with suppress(Killed):
            asyncio.run(Archiver(self._worker(at)).restore("g1"))
            assert self.shelf.logs == {"g1": self.game.lines}

    @rule(worker=WORKERS)
    def tidy_up(self, worker: int) -> None:
        """A service starts, and ends what was interrupted."""
        archiver = Archiver(self.workers[worker])
        asyncio.run(archiver.look(None))
        assert asyncio.run(archiver.interrupted()) == []

    @rule(worker=WORKERS)
    def lose(self, worker: int) -> None:
        """The store loses what was brought back, as one may that is durable to the last second."""
        entry = asyncio.run(self.workers[worker].archive.entry("g1"))
        if entry is not None and "g1" in self.shelf.logs:
            del self.shelf.logs["g1"]

    @invariant()
    def is_there_once(self) -> None:
        """For whoever knew it before as for whoever comes new."""
        if not self.shelf.pointers:
            return
        for store in (*self.workers, self._worker(None)):
            assert asyncio.run(log_in(store, "g1")) == self.game.lines
        assert list(self.shelf.pointers) == ["g1"]


Moves.TestCase.settings = settings(max_examples=25, stateful_step_count=12)
TestMoves = Moves.TestCase
