"""Whether the service lives and can work, and its numbers."""

from __future__ import annotations

import asyncio

from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from meldlog_service.http.negotiation import TEXT
from meldlog_service.http.problems import refusals
from meldlog_service.http.service import Service
from meldlog_service.metrics import CONTENT_TYPE
from meldlog_service.store.event_store import StoreUnavailable

_PATIENCE_SECONDS = 2.0
"""A store that takes longer to answer is as good as none to whoever asks."""


_EXPOSITION = CONTENT_TYPE.removesuffix("; charset=utf-8")  # Litestar says it of every text


class Health(Struct, frozen=True):
    """How it is."""

    status: str


@get("/healthz")
async def healthz() -> Health:
    """Say that the process lives."""
    return Health("alive")


@get("/readyz", responses=refusals("store_unavailable"))
async def readyz(service: NamedDependency[Service]) -> Health:
    """Say whether the store can be reached."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await service.store.ping()
    except TimeoutError as late:
        raise StoreUnavailable("the store does not answer") from late
    return Health("ready")


@get("/metrics", media_type=TEXT)
async def metrics(service: NamedDependency[Service]) -> Response[bytes]:
    """Give the service's numbers in Prometheus' text form."""
    return Response(service.metrics.exposition(), media_type=_EXPOSITION)
