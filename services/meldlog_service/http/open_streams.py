"""The live streams that a worker holds open: how many, and how they end when the service stops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from meldlog_service.http.problems import RETRY_SECONDS, Rejected
from meldlog_service.metrics import Metrics


class OpenStreams:
    """Counts live streams, up to a limit."""

    def __init__(self, limit: int, metrics: Metrics) -> None:
        self._limit = limit
        self._metrics = metrics
        self._open = 0

    def check(self) -> None:
        """Check that there is room for one more.

        Raises:
            Rejected: ``too_many_streams``.
        """
        if self._open >= self._limit:
            raise Rejected(
                "too_many_streams",
                f"this worker holds {self._limit} live streams already",
                headers={"Retry-After": RETRY_SECONDS},
            )

    @contextmanager
    def one(self) -> Iterator[None]:
        """Be counted for as long as the stream is open."""
        self._open += 1
        self._metrics.open_streams.inc()
        try:
            yield
        finally:
            self._open -= 1
            self._metrics.open_streams.dec()
