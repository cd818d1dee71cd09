"""Commands on their way: games prepared in a store, the requests that play them, and the client that sends them."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from meldlog_bench.plays import Play, Step
from meldlog_bench.servers import HOST

SOURCE = Path(__file__).with_name("client.c")


class NoCompiler(Exception):
    """There is no C compiler on this machine."""


class Sent(Struct, frozen=True):
    """What the client measured: requests that were answered, and how long single answers took."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    answer_bytes: int

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


def compiled(folder: Path) -> Path:
    """The client as a program.

    Raises:
        NoCompiler: where there is no `cc`.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise NoCompiler("no C compiler (cc) is installed")
    program = folder / "client"
    subprocess.run(
        [compiler, "-O2", "-std=c11", "-D_GNU_SOURCE", "-o", str(program), str(SOURCE)], check=True
    )
    return program


def command_request(play: Play, step: Step) -> bytes:
    """A command as its seat posts it, as most clients would."""
    seat = int(step.by.removeprefix("seat:"))
    body = msgspec.json.encode(step.command)
    head = (
        f"POST /v1/games/{play.name}/commands HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {play.token(seat)}\r\n"
        "Accept: */*\r\nUser-Agent: meldlog-bench\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def plan(games: Sequence[Sequence[bytes]], connections: int) -> bytes:
    """Requests of each game in their order, a game to a connection and the games of a connection in turns."""
    lists = [
        [one for turn in zip(*games[start::connections], strict=True) for one in turn]
        for start in range(connections)
    ]
    return b"".join(
        [struct.pack("=I", len(lists)), *(piece for requests in lists for piece in _connection(requests))]
    )


def _connection(requests: Sequence[bytes]) -> Iterable[bytes]:
    yield struct.pack("=I", len(requests))
    for one in requests:
        yield struct.pack("=I", len(one))
        yield one


def send(client: Path, port: int, prepared: bytes, until: Literal["all", "busy"]) -> Sent:
    """Send a plan: all of it, or for as long as every connection is busy.

    Raises:
        CalledProcessError: when an answer was not 200; the client prints it.
    """
    done = subprocess.run(
        [str(client), HOST, str(port), until], input=prepared, stdout=subprocess.PIPE, check=True
    )
    return msgspec.json.decode(done.stdout, type=Sent)
