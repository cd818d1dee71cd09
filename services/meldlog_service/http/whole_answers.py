"""Answers sent as they are: what is complete is not taken apart by the server and put together again.

Uvicorn looks every header over twice and copies it four times, which costs as much as to judge a draw. The server
offers this as an extension of ASGI, and whoever answers must still know the long way: other servers do not offer it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast
from weakref import ref

from litestar.types import Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from meldlog_service.http.joined_writes import JoinedWrites

EXTENSION = "meldlog.whole_answer"
Headers = Sequence[tuple[bytes, bytes]]
Sender = Callable[[Headers, bytes], bool]
"""Takes headers and body of a 200; False when it has to be sent the long way."""


def offer(scope: Any, cycle: RequestResponseCycle) -> None:
    """Offer it to whoever answers this request."""
    # The cycle holds the scope: were it held in turn, every request would be left to the garbage collector.
    scope["extensions"] = {EXTENSION: partial(_send, ref(cycle))}


def offered(scope: Scope) -> Sender | None:
    """How to send a whole answer to this request, if the server knows how."""
    extensions = scope.get("extensions")
    sender: Sender | None = extensions.get(EXTENSION) if extensions else None  # type: ignore[assignment]
    return sender


def _send(answering: ref[RequestResponseCycle], headers: Headers, body: bytes) -> bool:
    cycle = answering()
    if cycle is None or cycle.response_started or cycle.flow.write_paused or not cycle.keep_alive:
        return False
    if cycle.disconnected:
        return True  # there is nobody to answer, as uvicorn has it too
    cycle.response_started = True
    cycle.waiting_for_100_continue = False
    head = b"".join([b"%b: %b\r\n" % header for header in (*cycle.default_headers, *headers)])
    cast("JoinedWrites", cycle.transport).write_whole(b"HTTP/1.1 200 OK\r\n%b\r\n%b" % (head, body))
    cycle.response_complete = True
    cycle.message_event.set()
    cycle.on_response()
    return True
