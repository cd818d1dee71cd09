"""How long a service takes from its start to its first answer."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from meldlog_bench.results import Row, Target
from meldlog_bench.servers import HOST, MELDLOG, STOP_SECONDS, environment
from meldlog_service.catalogue import Catalogue

STARTS = STEPS = 7
PATIENCE_SECONDS = 30.0


def measured(_: Catalogue, tick: Callable[[], None]) -> Iterator[Row]:
    """Several starts, each with a new data folder."""
    seconds = tuple(_timed(tick) for _ in range(STARTS))
    yield Row(
        name="start.ready",
        title="From `meldlog serve` to the first 200 of /readyz",
        figure=min(seconds),
        unit="s",
        target=Target("figure", "at most", 1.0),
        details={"median s": round(median(seconds), 3)},
        rounds=seconds,
    )


def _timed(tick: Callable[[], None]) -> float:
    seconds = _start()
    tick()
    return seconds


def _start() -> float:
    with tempfile.TemporaryDirectory(prefix="meldlog-bench-") as folder:
        port = _free_port()
        command = [str(MELDLOG), "serve", "--port", str(port), "--data-dir", str(Path(folder) / "data")]
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
        )
        try:
            while not _is_ready(port):
                if process.poll() is not None or time.perf_counter() - began > PATIENCE_SECONDS:
                    raise RuntimeError("the service does not start")
                time.sleep(0.002)
            return time.perf_counter() - began
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_SECONDS)


def _is_ready(port: int) -> bool:
    """Whether the service says so; once it listens, it is waited for."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except ConnectionError:
        return False
    finally:
        connection.close()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
