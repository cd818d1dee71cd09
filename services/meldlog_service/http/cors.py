"""What pages of other origins may do in a browser: read.

There are no cookies, so a foreign page gets nothing by a visitor's standing, and a public table is public. Writes are
another matter: a page that a visitor happens to open must not make games in a service that only the visitor's machine
can reach. Whoever builds a client serves it from the same origin, or behind the same proxy.
"""

from __future__ import annotations

from litestar.types import Scope, Send

SHARED_METHODS = frozenset({"GET", "HEAD"})
SHARED = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Idempotent-Replayed, Location, Retry-After, X-Request-ID"),
]
"""On every answer to a read, asked for or not, so that a cache need not tell origins apart."""
_PREFLIGHT = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET, HEAD"),
    (
        b"access-control-allow-headers",
        b"Accept, Authorization, Cache-Control, If-None-Match, Last-Event-ID, X-Request-ID",
    ),
    (b"access-control-max-age", b"86400"),
    (b"content-length", b"0"),
]


def is_preflight(scope: Scope) -> bool:
    """Whether an OPTIONS is a browser's question on behalf of a page of another origin."""
    names = {name for name, _ in scope["headers"]}
    return b"origin" in names and b"access-control-request-method" in names


async def answer_preflight(send: Send) -> None:
    """Say that it may read."""
    await send({"type": "http.response.start", "status": 204, "headers": list(_PREFLIGHT)})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
