"""A real service on a real socket, in a thread of the test's process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import httpx
import uvicorn
from litestar import Litestar

from meldlog_service.app.handler import now_ms, random_hex
from meldlog_service.catalogue import Catalogue
from meldlog_service.http.app import create_app
from meldlog_service.http.protocol import Protocol
from meldlog_service.http.service import Service
from meldlog_service.settings import Settings
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.event_store import EventStore
from meldlog_service.store.memory import MemoryStore

OPERATOR_TOKEN = "the-operators-own-token"
PATIENCE = 20.0
"""Seconds after which a test gives up on a server."""


@cache
def installed() -> Catalogue:
    """The catalogue of everything installed, examined once per process."""
    return Catalogue.from_entry_points()


class _Server(uvicorn.Server):
    """Tells when it listens, and ends live streams when it stops, as whoever serves the app has to."""

    def __init__(self, app: Litestar, settings: Settings) -> None:
        trusted = settings.trusted_proxies
        super().__init__(
            uvicorn.Config(
                app,
                loop="uvloop",
                http=Protocol,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=trusted is not None,
                forwarded_allow_ips=trusted,
                timeout_graceful_shutdown=settings.shutdown_grace,
            )
        )
        self.listening = threading.Event()
        self._service: Service = app.state["service"]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.live.close()
        await super().shutdown(sockets)


class Served:
    """A running service.

    Attributes:
        url: Where it listens.
        service: Its parts.
    """

    def __init__(self, url: str, service: Service, server: _Server) -> None:
        self.url = url
        self.service = service
        self.server = server

    @property
    def port(self) -> int:
        """The port of 127.0.0.1 that it listens on."""
        return int(self.url.rpartition(":")[2])

    def client(self, token: str | None = None) -> httpx.Client:
        """A client that is whoever has this token; close it."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)

    def until(self, is_so: Callable[[], bool]) -> bool:
        """Wait for something that happens in the service by itself; False when it does not happen in good time."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True


@contextmanager
def served(
    *,
    store: Callable[[], EventStore] = MemoryStore,
    catalogue: Catalogue | None = None,
    settings: Settings | None = None,
    archive: Archive | None = None,
    now_ms: Callable[[], int] = now_ms,
    random_hex: Callable[[], str] = random_hex,
    send_buffer: int | None = None,
    port: int = 0,
    **more: object,
) -> Iterator[Served]:
    """Run a service until the block ends; `more` are settings.

    With `send_buffer` the kernel holds no more bytes than that for a caller who does not read. `port` is that of a
    service that ran before, for those who wait for it to come back.
    """
    chosen = settings or Settings.from_environment({}, operator_token=OPERATOR_TOKEN, **more)
    app = create_app(
        chosen, store(), catalogue or installed(), archive=archive, now_ms=now_ms, random_hex=random_hex
    )
    server = _Server(app, chosen)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if send_buffer is not None:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        listening.bind(("127.0.0.1", port))
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            assert server.listening.wait(PATIENCE), "the server did not start"
            yield Served(url, app.state["service"], server)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server did not stop"
