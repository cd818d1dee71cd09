"""What a request makes its effect depend on: versions (RFC 9110, section 13), idempotency keys, switches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl

from meldlog_service.http.problems import Rejected, invalid
from meldlog_service.misfits import escaped

KEY_LIMIT = 255
"""Most characters of an ``Idempotency-Key``."""
RESERVED_KEYS = ("bot:", "clock:")
"""How the keys begin that the service makes for what it plays itself."""

_SAID_ONCE = (
    b"authorization",
    b"content-encoding",
    b"content-length",
    b"content-type",
    b"idempotency-key",
    b"if-match",
    b"last-event-id",
)
_ETAGS = re.compile(r'\s*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,\s*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"\s*)*')
_ETAG = re.compile(r'(?P<weak>W/)?"(?P<opaque>[^"]*)"')
_VERSION = re.compile(r"[1-9][0-9]{0,17}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def etag(version: int) -> str:
    """The entity tag of a version."""
    return f'"{version}"'


def if_match(header: str | None, current: int) -> int | None:
    """The version that a command is meant for; None for any.

    Of several versions the current one is taken where it is among them. A weak or foreign tag is never the current one.

    Raises:
        Rejected: ``invalid`` for what is no list of entity tags; ``stale_version`` when it names no version at all.
    """
    if header is None or header.strip() == "*":
        return None
    if not _ETAGS.fullmatch(header):
        raise invalid("/If-Match", 'If-Match: expected versions as entity tags, as in "57"')
    versions = [
        int(tag["opaque"])
        for tag in _ETAG.finditer(header)
        if not tag["weak"] and _VERSION.fullmatch(tag["opaque"])
    ]
    if not versions:
        raise Rejected(
            "stale_version", f"If-Match names no version; the game is at {current}", version=current
        )
    return current if current in versions else max(versions)


def matches(if_none_match: str | None, version: int) -> bool:
    """Whether the caller has this version already (weak comparison, RFC 9110, section 13.1.2)."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or any(
        tag["opaque"] == str(version) for tag in _ETAG.finditer(if_none_match)
    )


def idempotency_key(header: str | None) -> str | None:
    """The key that makes a retry safe; None when there is none.

    Raises:
        Rejected: ``invalid`` for an empty key, one that is too long, one with control characters, and one that is kept
            for the service's own commands.
    """
    if header is None:
        return None
    try:
        key = header.encode("latin-1").decode()
    except UnicodeDecodeError as error:
        raise _bad_key("is text in UTF-8") from error
    if not key.strip():
        raise _bad_key("is not empty")
    if len(key) > KEY_LIMIT:
        raise _bad_key(f"has at most {KEY_LIMIT} characters")
    if _CONTROL.search(key):
        raise _bad_key("holds no control characters")
    if key.startswith(RESERVED_KEYS):
        raise _bad_key(f"does not begin with {' or '.join(RESERVED_KEYS)}")
    return key


def _bad_key(rule: str) -> Rejected:
    return invalid("/Idempotency-Key", f"an Idempotency-Key {rule}")


def check_said_once(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Check that what decides who asks for what is not said twice: the service and a proxy could heed different ones.

    Raises:
        Rejected: ``malformed``.
    """
    names = [name for name, _ in headers]
    for name in _SAID_ONCE:
        if names.count(name) > 1:
            raise Rejected("malformed", f"the header {name.decode()} stands there twice")


def switches(query: bytes, known: frozenset[str]) -> Mapping[str, bool]:
    """Yes-or-no switches of a query string, each said once, as ``true`` or ``false``.

    An unknown one is refused: a command whose ``dry_run`` was misspelt must not be played.

    Raises:
        Rejected: ``invalid``.
    """
    found: dict[str, bool] = {}
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name not in known:
            there = f": there is {' and '.join(sorted(known))}" if known else ""
            raise invalid(f"/{escaped(name)}", f"there is no query parameter {name!r} here{there}")
        if name in found:
            raise invalid(f"/{name}", f"{name} is said twice")
        if value not in ("true", "false"):
            raise invalid(f"/{name}", f"{name} is true or false")
        found[name] = value == "true"
    return found
