"""Head and body of an answer, sent in one piece."""

from __future__ import annotations

import asyncio
from typing import Any


class JoinedWrites:
    """A transport that sends in one piece what is written in one turn of the event loop.

    Uvicorn writes the head of an answer and then its body, and uvloop sends each at once: two system calls, two packets
    and two wake-ups of the caller, where one of each would do.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._soon = loop.call_soon
        self._held: bytes | None = None
        self.is_closing = transport.is_closing
        """Asked with every request."""

    def write(self, data: bytes) -> None:
        """Send together with what was written before in this turn, or with what follows in it."""
        held = self._held
        if held is None:
            self._held = data
            self._soon(self._send)
        else:
            self._held = None
            self._transport.write(held + data)

    def write_whole(self, data: bytes) -> None:
        """Send at once what nothing follows."""
        held = self._held
        if held is not None:
            self._held = None
            data = held + data
        self._transport.write(data)

    def _send(self) -> None:
        held = self._held
        if held is not None:
            self._held = None
            # The caller may have hung up since, and uvloop does not take a write to a closed connection lightly.
            if not self.is_closing():
                self._transport.write(held)

    def close(self) -> None:
        """Close after what is still held."""
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """Everything else is the transport's own."""
        return getattr(self._transport, name)
