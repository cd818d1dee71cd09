"""HTTP/1.1 as uvicorn speaks it, made to say no as the service does: `uvicorn.Config(http=Protocol)`."""

from __future__ import annotations

import math
import secrets

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from meldlog_service.http.problems import KINDS, MEDIA_TYPE, Problem

HEAD_LIMIT = 65_536
"""Bytes of a first line and headers after which their end is not waited for; the parser itself knows no limit."""


class Protocol(HttpToolsProtocol):
    """HTTP/1.1; what is no HTTP is refused with a problem document as well, and so is a head without end."""

    _head: float = 0
    """Bytes of the request's head that have come so far; less than nothing once it is complete."""

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        self._head += len(data)
        super().data_received(data)
        if self._head > HEAD_LIMIT and not self.transport.is_closing():
            self.send_400_response("")

    def on_headers_complete(self) -> None:
        """Count no further: a body has a limit of its own."""
        self._head = -math.inf
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Begin to count again."""
        self._head = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 -- it may quote what was sent
        """Refuse what cannot be read as a request, and hang up."""
        kind = KINDS["malformed"]
        request_id = secrets.token_hex(8)
        body = msgspec.json.encode(
            Problem(
                type="/problems/malformed",
                title=kind.title,
                status=kind.status,
                detail="this is no HTTP request",
                code="malformed",
                request_id=request_id,
            )
        )
        head = (
            f"HTTP/1.1 400 Bad Request\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
            f"x-request-id: {request_id}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
