"""What the command route is measured against: a bare Litestar handler that is sent the same and answers as much.

Run as a process of its own, `python -m meldlog_bench.floor SETTINGS`, on the same server software and with the same
settings of the garbage collector as the service. With a store it also appends a commit as long as a real one,
checked and in company with the others, which is what any service that keeps its commands would have to do.
"""

from __future__ import annotations

import gc
import socket
import sys
from collections import Counter

import msgspec
import uvicorn
from litestar import Litestar, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import Struct

from meldlog_contracts.events import Event
from meldlog_service.cli.http_server import settle_garbage
from meldlog_service.settings import Durability
from meldlog_service.store.event_store import Pointer
from meldlog_service.store.redis_streams import RedisStreams


class Body(Struct):
    """A command, as bare as can be."""

    type: str
    source: str | None = None
    card: str | None = None


class FloorAnswer(Struct):
    """An answer of the same shape as a command's."""

    version: int
    events: tuple[Event, ...]
    replayed: bool


class FloorSettings(Struct):
    """What the process is told."""

    listener: int
    """Number of the socket to accept connections from."""
    answers: dict[str, FloorAnswer]
    """By type of command: answers that the service gave."""
    lines: dict[str, str]
    """By type of command: commits as long as the service's."""
    store_url: str | None = None
    """Where to append them; None to append nothing."""


def bare(settings: FloorSettings) -> HTTPRouteHandler:
    """A handler that only answers, on the route of the service."""
    answers = settings.answers

    @post("/v1/games/{game_id:str}/commands", status_code=200)
    async def answer(game_id: FromPath[str], data: Body) -> FloorAnswer:  # noqa: ARG001
        return answers[data.type]

    return answer


def appending(settings: FloorSettings, store: RedisStreams) -> HTTPRouteHandler:
    """A handler that appends a commit to the log that its path names, and answers."""
    answers = settings.answers
    lines = {kind: line.encode() for kind, line in settings.lines.items()}
    versions: Counter[str] = Counter()

    @post("/v1/games/{game_id:str}/commands", status_code=200)
    async def answer(game_id: FromPath[str], data: Body) -> FloorAnswer:
        versions[game_id] += 1
        pointer = Pointer(game_id, versions[game_id], data.type, "playing", 0, None)
        await store.append(pointer, lines[data.type])
        return answers[data.type]

    return answer


class FloorServer(uvicorn.Server):
    """Tells that it answers by a line on standard output."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        await super().startup(sockets)
        settle_garbage()
        sys.stdout.write("ready\n")
        sys.stdout.flush()


def main(text: str) -> None:
    """Serve until told to stop."""
    gc.disable()
    settings = msgspec.json.decode(text, type=FloorSettings)
    url = settings.store_url
    handler = bare(settings) if url is None else appending(settings, RedisStreams(url, Durability("process")))
    config = uvicorn.Config(
        Litestar([handler], openapi_config=None, logging_config=None),
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )
    with socket.socket(fileno=settings.listener) as listener:
        FloorServer(config).run([listener])


if __name__ == "__main__":
    main(sys.argv[1])
