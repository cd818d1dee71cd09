"""What is written in one turn of the event loop goes out in one piece."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from meldlog_service.http.joined_writes import JoinedWrites


class Wire:
    """A transport as uvloop's: what is written after its end is an error."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        """Send at once."""
        if self.closed:
            raise RuntimeError("the handler is closed")
        self.sent.append(data)

    def close(self) -> None:
        """End."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether it has ended."""
        return self.closed


class Turns:
    """An event loop whose turns the test makes."""

    def __init__(self) -> None:
        self._soon: list[Callable[[], None]] = []

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call in the next turn."""
        self._soon.append(callback)

    def turn(self) -> None:
        """Make one."""
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()


@pytest.fixture
def wire() -> Wire:
    """A transport."""
    return Wire()


@pytest.fixture
def loop() -> Turns:
    """An event loop."""
    return Turns()


@pytest.fixture
def joined(wire: Wire, loop: Turns) -> JoinedWrites:
    """What writes to the transport."""
    return JoinedWrites(cast(asyncio.Transport, wire), cast(asyncio.AbstractEventLoop, loop))


def test_two_writes_of_one_turn_are_one(joined: JoinedWrites, wire: Wire, loop: Turns) -> None:
    """Head and body."""
    joined.write(b"head ")
    joined.write(b"body")
    loop.turn()
    assert wire.sent == [b"head body"]


def test_a_write_that_stays_alone_waits_for_no_other(joined: JoinedWrites, wire: Wire, loop: Turns) -> None:
    """A stream's."""
    joined.write(b"event")
    loop.turn()
    assert wire.sent == [b"event"]


def test_what_is_whole_goes_at_once_and_after_what_was_held(joined: JoinedWrites, wire: Wire) -> None:
    """Nothing overtakes."""
    joined.write(b"continue ")
    joined.write_whole(b"answer")
    assert wire.sent == [b"continue answer"]


def test_what_is_held_goes_out_before_the_end(joined: JoinedWrites, wire: Wire, loop: Turns) -> None:
    """Once."""
    joined.write(b"goodbye")
    joined.close()
    loop.turn()
    assert wire.sent == [b"goodbye"]


def test_what_is_held_for_a_caller_who_hangs_up_is_dropped(
    joined: JoinedWrites, wire: Wire, loop: Turns
) -> None:
    """In the same turn, as the listener of a stream may: that is no mistake of the service."""
    joined.write(b"event")
    wire.close()
    loop.turn()
    assert wire.sent == []
