"""Texts made fit for a terminal and for one line: what callers send stands in some of them."""

from __future__ import annotations

from structlog.typing import EventDict, WrappedLogger


class _Escaped:
    """A text that the console renderer shows as it is: to a `str` with odd characters it would do more."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def fit_for_terminals(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Escape what a terminal would obey or not show; what callers send stands in some of the texts.

    Values inside lists and dicts are shown by `repr`, which does the same.
    """
    return {
        name: value
        if not isinstance(value, str) or value.isprintable()
        else "\n".join(map(escaped, value.split("\n")))
        if name in _OF_MANY_LINES
        else _Escaped(quoted(value))
        for name, value in event.items()
    }


_OF_MANY_LINES = frozenset({"exception", "stack"})
"""Fields that the console renderer puts below the line."""


def quoted(text: str) -> str:
    """A text with its odd characters escaped, in quotes where it could be taken for several fields."""
    return f'"{escaped(text)}"' if any(one in text for one in " \t\n\r=\"'") else escaped(text)


def escaped(text: str) -> str:
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
