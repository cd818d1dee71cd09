"""Logs: one line for one thing done, for people or for machines, and never a secret in it."""

import logging
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from types import TracebackType
from typing import ClassVar, Literal, Self, TextIO

import msgspec
import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from meldlog_service.settings import HIDDEN, LogLevel

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
    CanonicalLine.plain = None if in_colours else _PlainLines(level, form, out)
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
        return [structlog.processors.format_exc_info, hide_secrets, _fit_for_terminals, renderer]
    transform = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [
        structlog.processors.ExceptionRenderer(transform),
        hide_secrets,
        structlog.processors.JSONRenderer(serializer=_json),
    ]


def _json(event: EventDict, **_: object) -> str:
    """An event as one line; what JSON has no form for is told as `repr` tells it."""
    return _escaped(msgspec.json.encode(event, enc_hook=repr).decode())


class _Escaped:
    """A text that the console renderer shows as it is: to a `str` with odd characters it would do more."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _fit_for_terminals(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Escape what a terminal would obey or not show; what callers send stands in some of the texts.

    Values inside lists and dicts are shown by `repr`, which does the same.
    """
    return {
        name: value
        if not isinstance(value, str) or value.isprintable()
        else "\n".join(map(_escaped, value.split("\n")))
        if name in _OF_MANY_LINES
        else _Escaped(_quoted(value))
        for name, value in event.items()
    }


_OF_MANY_LINES = frozenset({"exception", "stack"})
"""Fields that the console renderer puts below the line."""


def _quoted(text: str) -> str:
    """A text with its odd characters escaped, in quotes where it could be taken for several fields."""
    return f'"{_escaped(text)}"' if any(one in text for one in " \t\n\r=\"'") else _escaped(text)


def _escaped(text: str) -> str:
    r"""A text with ``\u009b`` and the like for controls, overrides of the writing direction and what is not seen.

    In JSON this is another spelling of the same text.
    """
    if text.isprintable():
        return text
    return "".join([one if one.isprintable() else _spelt(one) for one in text])


def _spelt(character: str) -> str:
    """A character as JSON spells it in ASCII; those beyond U+FFFF as two."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])


_SECRET_NAME = re.compile(r"^(.*[_-])?(token|authorization|cookie|password|secret|seed|salt)$", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"(bearer +|(?:token|password)=)[^\s&\"',;]+", re.IGNORECASE)
_TOKEN = re.compile(r"\bmt_[A-Za-z0-9_-]{16,}")
"""A token of the service's own making, as people paste it into URLs."""


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace tokens, passwords, seeds and salts by a word, whether they stand alone or inside a text."""
    return {
        name: HIDDEN if value is not None and _is_secret_name(name) else _hidden(value)
        for name, value in event.items()
    }


def _hidden(value: object) -> object:
    if type(value) is int or type(value) is float:
        return value
    if isinstance(value, str):
        if "mt_" in value:
            value = _TOKEN.sub(HIDDEN, value)
        # Any other secret inside a text follows a space or an equals sign, which most texts do not have.
        return _SECRET_TEXT.sub(rf"\1{HIDDEN}", value) if " " in value or "=" in value else value
    if isinstance(value, dict):
        return hide_secrets(None, "", value)
    if isinstance(value, list):
        return [_hidden(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def _is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret."""
    return _SECRET_NAME.match(name) is not None


class _PlainLines:
    """Writes canonical lines of level info, of which every request has one, in the form that structlog gives them.

    By way of structlog's processors, which pad each field anew, a line costs as much as half the command it tells of.
    """

    def __init__(self, level: LogLevel, form: Literal["console", "json"], out: TextIO) -> None:
        self._wanted = _LEVELS[level] <= logging.INFO
        self._out = out
        self._text = _console_text if form == "console" else _json_text

    def write(self, event: str, fields: EventDict) -> None:
        """Write a line, if lines of level info are wanted."""
        if self._wanted:
            bound = structlog.contextvars.get_contextvars()
            told = hide_secrets(None, "", {**bound, **fields} if bound else fields)
            at = f"{datetime.now(UTC).isoformat()[:-6]}Z"
            self._out.write(self._text(at, event, told))
            self._out.flush()


def _console_text(at: str, event: str, fields: EventDict) -> str:
    words = [f"{name}={_word(value)}" for name, value in sorted(fields.items())]
    return f"{at} [info     ] {event:<30} {' '.join(words)}\n"


_AMBIGUOUS = re.compile(r"[\s=\"']")


def _word(value: object) -> str:
    if not isinstance(value, str):
        return repr(value)
    if not value.isprintable():
        return _quoted(value)
    return repr(value) if _AMBIGUOUS.search(value) else value


def _json_text(at: str, event: str, fields: EventDict) -> str:
    return f"{_json({**fields, 'event': event, 'level': 'info', 'at': at})}\n"


class CanonicalLine:
    """The one line about a request or a command, gathered while it is worked on and written at its end.

    Example:
        with CanonicalLine("command", game_id=game_id) as line:
            version = await handle(...)
            line.add(version=version, outcome="accepted")

    The line ends with `ms`, the milliseconds it took. When an exception passes, the line is written as an
    error, with the traceback, and the exception goes on.
    """

    log: ClassVar[FilteringBoundLogger] = structlog.get_logger()
    """What writes the lines; `configure` puts the configured one here."""
    plain: ClassVar[_PlainLines | None] = None
    """What writes those of level info, unless they go to a terminal, in colours."""

    def __init__(self, event: str, clock: Callable[[], float] = time.perf_counter, **fields: object) -> None:
        self._event = event
        self._clock = clock
        self._fields = fields
        self._level: LogLevel = "info"
        self._began = 0.0

    def add(self, **fields: object) -> None:
        """Say more; a field said twice keeps its last value."""
        self._fields.update(fields)

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
        fields = self._fields
        fields["ms"] = round((self._clock() - self._began) * 1000, 3)
        if kind is None and self._level == "info" and self.plain is not None:
            self.plain.write(self._event, fields)
            return
        log = self.log
        if isinstance(error, Exception):
            log.error(self._event, exc_info=error, **fields)
        elif kind is not None:
            # A request that was cancelled because its caller went away, or a process told to stop.
            log.info(self._event, **fields, cancelled=kind.__name__)
        else:
            getattr(log, self._level)(self._event, **fields)
