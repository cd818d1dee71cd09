"""Servers that are measured, each a process of its own, ended with the measurement."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from meldlog_bench.floor import FloorSettings

HOST = "127.0.0.1"
STOP_SECONDS = 30
MELDLOG = Path(sys.executable).with_name("meldlog")
"""The command, as users start it."""


class Served(Struct, frozen=True):
    """A server that answers."""

    pid: int
    port: int


@contextmanager
def service(data_dir: Path, *options: str) -> Iterator[Served]:
    """`meldlog serve` with its embedded store, as it is without any setting but the folder and the port.

    Its log lines, one for every request, go to a file in the data folder.
    """
    command = [str(MELDLOG), "serve", "--json", "--port", "0", "--data-dir", str(data_dir), *options]
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "requests.log").open("ab") as log, _running(command, log.fileno()) as (process, said):
        told = msgspec.json.decode(said, type=dict[str, object])
        yield Served(process.pid, urlsplit(str(told["url"])).port or 0)


@contextmanager
def floor(settings: FloorSettings, workers: int = 1) -> Iterator[list[Served]]:
    """The bare handler, in as many processes on one port."""
    with socket.create_server((HOST, 0), backlog=2048) as listener:
        settings = msgspec.structs.replace(settings, listener=listener.fileno())
        command = [sys.executable, "-m", "meldlog_bench.floor", msgspec.json.encode(settings).decode()]
        port = listener.getsockname()[1]
        with _several(command, listener.fileno(), workers) as processes:
            yield [Served(process.pid, port) for process in processes]


@contextmanager
def _several(command: list[str], listener: int, count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    if count == 0:
        yield []
        return
    with _running(command, None, listener) as (process, _), _several(command, listener, count - 1) as others:
        yield [process, *others]


@contextmanager
def _running(
    command: list[str], errors: int | None, *inherited: int
) -> Iterator[tuple[subprocess.Popen[bytes], bytes]]:
    """A process that has said its first line, by which it tells that it answers."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, pass_fds=inherited, env=environment()
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        if not said:
            raise RuntimeError(f"{command[0]} ended before it answered, with status {process.wait()}")
        yield process, said
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def environment() -> dict[str, str]:
    """No setting of whoever runs this may change what is measured; this package is found wherever it lies."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MELDLOG_")}
    folder = str(Path(__file__).parents[1])
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))}
