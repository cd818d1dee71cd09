"""What a stored format may become without a new schema: more, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SAID = frozenset({"title", "description", "$schema"})
"""What JSON Schema says to people."""
CHOICES = frozenset({"anyOf", "enum"})
"""Lists that may grow: of events, commands and words."""


def changes(then: Any, now: Any) -> list[str]:
    """Where the second JSON Schema refuses, or means otherwise, what the first had."""
    return list(_changes(then, now, ""))


def _changes(then: Any, now: Any, path: str) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name in then.keys() - SAID:
            if name not in now:
                yield f"{path}/{name} is gone"
            elif name in CHOICES:
                yield from (f"{path}/{name}: {one} is gone" for one in then[name] if one not in now[name])
            elif name == "required":
                yield from _required(set(then[name]), set(now[name]), path)
            else:
                yield from _changes(then[name], now[name], f"{path}/{name}")
        if "properties" in then:
            old = set(then.get("required", ()))
            yield from _required(old, set(now.get("required", ())), path)
    elif then != now:
        yield f"{path}: {then} has become {now}"


def _required(then: set[str], now: set[str], path: str) -> Iterator[str]:
    yield from (f"{path}: {name} is required now" for name in sorted(now - then))
    yield from (f"{path}: {name} may be left out now" for name in sorted(then - now))
