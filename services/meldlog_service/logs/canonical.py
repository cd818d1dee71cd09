"""The one line about a request or a command."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar, Self

import structlog
from structlog.typing import FilteringBoundLogger

from meldlog_service.logs.plain_lines import PlainLines
from meldlog_service.settings import LogLevel


class CanonicalLine:
    """The one line about a request or a command, gathered while it is worked on and written at its end.

    Example:
        with CanonicalLine("command", game_id=game_id) as line:
            version = await handle(...)
            line.add(version=version, outcome="accepted")

    What is said for every request may be put into `fields` as well: it is the same, and cheaper.
    The line ends with `ms`, the milliseconds it took. When an exception passes, the line is written as an
    error, with the traceback, and the exception goes on.
    """

    log: ClassVar[FilteringBoundLogger] = structlog.get_logger()
    """What writes the lines; `configure` puts the configured one here."""
    plain: ClassVar[PlainLines | None] = None
    """What writes those of level info, unless they go to a terminal, in colours."""

    def __init__(self, event: str, clock: Callable[[], float] = time.perf_counter, **fields: object) -> None:
        self._event = event
        self._clock = clock
        self.fields: dict[str, object] = fields
        self._level: LogLevel = "info"
        self._began = 0.0

    def add(self, **fields: object) -> None:
        """Say more; a field said twice keeps its last value."""
        self.fields.update(fields)

    def raise_level(self, level: LogLevel) -> None:
        """Write the line at another level than `info`."""
        self._level = level

    def __enter__(self) -> Self:
        """Begin to count the time."""
        self._began = self._clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Write the line."""
        fields = self.fields
        fields["ms"] = round((self._clock() - self._began) * 1000, 3)
        if kind is None and self._level == "info" and self.plain is not None:
            self.plain.write(self._event, fields)
            return
        log = self.log
        if self.plain is not None:
            self.plain.flush()  # lines stand in the order in which things ended
        if isinstance(error, Exception):
            log.error(self._event, exc_info=error, **fields)
        elif kind is not None:
            # A request that was cancelled because its caller went away, or a process told to stop.
            log.info(self._event, **fields, cancelled=kind.__name__)
        else:
            getattr(log, self._level)(self._event, **fields)
