"""No token, password, seed or salt reaches a line."""

from __future__ import annotations

import re
from functools import lru_cache

from structlog.typing import EventDict, WrappedLogger

from meldlog_service.settings import HIDDEN

_SECRET_NAME = re.compile(r"^(.*[_-])?(token|authorization|cookie|password|secret|seed|salt)$", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"(bearer +|(?:token|password)=)[^\s&\"',;]+", re.IGNORECASE)
TOKEN_PREFIX = "mt_"
_TOKEN = re.compile(r"\bmt_[A-Za-z0-9_-]{16,}")
"""A token of the service's own making, as people paste it into URLs."""


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
        if TOKEN_PREFIX in value:
            value = _TOKEN.sub(HIDDEN, value)
        # Any other secret inside a text follows a space or an equals sign, which most texts do not have.
        return _SECRET_TEXT.sub(rf"\1{HIDDEN}", value) if " " in value or "=" in value else value
    if isinstance(value, dict):
        return hide_secrets(None, "", value)
    if isinstance(value, list):
        return [_hidden(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret."""
    return _SECRET_NAME.match(name) is not None
