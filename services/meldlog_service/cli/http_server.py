"""One process that answers HTTP: uvicorn, told to start quickly, to stop in good order and to keep quiet."""

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from meldlog_service.cli.installed import installed
from meldlog_service.cli.listening import BACKLOG
from meldlog_service.cli.stores import archive_at, check_store, store_at
from meldlog_service.http.app import create_app
from meldlog_service.http.protocol import Protocol
from meldlog_service.settings import Settings

KEEP_ALIVE_SECONDS = 75
THRESHOLDS = (50_000, 20, 100)
"""Of the garbage collector. With Python's own (700, 10, 10) it walks through the cached tables again and again in
the middle of requests, whose own objects are gone without it when they are answered."""


def answer(
    settings: Settings,
    store_url: Callable[[], str],
    listener: socket.socket,
    ready: Callable[[], None],
    *,
    parent: socket.socket | None = None,
) -> None:
    """Answer requests in this process until it is told to stop.

    Args:
        settings: Of the service.
        store_url: Waits until the store runs, and says where.
        listener: What to accept connections from.
        ready: Is called when requests are answered.
        parent: Closes when the process that started this one ends; without one, the store is looked at first.

    Raises:
        Fault: when an installed plugin is broken.
        StoreError: when the store cannot be used.
    """
    catalogue = installed()

    def on_batch(commits: int) -> None:
        app.state.service.metrics.append_batch.observe(commits)

    store = store_at(store_url(), settings.durability, on_batch)
    app = create_app(settings, store, catalogue, archive=archive_at(settings))
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=Protocol,
        # Longer than proxies keep a connection, so that it is they who close it and no request meets a closed one.
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.trusted_proxies is not None,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=settings.shutdown_grace,
        backlog=BACKLOG,
    )
    # What uvicorn says of its own start and end is said by the command already.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)

    async def prepare() -> None:
        if parent is None:
            await check_store(store)

    HttpServer(config, prepare, ready, app.state.service.live.close, parent).run([listener])


class HttpServer(uvicorn.Server):
    """A server on a socket that is listening already.

    Args:
        config: Of uvicorn.
        prepare: Runs on the event loop before the app starts; what it raises comes out of `run`.
        ready: Is called when requests are answered.
        end_streams: Ends the answers that would never end by themselves.
        parent: Closes when the process that started this one ends; the server then stops.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        prepare: Callable[[], Awaitable[None]],
        ready: Callable[[], None],
        end_streams: Callable[[], None],
        parent: socket.socket | None,
    ) -> None:
        super().__init__(config)
        self._prepare = prepare
        self._ready = ready
        self._end_streams = end_streams
        self._parent = parent

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Prepare, start the app, begin to answer."""
        await self._prepare()
        await super().startup(sockets)
        if self._parent is not None:
            asyncio.get_running_loop().add_reader(self._parent, self._parent_ended)
        settle_garbage()
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give every open request its time, and end what is live."""
        self._end_streams()
        await super().shutdown(sockets)

    def _parent_ended(self) -> None:
        assert self._parent is not None
        asyncio.get_running_loop().remove_reader(self._parent)
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server in good order. To be told to stop is no fault: the process goes on after it."""
        handlers = {one: signal.signal(one, self.handle_exit) for one in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for one, handler in handlers.items():
                signal.signal(one, handler)


def settle_garbage() -> None:
    """Keep the collector away from all that was made at the start, which stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
