"""What a request's log line may say about a fault: where it happened, and never what the exception says."""

from __future__ import annotations

import traceback
from collections.abc import Iterator


def where(error: BaseException) -> list[str]:
    """The way an exception took, its causes first: kinds, files, lines and functions.

    The words of an exception are left out: those of the core name cards, and a log must not tell a hand.
    """
    return [
        f"{type(one).__name__}: {frame.filename}:{frame.lineno} in {frame.name}"
        for one in _chain(error)
        for frame in traceback.extract_tb(one.__traceback__)
    ]


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception after what caused it, and after what it is a group of."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _chain(inner)
    else:
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is not None:
            yield from _chain(before)
    yield error
