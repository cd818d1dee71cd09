"""What every route may need of the service, in one place; `app` makes it."""

from __future__ import annotations

from msgspec import Struct

from meldlog_service.app.handler import Handler
from meldlog_service.app.live import Live
from meldlog_service.catalogue import Catalogue
from meldlog_service.http.open_streams import OpenStreams
from meldlog_service.metrics import Metrics
from meldlog_service.settings import Settings
from meldlog_service.store.event_store import EventStore


class Service(Struct, frozen=True):
    """The parts of a running service."""

    settings: Settings
    store: EventStore
    catalogue: Catalogue
    handler: Handler
    live: Live
    metrics: Metrics
    streams: OpenStreams
    operator_token_hash: str

    def url(self, path: str) -> str:
        """A path of this service as callers see it: absolute where the public URL is known."""
        return f"{self.settings.public_url or ''}{path}"
