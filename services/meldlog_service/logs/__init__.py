"""Logs: one line for one thing done, for people or for machines, and never a secret in it."""

import atexit
import logging
import sys
from typing import Literal, TextIO

import structlog
from structlog.typing import Processor

from meldlog_service.logs.canonical import CanonicalLine
from meldlog_service.logs.escaping import fit_for_terminals
from meldlog_service.logs.hiding import hide_secrets, never_tell, without_secrets
from meldlog_service.logs.plain_lines import PlainLines, as_json
from meldlog_service.settings import LogLevel

__all__ = ["CanonicalLine", "configure", "hide_secrets", "never_tell", "without_secrets"]

_LEVELS: dict[LogLevel, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(
    level: LogLevel = "info", form: Literal["console", "json"] = "console", stream: TextIO | None = None
) -> None:
    """Set up logging for this process; what libraries log through `logging` comes out in the same form.

    Args:
        level: The least severe line to write.
        form: Coloured lines for people, or one JSON object a line.
        stream: Where to write; standard error unless given. Standard output belongs to commands' answers.
    """
    out = stream if stream is not None else sys.stderr
    first: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]
    last = _last_processors(form, colors=out.isatty())
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=True,
    )
    # Bound once: to assemble a logger for every line cost a third of the line.
    CanonicalLine.log = structlog.get_logger().bind()
    in_colours = form == "console" and out.isatty()
    CanonicalLine.plain = None if in_colours else PlainLines(form, out, wanted=_LEVELS[level] <= logging.INFO)
    if CanonicalLine.plain is not None:
        atexit.register(CanonicalLine.plain.flush)  # lines held for a turn of the loop that never came
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*first, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(handlers=[handler], level=_LEVELS[level], force=True)
    # The request's own canonical line says all that these would say for each of them.
    for chatty in ("uvicorn.access", "httpx", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _last_processors(form: Literal["console", "json"], *, colors: bool) -> list[Processor]:
    """From an event to its text; no traceback shows local variables, since tokens pass through these."""
    if form == "console":
        formatter = structlog.dev.plain_traceback
        renderer = structlog.dev.ConsoleRenderer(
            colors=colors, exception_formatter=formatter, timestamp_key="at"
        )
        return [structlog.processors.format_exc_info, hide_secrets, fit_for_terminals, renderer]
    transform = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [
        structlog.processors.ExceptionRenderer(transform),
        hide_secrets,
        structlog.processors.JSONRenderer(serializer=as_json),
    ]
