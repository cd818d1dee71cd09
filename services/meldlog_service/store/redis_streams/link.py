"""One raw connection on which commands go out without waiting for the answers of earlier ones.

A general client takes a connection from a pool for each command, and sends a command again when its answer is
lost. An append can afford neither.
"""

import asyncio
import socket
from collections import deque
from typing import NamedTuple, cast

import hiredis

from meldlog_service.store.redis_streams.address import Address
from meldlog_service.store.redis_streams.replies import Lost, Reply, ServerSaid, expect_bytes, expect_list
from meldlog_service.store.redis_streams.script import pack


class _Awaited(NamedTuple):
    """Answers that are still to come for what was sent in one piece."""

    answers: int
    future: "asyncio.Future[list[Reply]]"
    overdue: asyncio.TimerHandle


class Link(asyncio.Protocol):
    """A connection after its greeting; see `open_link`. Once lost it stays lost."""

    def __init__(self) -> None:
        # The reader hands errors out instead of raising them: one bad answer must not hide the others.
        self._reader = hiredis.Reader(replyError=ServerSaid, protocolError=Lost)
        self._transport: asyncio.Transport | None = None
        self._awaited: deque[_Awaited] = deque()
        self._answers: list[Reply] = []
        self._why: str | None = "not connected yet"
        self.loop = asyncio.get_running_loop()
        """The event loop that it belongs to."""

    @property
    def lost(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._why is not None

    def send(self, data: bytes, count: int, seconds: float) -> "asyncio.Future[list[Reply]]":
        """Send commands whose answers number `count`.

        Returns:
            The answers, in order; errors among them are `ServerSaid`. The future raises Lost when the
            connection ends, or when the answers are not there after `seconds`, which ends the connection.

        Raises:
            Lost: at once, when nothing was sent.
        """
        if self._transport is None or self._why is not None:
            raise Lost(self._why)
        future: asyncio.Future[list[Reply]] = self.loop.create_future()
        overdue = self.loop.call_later(seconds, self._give_up, seconds)
        self._awaited.append(_Awaited(count, future, overdue))
        self._transport.write(data)
        return future

    def close(self) -> None:
        """End the connection; what is still awaited is lost."""
        self._end("the connection was closed")

    def _give_up(self, seconds: float) -> None:
        self._end(f"no answer within {seconds:g} s")

    def _end(self, why: str) -> None:
        if self._why is None:
            self._why = why
        if self._transport is not None:
            self._transport.abort()
        awaited, self._awaited = self._awaited, deque()
        for _, future, overdue in awaited:
            overdue.cancel()
            if not future.done():
                future.set_exception(Lost(self._why))

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        # uvloop's transports do all that asyncio's do, but are not of their class.
        self._transport = cast(asyncio.Transport, transport)
        self._why = None

    def data_received(self, data: bytes) -> None:
        """Take answers apart and hand them to those who wait."""
        try:
            self._reader.feed(data)
            while (answer := self._reader.gets()) is not False:
                self._answers.append(answer)
                if self._awaited and len(self._answers) == self._awaited[0].answers:
                    self._hand_out()
        except Lost as error:
            self._end(f"the server does not speak the protocol: {error}")

    def _hand_out(self) -> None:
        _, future, overdue = self._awaited.popleft()
        answers, self._answers = self._answers, []
        overdue.cancel()
        if not future.done():
            future.set_result(answers)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection ended from the other side, or after `close`."""
        self._end(f"the connection was lost: {exc}" if exc else "the server closed the connection")


async def open_link(address: Address, seconds: float, *, primary: bool = False) -> Link:
    """Connect, say who we are and see that the server is ready.

    Args:
        address: Where to.
        seconds: How long all of it may take.
        primary: Whether to insist that the server takes writes, as one found through a sentinel must.

    Raises:
        Lost: when the server cannot be reached.
        ServerSaid: when it refuses us, or is still loading its data.
    """
    try:
        async with asyncio.timeout(seconds):
            link = await _connect(address)
    except TimeoutError:
        raise Lost(f"{address} cannot be reached within {seconds:g} s") from None
    except OSError as error:
        raise Lost(f"{address} cannot be reached: {error}") from error
    greeting = _greeting(address)
    try:
        for answer in await link.send(b"".join(greeting), len(greeting), seconds):
            expect_bytes(answer)
        if primary:
            (role,) = await link.send(pack("ROLE"), 1, seconds)
            _expect_primary(role)
    except BaseException:
        link.close()
        raise
    return link


async def _connect(address: Address) -> Link:
    """A bare connection, before any greeting; raises OSError."""
    loop = asyncio.get_running_loop()
    if address.path:
        _, link = await loop.create_unix_connection(Link, address.path)
        return link
    transport, link = await loop.create_connection(Link, address.host, address.port, ssl=address.tls)
    # A peer that vanished without a word is noticed even where nothing is awaited.
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return link


def _expect_primary(role: Reply) -> None:
    if expect_list(role)[0] != b"master":
        raise ServerSaid("READONLY the server that the sentinel named is not a primary (yet)")


def _greeting(address: Address) -> list[bytes]:
    """What a connection starts with; PING is refused by a server that is still loading its data."""
    greeting = []
    if address.password:
        greeting.append(pack("AUTH", *filter(None, (address.username, address.password))))
    if address.db:
        greeting.append(pack("SELECT", address.db))
    return [*greeting, pack("PING")]
