"""What many open games cost in memory: the service with its bounded cache, and its embedded store, together.

Slow, so it is measured only when it is asked for: two million commits are made, stored and read back.
"""

from __future__ import annotations

import http.client
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from meldlog_bench.filling import DURABILITY, fill
from meldlog_bench.machine import PROC, Usage, usage_of
from meldlog_bench.plays import Play, Step, any_legal, played
from meldlog_bench.results import Gap, Row, Target
from meldlog_bench.servers import HOST, Served, service
from meldlog_service.catalogue import Catalogue
from meldlog_service.store.embedded import EmbeddedServer

GAMES = 10_000
"""As many as a worker keeps folded, by default."""
COMMITS = 200
PARTS = 100
"""In how many pieces the work is done."""
STEPS = 2 * PARTS
MIB = 1024 * 1024
SETTLING_SECONDS = 120.0


def measured(_: Catalogue, tick: Callable[[], None]) -> Iterator[Row | Gap]:
    """Fill a store, have the service fold every game, and look at both."""
    if not PROC.is_dir():
        yield Gap("memory", "this system does not tell what a process uses (there is no /proc)")
        return
    with tempfile.TemporaryDirectory(prefix="meldlog-bench-") as folder:
        data = Path(folder) / "data"
        with EmbeddedServer(data, DURABILITY) as store:
            _fill(store.url, tick)
        with service(data, "--log-level", "warning") as served:
            idle = _usage(served)
            _touch(served, tick)
            usage = _settled(served)
    yield Row(
        name="memory.together",
        title=f"Memory of {GAMES:,} open games of {COMMITS} commits, service and embedded store together",
        figure=(usage.service_bytes + usage.store_bytes) / MIB,
        unit="MiB",
        target=Target("figure", "at most", 1536),
        details={
            "service MiB": round(usage.service_bytes / MIB, 1),
            "store MiB": round(usage.store_bytes / MIB, 1),
            "service with no game in its cache MiB": round(idle.service_bytes / MIB, 1),
        },
    )


def _fill(url: str, tick: Callable[[], None]) -> None:
    """On all cores, since it takes longest."""
    cores = multiprocessing.cpu_count()
    names = [f"memory-{number:05d}" for number in range(GAMES)]
    parts = [(url, names[start : start + GAMES // PARTS]) for start in range(0, GAMES, GAMES // PARTS)]
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        for _ in pool.imap_unordered(_fill_part, parts):
            tick()


def _fill_part(part: tuple[str, Sequence[str]]) -> None:
    url, names = part
    catalogue = Catalogue.from_entry_points()
    fill(url, (_game(catalogue, name) for name in names))


def _game(catalogue: Catalogue, name: str) -> Sequence[Step]:
    play = Play(catalogue, name)
    return (*play.lobby, *played(play, any_legal, COMMITS - len(play.lobby)))


def _touch(served: Served, tick: Callable[[], None]) -> None:
    """Ask for every table, so that the service reads, checks and keeps it."""
    connection = http.client.HTTPConnection(HOST, served.port)
    for number in range(GAMES):
        connection.request("GET", f"/v1/games/memory-{number:05d}")
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != http.client.OK:
            raise RuntimeError(f"the service answered {answer.status}: {body.decode()}")
        if number % (GAMES // PARTS) == 0:
            tick()
    connection.close()


def _settled(served: Served) -> Usage:
    """Once the store no longer rewrites its file, for which it is there twice for a while."""
    usage = _usage(served)
    until = time.monotonic() + SETTLING_SECONDS
    while time.monotonic() < until:
        time.sleep(2)
        before, usage = usage, _usage(served)
        if usage.store_bytes == before.store_bytes:
            break
    return usage


def _usage(served: Served) -> Usage:
    usage = usage_of(served.pid)
    if usage is None:
        raise RuntimeError("the service has ended")
    return usage
