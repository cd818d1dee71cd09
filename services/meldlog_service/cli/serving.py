"""How `meldlog serve` starts and ends: the socket, the store, and one process or several that answer."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from msgspec.structs import replace

from meldlog_service.cli.announcing import announce
from meldlog_service.cli.faults import Fault
from meldlog_service.cli.listening import listen, url_of
from meldlog_service.cli.open_files import is_enough, raise_limit
from meldlog_service.settings import Settings
from meldlog_service.store.event_store import StoreError


def serve(settings: Settings, *, as_json: bool) -> None:
    """Serve until told to stop; raises Fault when that cannot begin."""
    # Imports make much and throw little away; the collector comes back when the start is over.
    gc.disable()
    signal.signal(signal.SIGTERM, _stop_at_once)
    open_files = raise_limit(settings.streams)
    with listen(settings.host, settings.port) as listener:
        from meldlog_service.app.seats import new_token

        made = new_token() if settings.operator_token is None else None
        settings = replace(settings, operator_token=settings.operator_token or made)

        def ready() -> None:
            announce(settings, url_of(listener), made, as_json=as_json)

        try:
            with _store_starting(settings) as store_url:
                from meldlog_service.logs import configure

                configure(settings.log_level, settings.log_format)
                if not is_enough(open_files, settings.streams):
                    _warn_of_limit(open_files, settings.streams)
                if settings.workers == 1:
                    from meldlog_service.cli.http_server import answer

                    answer(settings, store_url, listener, ready)
                else:
                    _answer_with_workers(settings, store_url(), listener, ready)
        except StoreError as error:
            raise Fault(str(error)) from error


def _warn_of_limit(open_files: int, streams: int) -> None:
    import structlog

    structlog.get_logger().warning(
        "the system's hard limit of open files is too low for so many live streams: raise it, or set fewer",
        open_files=open_files,
        streams=streams,
    )


def _answer_with_workers(
    settings: Settings, store_url: str, listener: socket.socket, ready: Callable[[], None]
) -> None:
    """Let worker processes answer."""
    from meldlog_service.cli.stores import check_store, using_store
    from meldlog_service.cli.supervising import supervise

    settings = replace(settings, redis_url=store_url, archive_url=settings.archive_place())
    # Once for all workers: each of them would say the same.
    using_store(settings, check_store)
    gc.enable()
    supervise(settings, listener, ready)


@contextmanager
def _store_starting(settings: Settings) -> Iterator[Callable[[], str]]:
    """Start the embedded store, where it is wanted, while this process imports the rest of itself."""
    if (url := settings.redis_url) is not None:
        yield lambda: url
        return
    from meldlog_service.store.embedded import EmbeddedServer

    server = EmbeddedServer(settings.data_dir, settings.durability)

    def running() -> str:
        try:
            starting.result()
        except OSError as error:
            raise Fault(f"the data folder {settings.data_dir} cannot be used: {error.strerror}") from error
        return server.url

    with ThreadPoolExecutor(1, "store-starting") as other_thread:
        starting = other_thread.submit(server.start)
        try:
            yield running
        finally:
            wait([starting])
            server.stop()


def _stop_at_once(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Told to stop before there is anything to finish."""
    raise SystemExit(0)
