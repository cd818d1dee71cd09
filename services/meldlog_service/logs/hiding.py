"""No token, password, seed or salt reaches a line."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

from structlog.typing import EventDict, WrappedLogger

from meldlog_service.settings import HIDDEN

_SECRET_NAME = re.compile(r"^(.*[_-])?(token|authorization|cookie|password|secret|seed|salt)$", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"(bearer +|(?:token|password)=)[^\s&\"',;]+", re.IGNORECASE)
TOKEN_PREFIX = "mt_"
_TOKEN = re.compile(r"mt_[A-Za-z0-9_-]{16,}")
"""A token of the service's own making, as people paste it into URLs."""
_known: set[str] = set()
"""Secrets of any form that this process knows, as they are and as they stand in URLs."""


def never_tell(secret: str) -> None:
    """Hide a secret of any form, as an operator's token may have, wherever it stands in a line from now on."""
    _known.update((secret, quote(secret), quote(secret, safe=""), unquote(secret)))


def may_be_told(text: str) -> bool:
    """Whether neither a token nor a secret that this process knows stands in a text."""
    return TOKEN_PREFIX not in text and not any(secret in text for secret in _known)


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace tokens, passwords, seeds and salts by a word, whether they stand alone or inside a text."""
    return {
        name: HIDDEN if value is not None and is_secret_name(name) else _hidden(value)
        for name, value in event.items()
    }


def _hidden(value: object) -> object:
    if type(value) is int or type(value) is float:
        return value
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, dict):
        return hide_secrets(None, "", value)
    if isinstance(value, list | tuple):
        return [_hidden(item) for item in value]
    return value


def without_secrets(text: str) -> str:
    """A text in which every secret is replaced by a word."""
    if not may_be_told(text):
        longest_first = sorted(_known, key=len, reverse=True)  # one may be a part of another
        text = re.sub("|".join([_TOKEN.pattern, *map(re.escape, longest_first)]), HIDDEN, text)
    # Any other secret inside a text follows a space or an equals sign, which most texts do not have.
    return _SECRET_TEXT.sub(rf"\1{HIDDEN}", text) if " " in text or "=" in text else text


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret."""
    return _SECRET_NAME.match(name) is not None
