"""HTTP/1.1 as uvicorn speaks it, made to say no as the service does: `uvicorn.Config(http=Protocol)`."""

from __future__ import annotations

import asyncio
import math
import secrets
from http import HTTPStatus

import httptools
import msgspec
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from meldlog_service.http import whole_answers
from meldlog_service.http.joined_writes import JoinedWrites
from meldlog_service.http.problems import KINDS, MEDIA_TYPE, Problem
from meldlog_service.logs import CanonicalLine

HEAD_LIMIT = 65_536
"""Bytes of a first line and headers after which their end is not waited for, and of what is no body within one; the
parser itself knows no limit, and takes ever longer for the next byte of a long line."""
HEAD_SECONDS = 20.0
"""How long a connection may take to send its first request's head, and any later one from its first byte on."""
BODY_SECONDS = 30.0
"""How long a body may take after its head."""
PIECE = 4096
"""Bytes that are parsed at a time. They hold a hundred requests at most, each of which is a hundred times as large in
memory; the rest of what came at once stays as it is until these are answered."""
_NO_HTTP = "this is no HTTP request"
_UNCLEAR_END = "Transfer-Encoding is chunked and nothing else, in HTTP/1.1, and without Content-Length"
_UNKNOWN_CODING = "the only transfer coding that is understood is chunked: send the body as it is"
_TOO_SLOW = "the request did not come to its end in time"


class Flow(FlowControl):
    """Reads nothing more while there is something left to parse, whoever would like to."""

    is_held = False

    def resume_reading(self) -> None:
        """Read again, if that is wanted."""
        if not self.is_held:
            super().resume_reading()


class Protocol(HttpToolsProtocol):
    """HTTP/1.1; what is no HTTP is refused with a problem document as well, and so is a request without end.

    A connection that waits for the next request is uvicorn's to close; one that owes the rest of a request is closed
    here, since it would be kept for ever, and sockets are few.
    """

    _head: float = 0
    """Bytes of the request's head that have come so far; less than nothing once it is complete."""
    _in_body = False
    """Whether a head has come and the end of its body has not."""
    _framing = 0
    """Bytes that have come since the last of the body itself: lengths of chunks, what is said of them, trailers."""
    _deadline: asyncio.TimerHandle | None = None
    """Runs while something is owed: most requests come in one piece and set no timer."""
    _awaits_body = False
    """What the deadline is for: a body, or a head."""
    _idle_since: float | None = None
    """When the last answer was sent, while no request has begun after it."""
    _idle: asyncio.TimerHandle | None = None
    """Looks whether the connection has been idle for too long: one timer for many requests, not one for each."""
    _unread: memoryview | None = None
    """What has come and waits behind requests that wait for their turn."""
    _is_over = False
    """Whether nothing comes after it."""

    _reason = "malformed", _NO_HTTP
    """Code and sentence for a request that cannot be read."""

    _answering: RequestResponseCycle | None = None
    """The request whose turn it is."""

    flow: Flow

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, though not for ever."""
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self.flow = Flow(self.transport)
        self._await_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._await_nothing()
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._unread = None
        answering = self._answering
        if answering is not None and not answering.response_complete:
            # Uvicorn tells the newest request only, and this one may be a live stream with others waiting behind it.
            answering.disconnected = True
            answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        self._idle_since = None
        if len(data) <= PIECE:
            self._take(data)
        else:
            self._take_by_pieces(memoryview(data))

    def _take_by_pieces(self, data: memoryview) -> bool:
        """Take what has come for as long as no request waits for an answer to another one; keep the rest.

        Returns:
            Whether all of it was taken and more may come.
        """
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return False
            if self.pipeline:
                self._unread = data[at:]
                self.flow.pause_reading()
                self.flow.is_held = True
                return False
            self._take(data[at : at + PIECE])
        return not self.transport.is_closing()

    def _go_on(self) -> None:
        """Take what had to wait."""
        if self._unread is None:
            return
        data, self._unread = self._unread, None
        self.flow.is_held = False
        if self._take_by_pieces(data):
            if not self._is_over:
                self.flow.resume_reading()
            elif not self.eof_received():
                self.transport.close()

    def _take(self, data: bytes | memoryview) -> None:
        self._head += len(data)
        self._framing += len(data)
        try:
            self._parse(data)
        except httptools.HttpParserError:
            self.send_400_response("")
        if self.transport.is_closing():
            self._await_nothing()
        elif self._head > HEAD_LIMIT or (self._in_body and self._framing > HEAD_LIMIT):
            self.send_400_response("")
        elif self._head > 0 or self._in_body:
            self._await_rest()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer, as the last, what whoever sends no more has asked; anything else ends with it, a live stream too.

        Returns:
            Whether the connection stays open until then.
        """
        if self._unread is not None:
            self._is_over = True
            return True
        newest: RequestResponseCycle | None = self.cycle
        if newest is None or self._in_body or newest.response_started:
            return False
        newest.keep_alive = False
        return True

    def on_message_begin(self) -> None:
        """Know that a head is owed, also where it began in one piece with the request before it."""
        self._head = max(self._head, 1)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Count no further: a body has a limit of its own, once it is clear where it ends."""
        self._check_coding()
        if self._is_leaving():
            return
        if self.expect_100_continue and self._is_old():
            self.expect_100_continue = False  # RFC 9110, section 10.1.1
        super().on_headers_complete()
        # Trailers are no headers (RFC 9110, section 6.5.1), and nobody asks for them.
        self.headers = []
        self._head = -math.inf
        self._framing = 0
        self._in_body = True
        whole_answers.offer(self.scope, self.cycle)

    def _check_coding(self) -> None:
        """Check that the end of the body is clear and what it is sent in understood (RFC 9112, sections 6.1 and 6.3).

        The parser takes any list of codings that ends with chunked as if it said chunked alone.

        Raises:
            httptools.HttpParserError: which ends the connection, after the answer.
        """
        named = [value for name, value in self.headers if name == b"transfer-encoding"]
        if not named:
            return
        *others, last = [coding.strip(b" \t").lower() for coding in b",".join(named).split(b",")]
        is_framed_once = all(name != b"content-length" for name, _ in self.headers)
        if last != b"chunked" or b"chunked" in others or not is_framed_once or self._is_old():
            self._reason = "malformed", _UNCLEAR_END
        elif others:
            self._reason = "not_implemented", _UNKNOWN_CODING
        else:
            return
        raise httptools.HttpParserError(self._reason[1])

    def _is_old(self) -> bool:
        return self.parser.get_http_version() != "1.1"

    def on_body(self, body: bytes) -> None:
        """Count what comes between two parts of the body anew."""
        self._framing = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Begin to count again; nothing is owed any more."""
        if self._is_leaving():
            return
        self._await_nothing()
        self._head = 0
        self._in_body = False
        if not self.parser.should_keep_alive():
            # Said in a trailer, it means nothing to us, but to the parser, which takes no further request.
            self.cycle.keep_alive = False
        super().on_message_complete()
        if not self.cycle.response_complete:
            return
        if self.cycle.keep_alive:
            self._be_idle()  # answered before its body was whole
        else:
            self.transport.close()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Go on to the next request, or wait for one, though not for ever."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            if self._unread is not None and not self.pipeline:
                self.loop.call_soon(self._go_on)
        else:
            self._be_idle()

    def _be_idle(self) -> None:
        self._idle_since = self.loop.time()
        if self._idle is None:
            self._idle = self.loop.call_later(self.timeout_keep_alive, self._look_whether_idle)

    def _look_whether_idle(self) -> None:
        """Hang up on whoever has asked nothing for so long, or look again when that may be so."""
        self._idle = None
        if self._idle_since is None:
            return
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left <= 0:
            self.timeout_keep_alive_handler()
        else:
            self._idle = self.loop.call_later(left, self._look_whether_idle)

    def _await_rest(self) -> None:
        """Set the deadline of what is owed now; what comes in drops does not move it."""
        if self._deadline is not None and self._awaits_body == self._in_body:
            return
        self._await_nothing()
        self._awaits_body = self._in_body
        self._deadline = self.loop.call_later(BODY_SECONDS if self._in_body else HEAD_SECONDS, self._overdue)

    def _await_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _overdue(self) -> None:
        """Hang up on whoever owes the rest of a request; say why where no answer is in the way."""
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            # It may have been sent long ago: here nothing was read, since an answer before it is still under way.
            self._await_rest()
        elif (self._in_body or self._head > 0) and not self._is_answering():
            self._refuse("malformed", _TOO_SLOW)
        else:
            self.transport.close()

    def _is_answering(self) -> bool:
        """Whether something of an answer has been sent, or will be, that a refusal would stand in the middle of."""
        newest: RequestResponseCycle | None = self.cycle
        if newest is None:
            return False
        if self._in_body:
            return bool(self.pipeline) or newest.response_started
        return not newest.response_complete

    def _parse(self, data: bytes | memoryview) -> None:
        """Read what has come; whoever asks for another protocol is answered in this one (RFC 9110, section 7.8).

        The parser takes a request that asks so to end with its head, and would lose its body or read that as the next
        request: curl and Java's client ask for HTTP/2 with a POST too. Another parser is told that nothing was asked.
        """
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as offered:
                if not self._is_leaving():
                    return
                data = memoryview(data)[offered.args[0] :]
                line = self.parser.get_method(), self.url, self.parser.get_http_version().encode()
                headers = [header for header in self.headers if header[0] != b"upgrade"]
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
                self.parser.feed_data(
                    b"%b %b HTTP/%b\r\n%b\r\n" % (*line, b"".join([b"%b: %b\r\n" % one for one in headers]))
                )
            else:
                return

    def _is_leaving(self) -> bool:
        """Whether the parser is about to leave this protocol at a caller's wish; what a CONNECT wishes is refused."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 -- it may quote what was sent
        """Refuse what cannot be read as a request, and hang up; what was asked before it is answered first."""
        if not self._is_answering():
            self._refuse(*self._reason)
        elif self._in_body or self.cycle.response_started:
            self.transport.close()
        else:
            self.cycle.keep_alive = False
            self.flow.pause_reading()

    def _refuse(self, code: str, detail: str) -> None:
        self._await_nothing()
        kind = KINDS[code]
        request_id = secrets.token_hex(8)
        if self._in_body:  # whoever reads the body hears that it ends, and writes the line
            request_id = self.scope["state"].setdefault("request_id", request_id)
        else:
            with CanonicalLine("request", request_id=request_id, status=kind.status, code=code):
                pass
        body = msgspec.json.encode(
            Problem(
                type=f"/problems/{code}",
                title=kind.title,
                status=kind.status,
                detail=detail,
                code=code,
                request_id=request_id,
            )
        )
        head = (
            f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}\r\n"
            f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
            f"x-request-id: {request_id}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
