"""Canonical lines of level info, of which every request has one, in the form that structlog gives them.

By way of structlog's processors, which pad each field anew, a line costs as much as half the command it tells of.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from select import PIPE_BUF
from threading import get_ident
from typing import Literal, TextIO

import msgspec
import structlog
from structlog.typing import EventDict

from meldlog_service.logs.escaping import escaped, quoted
from meldlog_service.logs.hiding import hide_secrets, is_secret_name, may_be_told

Form = Literal["console", "json"]
_HARMLESS = re.compile(r"[\w.~:/{}-]*", re.ASCII)
"""Texts that are told as they are in either form; none holds a secret, unless `may_be_told` says so."""
_AMBIGUOUS = re.compile(r"[\s=\"']")
_AS_THEY_ARE = (str, int, float)


class PlainLines:
    """Writes lines; those of one turn of an event loop go out together.

    Args:
        form: One line of words, or one JSON object a line.
        out: Where to.
        wanted: Whether lines of this level are written at all.
    """

    def __init__(self, form: Form, out: TextIO, *, wanted: bool) -> None:
        self._form: Form = form
        self._out = out
        self._wanted = wanted
        self._text = _console_text if form == "console" else _json_text
        self._held: list[str] = []
        self._holder = 0
        """The thread whose loop writes what is held."""

    def write(self, event: str, fields: EventDict) -> None:
        """Write a line, if such lines are wanted."""
        if not self._wanted:
            return
        bound = structlog.contextvars.get_contextvars()
        told = {**bound, **fields} if bound else fields
        values = told.values()
        layout = _layout(self._form, event, tuple(told), tuple(map(type, values)))
        texts = "".join([one for one in values if type(one) is str])
        if layout is not None and may_be_told(texts) and _HARMLESS.fullmatch(texts):
            line = layout % {**told, "at": _now()}
        else:
            line = self._text(_now(), event, hide_secrets(None, "", told))
        if self._held and self._holder == get_ident():
            self._held.append(line)  # and to ask for the loop would ask the system for the process
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # there is no turn to wait for
            self._out.write(line)
            self._out.flush()
            return
        self._held.append(line)
        self._holder = get_ident()
        loop.call_soon(self.flush)

    def flush(self) -> None:
        """Write what is held."""
        if self._held:
            lines, self._held = self._held, []
            for piece in _pieces(lines):
                self._out.write(piece)
                self._out.flush()


def _pieces(lines: list[str]) -> Iterator[str]:
    """Whole lines, as many as a pipe takes undivided: several workers write to the same one."""
    piece: list[str] = []
    size = 0
    for line in lines:
        length = len(line) if line.isascii() else len(line.encode())
        if size + length > PIPE_BUF and piece:
            yield "".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += length
    yield "".join(piece)


@lru_cache(maxsize=256)
def _layout(form: Form, event: str, names: tuple[str, ...], kinds: tuple[type, ...]) -> str | None:
    """A line with gaps for harmless values of these kinds; None where each value has to be looked at."""
    if "at" in names or any(kind not in _AS_THEY_ARE for kind in kinds) or any(map(is_secret_name, names)):
        return None
    if not all(map(str.isidentifier, names)) or not _HARMLESS.fullmatch(event):
        return None
    if form == "console":
        return (
            f"%(at)s [info     ] {event:<30} {' '.join([f'{name}=%({name})s' for name in sorted(names)])}\n"
        )
    gaps = [
        f'"{name}":"%({name})s"' if kind is str else f'"{name}":%({name})s'
        for name, kind in zip(names, kinds, strict=True)
    ]
    return f'{{{",".join(gaps)},"event":"{event}","level":"info","at":"%(at)s"}}\n'


def _now() -> str:
    seconds, micros = divmod(time.time_ns() // 1000, 1_000_000)
    return f"{_second(seconds)}.{micros:06d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]


def _console_text(at: str, event: str, fields: EventDict) -> str:
    words = [f"{name}={_word(value)}" for name, value in sorted(fields.items())]
    return f"{at} [info     ] {event:<30} {' '.join(words)}\n"


def _word(value: object) -> str:
    if not isinstance(value, str):
        return repr(value)
    if not value.isprintable():
        return quoted(value)
    return repr(value) if _AMBIGUOUS.search(value) else value


def _json_text(at: str, event: str, fields: EventDict) -> str:
    return f"{as_json({**fields, 'event': event, 'level': 'info', 'at': at})}\n"


def as_json(event: EventDict, **_: object) -> str:
    """An event as one line; what JSON has no form for is told as `repr` tells it."""
    return escaped(msgspec.json.encode(event, enc_hook=repr).decode())
