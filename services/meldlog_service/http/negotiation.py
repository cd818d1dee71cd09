"""Which of the forms that a route has its caller wants (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from meldlog_service.http.problems import Rejected

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"
MARKDOWN = "text/markdown"
HTML = "text/html"
TEXT = "text/plain"


class _Range(NamedTuple):
    """One media range of an ``Accept`` header."""

    main: str
    sub: str
    q: float

    def precision(self, media_type: str) -> int:
        """How closely it names a type: 0 not at all, 3 by its full name."""
        main, _, sub = media_type.partition("/")
        if (self.main, self.sub) == (main, sub):
            return 3
        if (self.main, self.sub) == (main, "*"):
            return 2
        return 1 if (self.main, self.sub) == ("*", "*") else 0


LONGEST_KEPT = 512
"""Characters of a header whose answer is kept: browsers' have a hundred, and of long ones anybody could send many."""


def chosen(accept: str | None, offered: Sequence[str]) -> str:
    """The offered form that the caller likes best; among equals the first.

    Raises:
        Rejected: ``not_acceptable`` when the caller wants none of them.
    """
    if accept is None or not accept.strip():
        return offered[0]
    if len(accept) > LONGEST_KEPT:
        return _chosen.__wrapped__(accept, offered)
    return _chosen(accept, offered)


@lru_cache(maxsize=256)
def _chosen(accept: str, offered: Sequence[str]) -> str:
    ranges = [found for text in accept.split(",") if (found := _range(text)) is not None]
    best = max(offered, key=lambda form: _quality(form, ranges))
    if _quality(best, ranges) <= 0:
        raise Rejected("not_acceptable", f"this is to be had as {' or '.join(offered)}")
    return best


def _quality(media_type: str, ranges: Sequence[_Range]) -> float:
    """What the closest range that names a type says of it; nothing that no range names is wanted."""
    precision, quality = max(((one.precision(media_type), one.q) for one in ranges), default=(0, 0.0))
    return quality if precision else 0.0


def _range(text: str) -> _Range | None:
    """A media range; None for what is none."""
    name, *parameters = (part.strip().lower() for part in text.split(";"))
    main, slash, sub = name.partition("/")
    if not (main and slash and sub):
        return None
    q = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            try:
                q = min(max(float(value), 0.0), 1.0)
            except ValueError:
                return None
    return _Range(main, sub, q)
