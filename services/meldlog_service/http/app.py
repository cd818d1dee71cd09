"""The app: the one place where settings, store, catalogue, application and routes are joined."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import structlog
from litestar import Litestar, Request, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import ValidationException
from litestar.routes import HTTPRoute

from meldlog_service.app.archiving import Archiver
from meldlog_service.app.bot_runner import BotRunner
from meldlog_service.app.clocks import Clocks
from meldlog_service.app.handler import Handler, now_ms, random_hex
from meldlog_service.app.live import Live
from meldlog_service.app.seats import new_token, token_hash
from meldlog_service.catalogue import Catalogue
from meldlog_service.http import conditions
from meldlog_service.http.bodies import JsonBody
from meldlog_service.http.commands import answer_commands
from meldlog_service.http.edge import Edge
from meldlog_service.http.logged import where
from meldlog_service.http.negotiation import JSON, chosen
from meldlog_service.http.open_streams import OpenStreams
from meldlog_service.http.openapi import show_description
from meldlog_service.http.parameters import respond_unfit
from meldlog_service.http.problems import HANDLERS
from meldlog_service.http.rate_limit import RateLimiter
from meldlog_service.http.routes import API, NEGOTIATED
from meldlog_service.http.security import enter
from meldlog_service.http.service import Service
from meldlog_service.logs import never_tell
from meldlog_service.metrics import Metrics
from meldlog_service.settings import Settings
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import EventStore


def create_app(
    settings: Settings,
    store: EventStore,
    catalogue: Catalogue,
    *,
    archive: Archive | None = None,
    now_ms: Callable[[], int] = now_ms,
    random_hex: Callable[[], str] = random_hex,
) -> Litestar:
    """Join a service together.

    The app's lifespan starts what works in the background and, at its end, closes the store. Without an operator token
    in the settings nobody is the operator: whoever starts the service makes one and tells it.

    Args:
        settings: Everything that can be set.
        store: Where the logs are.
        catalogue: The installed plugins.
        archive: Where finished games are that the store no longer has.
        now_ms: The clock, in milliseconds since 1970.
        random_hex: 32 random bytes in hex; the seeds of games come from here.
    """
    if settings.operator_token is not None:
        never_tell(settings.operator_token)
    metrics = Metrics()
    background: list[Callable[[], Coroutine[None, None, None]]] = []
    if archive is not None:
        archive.on_read = metrics.archive_reads.inc
        store = ArchivedStore(store, archive)
        archiver = Archiver(store, now_ms, metrics)
        age = settings.archive_after
        background.append(lambda: archiver.run(None if age is None else 1000 * age.seconds))
    handler = Handler(
        store,
        catalogue,
        cache_tables=settings.cache_tables,
        now_ms=now_ms,
        random_hex=random_hex,
        metrics=metrics,
    )
    service = Service(
        settings=settings,
        store=store,
        catalogue=catalogue,
        handler=handler,
        live=Live(handler),
        metrics=metrics,
        streams=OpenStreams(settings.streams, metrics),
        operator_token_hash=token_hash(settings.operator_token or new_token()),
    )
    app = Litestar(
        route_handlers=[
            Router("/", route_handlers=list(API), before_request=check_asked),
            Router("/", route_handlers=[*NEGOTIATED, show_description], before_request=check_said_once),
        ],
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "guest": Provide(enter),
        },
        dto=JsonBody,
        return_dto=None,
        request_max_body_size=settings.body_limit,
        exception_handlers={**HANDLERS, ValidationException: respond_unfit},
        lifespan=[
            lambda _: _running(
                service, [*background, BotRunner(handler).run, Clocks(handler, now_ms=now_ms).run]
            )
        ],
        state=State({"service": service}),
        # The request's own line says what is to be said, and `logs` says how.
        logging_config=None,
        openapi_config=None,
        debug=False,
    )
    limit = settings.rate_limit
    # Around the router, since also a request that finds no route is answered, logged and counted.
    app.asgi_handler = Edge(
        app.asgi_handler,
        partial(answer_commands, service),
        {route.path_format: frozenset(route.methods) for route in app.routes if isinstance(route, HTTPRoute)},
        settings.public_url or "",
        None if limit is None else RateLimiter(limit.per_second),
    )
    return app


async def check_asked(request: Request[Any, Any, State]) -> None:
    """Refuse what is answered in no form that is wanted, or is not understood, before anything is done.

    A write with a query parameter that it does not have is one of those: whoever says ``dry_run`` must not be sat down.

    Raises:
        Rejected: ``not_acceptable``, ``malformed`` or ``invalid``.
    """
    chosen(request.headers.get("accept"), (JSON,))
    await check_said_once(request)
    if request.method != "GET":
        conditions.switches(request.scope["query_string"], frozenset())


async def check_said_once(request: Request[Any, Any, State]) -> None:
    """Refuse a request that says twice what counts once.

    Raises:
        Rejected: ``malformed``.
    """
    conditions.check_said_once(request.scope["headers"])


@asynccontextmanager
async def _running(
    service: Service, background: Iterable[Callable[[], Coroutine[None, None, None]]]
) -> AsyncIterator[None]:
    """What works as long as the app does."""
    async with AsyncExitStack() as leaving:
        leaving.push_async_callback(service.store.close)
        leaving.push_async_callback(service.handler.close)
        for work in background:
            leaving.push_async_callback(_ended, asyncio.create_task(_told(work())))
        leaving.callback(service.live.close)
        yield


async def _told(work: Coroutine[None, None, None]) -> None:
    """Do background work; should it ever fail, say so at once, since nobody waits for it."""
    try:
        await work
    except Exception as error:
        structlog.get_logger().critical(
            "background work has stopped", error=type(error).__name__, where=where(error)
        )
        raise


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
