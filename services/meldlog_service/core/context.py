"""What `decide` needs from outside: the time, and the seed of a new game."""

from __future__ import annotations

import functools
from datetime import UTC, datetime

from msgspec import Struct


def rfc3339(ms: int) -> str:
    """A moment (milliseconds since 1970) as RFC 3339 text in UTC, to the millisecond."""
    return f"{_second(ms // 1000)}.{ms % 1000:03d}Z"


@functools.lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    """A second as text; commands come many a second, so most of them find it made."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def milliseconds(text: str) -> int:
    """Milliseconds since 1970 of an RFC 3339 text."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


class Context(Struct, frozen=True):
    """The moment of a command, and 32 random bytes (hex) for a game that is being created or forked."""

    at_ms: int
    game_seed: str | None = None
    head: str | None = None
    """Hash of the commit that a fork goes on from."""

    def deadline(self, turn_seconds: int | None) -> str | None:
        """When a turn that begins now must be over."""
        return None if turn_seconds is None else rfc3339(self.at_ms + 1000 * turn_seconds)
