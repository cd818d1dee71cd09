"""What archiving saves and costs: the store's memory and the bytes of finished games, before and after; reading them.

Slow, so it is measured only when it is asked for: a thousand whole games are played first.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Self
from urllib.parse import unquote

from msgspec import Struct

from meldlog_bench.filling import DURABILITY, fill
from meldlog_bench.machine import PROC
from meldlog_bench.plays import Play, Step, any_legal, played
from meldlog_bench.results import Row
from meldlog_service.app.archiving import Archiver
from meldlog_service.catalogue import Catalogue
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.embedded import EmbeddedServer
from meldlog_service.store.redis_streams import RedisStreams
from meldlog_service.store.redis_streams.keys import PARTITIONS, feed_key

GAMES = 1_000
DEALS = 4
PARTS = 50
STEPS = PARTS
READS = 100
"""Games that are read from either place, none of them twice."""
KIB = 1024
NAMES = [f"archive-{number:04d}" for number in range(GAMES)]


class Store(Struct, frozen=True):
    """What the store uses, in bytes."""

    used: int
    """As it counts itself, without the feeds, which are as large as they may be whatever games there are."""
    resident: int
    """As the system counts its process; 0 where it does not tell."""


class Found(Struct, frozen=True):
    """What was measured."""

    empty: Store
    full: Store
    archived: Store
    seconds: float
    """That all moves took, one after the other."""
    commits: int
    log_bytes: int
    archive_bytes: int
    from_store: Sequence[float]
    """Seconds that reading a log took."""
    from_archive: Sequence[float]


def measured(_: Catalogue, tick: Callable[[], None]) -> Iterator[Row]:
    """Fill a store with finished games, look at it, archive all of them, look again."""
    with (
        tempfile.TemporaryDirectory(prefix="meldlog-bench-") as folder,
        EmbeddedServer(Path(folder) / "data", DURABILITY) as server,
    ):
        empty = _look(server)
        _fill(server.url, tick)
        full = _look(server)
        found = asyncio.run(_archive(server, Path(folder) / "archive", empty, full))
    of = f"{GAMES:,} finished games of {DEALS} deals, {found.commits / GAMES:,.0f} commits each"
    yield Row(
        name="archive.memory",
        title=f"Memory of the store for each archived game, of {of}",
        figure=(found.archived.used - empty.used) / GAMES / KIB,
        unit="KiB",
        floor_title="the same game in the store",
        floor=(full.used - empty.used) / GAMES / KIB,
        details={
            "store's process, empty MiB": round(empty.resident / KIB**2, 1),
            "with the games MiB": round(full.resident / KIB**2, 1),
            "with the games archived MiB": round(found.archived.resident / KIB**2, 1),
        },
    )
    yield Row(
        name="archive.bytes",
        title="An archived game on the disk, with its entry in the index",
        figure=found.archive_bytes / GAMES / KIB,
        unit="KiB",
        floor_title="its log as NDJSON",
        floor=found.log_bytes / GAMES / KIB,
    )
    yield Row(
        name="archive.read",
        title="The whole log of a game, read from the archive",
        figure=1e3 * median(found.from_archive),
        unit="ms",
        floor_title="from the store",
        floor=1e3 * median(found.from_store),
    )
    yield Row(
        name="archive.moves",
        title="Games moved to the archive, one after the other, each synced and read back",
        figure=GAMES / found.seconds,
        unit="/s",
    )


def _fill(url: str, tick: Callable[[], None]) -> None:
    """On all cores, since it takes longest."""
    size = GAMES // PARTS
    parts = [(url, NAMES[start : start + size]) for start in range(0, GAMES, size)]
    with multiprocessing.get_context("spawn").Pool(multiprocessing.cpu_count()) as pool:
        for _ in pool.imap_unordered(_fill_part, parts):
            tick()


def _fill_part(part: tuple[str, Sequence[str]]) -> None:
    url, names = part
    catalogue = Catalogue.from_entry_points()
    # Played first: while a game is played nobody reads the store's answers.
    games = [_game(catalogue, name) for name in names]
    fill(url, games)


def _game(catalogue: Catalogue, name: str) -> Sequence[Step]:
    play = Play(catalogue, name, {"deal_count": DEALS})
    return (*play.lobby, *played(play, any_legal))


async def _archive(server: EmbeddedServer, folder: Path, empty: Store, full: Store) -> Found:
    live = RedisStreams(server.url, DURABILITY)
    store = ArchivedStore(live, Archive(Folder(folder)))
    archiver = Archiver(store)
    try:
        from_store = [await _read(store, name) for name in NAMES[:READS]]
        began = time.perf_counter()
        entries = [(await archiver.archive(name)).entry for name in NAMES]
        seconds = time.perf_counter() - began
        fresh = ArchivedStore(live, Archive(Folder(folder)))
        from_archive = [await _read(fresh, name) for name in NAMES[:READS]]
        return Found(
            empty=empty,
            full=full,
            archived=_look(server),
            seconds=seconds,
            commits=sum(entry.version for entry in entries),
            log_bytes=sum(entry.log_bytes for entry in entries),
            archive_bytes=_size(folder),
            from_store=from_store,
            from_archive=from_archive,
        )
    finally:
        await live.close()


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def _read(store: ArchivedStore, name: str) -> float:
    began = time.perf_counter()
    if not [line async for _, line in store.scan(name)]:
        raise RuntimeError(f"game {name} is gone")
    return time.perf_counter() - began


def _look(server: EmbeddedServer) -> Store:
    with _Asking(server) as store:
        fields = dict(line.partition(":")[::2] for line in store.ask("INFO memory").splitlines())
        feeds = sum(
            int(store.ask(f"MEMORY USAGE {feed_key(partition)} SAMPLES 0") or 0) for partition in PARTITIONS
        )
    status = PROC / str(server.pid) / "statm"
    pages = int(status.read_text().split()[1]) if status.exists() else 0
    return Store(int(fields["used_memory"]) - feeds, pages * 4 * KIB)


class _Asking:
    """A word with the store, about itself; a context manager."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(unquote(server.url.removeprefix("unix://")))
        self._answers = self._socket.makefile("rb")

    def ask(self, command: str) -> str:
        """Its answer: a number, or a text; nothing where it has none."""
        self._socket.sendall(f"{command}\r\n".encode())
        line = self._answers.readline().decode().strip()
        if not line.startswith("$"):
            return line.lstrip(":_")
        length = int(line[1:])
        return self._answers.read(length + 2).decode() if length >= 0 else ""

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()
