"""Reaching the store of a service from another process: of one that runs, and of one that does not."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.settings import Durability, Settings, variable, without_password
from meldlog_service.store.event_store import EventStore, StoreError

if TYPE_CHECKING:
    from meldlog_service.store.archive.archive import Archive
    from meldlog_service.store.embedded import EmbeddedServer

Result = TypeVar("Result")
_log = logging.getLogger(__name__)

STARTING_SECONDS = 10.0
"""How long a service may take from claiming its data folder to answering."""


def using_store(
    settings: Settings, work: Callable[[EventStore], Awaitable[Result]], *, new: bool = False
) -> Result:
    """Do something with the store of the service that the settings name.

    Args:
        settings: Of the service.
        work: What to do.
        new: Whether a data folder in which no service has kept games yet is made a store.

    Raises:
        Fault: when the store cannot be reached or fails.
    """
    try:
        with store_url(settings, new=new) as url:
            return asyncio.run(_with_store(url, settings, work))
    except StoreError as error:
        raise Fault(str(error)) from error


async def _with_store(
    url: str, settings: Settings, work: Callable[[EventStore], Awaitable[Result]]
) -> Result:
    store = store_at(url, settings.durability)
    archive = archive_at(settings)
    if archive is not None:
        from meldlog_service.store.archive.store import ArchivedStore

        store = ArchivedStore(store, archive)
    try:
        return await work(store)
    finally:
        await store.close()


def store_at(url: str, durability: Durability, on_batch: Callable[[int], None] | None = None) -> EventStore:
    """A store by its URL, not connected yet; raises Fault for a URL that names none.

    Args:
        url: Of the server.
        durability: What an append waits for.
        on_batch: Hears how many appends went out together.
    """
    from meldlog_service.store.redis_streams import RedisStreams

    try:
        return RedisStreams(url, durability, on_batch=on_batch)
    except ValueError as error:
        raise Fault(f"{without_password(url)} names no store: {error}", WRONG_USAGE) from error


def archive_at(settings: Settings) -> Archive | None:
    """The archive of a service, if it has one; nothing is asked of it yet. Raises Fault for a URL that names none."""
    place = settings.archive_place()
    if place is None:
        return None
    from meldlog_service.store.archive.archive import Archive
    from meldlog_service.store.archive.objects import objects_at

    try:
        return Archive(objects_at(place))
    except ValueError as error:
        raise Fault(f"{variable('archive_url')} cannot be used: {error}", WRONG_USAGE) from error


async def check_store(store: EventStore) -> None:
    """See that the server can be reached and would keep games, else raise StoreError; log what it may lose them by."""
    for warning in await store.check():
        _log.warning("%s", warning)


@contextmanager
def store_url(settings: Settings, *, new: bool = False) -> Iterator[str]:
    """Where the store of a service listens, for as long as it is needed.

    That is a server of the operator's own; the embedded one, if a service runs on the data folder; or else the same
    server, started for the time being.

    Raises:
        Fault: when no service has ever kept games in the data folder (unless it may be new), or this user may not
            look into it.
        StoreError: when the server does not start.
    """
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    try:
        url, server = _embedded(settings, new=new)
    except OSError as error:
        raise Fault(f"the data folder {settings.data_dir} cannot be used: {error.strerror}") from error
    try:
        yield url
    finally:
        if server is not None:
            server.stop()


def _embedded(settings: Settings, *, new: bool) -> tuple[str, EmbeddedServer | None]:
    """The URL of the embedded server, and the server itself where it had to be started."""
    from meldlog_service.store.embedded import EmbeddedServer, FolderInUse

    folder = settings.data_dir
    if not new and not (folder / "appendonlydir").is_dir():
        raise Fault(f"no service has kept games in {folder}: name its folder with --data-dir", WRONG_USAGE)
    until = time.monotonic() + STARTING_SECONDS
    while (running := _running_server(folder)) is None:
        server = EmbeddedServer(folder, settings.durability)
        try:
            server.start()
        except FolderInUse:
            # A service that has claimed the folder and whose server does not answer yet.
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return server.url, server
    return running, None


def _running_server(folder: Path) -> str | None:
    """The URL of the server that works in a data folder now."""
    from meldlog_service.store.embedded.asking import ask
    from meldlog_service.store.embedded.folder import DataFolder

    data = DataFolder(folder)
    socket = data.old_socket()
    if socket is None or ask(socket, "CONFIG", "GET", "dir") != ["dir", str(data.path)]:
        return None
    return f"unix://{quote(str(socket))}"


async def read_log(store: EventStore, game_id: str) -> list[bytes]:
    """A game's commits as they are stored; raises Fault when there are none."""
    lines = [line async for _, line in store.scan(game_id)]
    if not lines:
        raise Fault(f"there is no game {game_id} in this store", WRONG_USAGE)
    return lines
