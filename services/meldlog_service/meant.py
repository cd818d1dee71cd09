"""A name that nobody knows: which was perhaps meant, and how much of it is told."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST_NAME = 64


def meant(name: str, known: Iterable[str]) -> str:
    """Names that were perhaps meant, as a question that begins with a colon; empty where none is near."""
    near = get_close_matches(name, sorted(known), n=3) if len(name) <= _LONGEST_NAME else []
    return f": did you mean {' or '.join(near)}?" if near else ""


def cut(name: str) -> str:
    """A name that somebody chose, cut where it is too long to be one."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
