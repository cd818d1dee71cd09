"""How the end of a body is told (RFC 9112, section 6): what is not understood is refused, never guessed."""

from __future__ import annotations

import socket
from contextlib import suppress

import msgspec
import pytest
from tests.http.conftest import LogLines
from tests.http.playing import Game, Json
from tests.http.serving import PATIENCE, Served

JUDGE = b"POST /v1/variants/crazy-rummy/judge HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
ASKED = b'{"cards":["7H","8H","9H"]}'
CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(ASKED), ASKED)


def answers(server: Served, sent: bytes) -> list[tuple[int, Json]]:
    """Send bytes and read until the service hangs up: every answer's status and body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        rest = b"".join(iter(lambda: connection.recv(65_536), b""))
    found = []
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        [length] = [int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:")]
        found.append((int(head.split()[1]), msgspec.json.decode(rest[:length])))
        rest = rest[length:]
    return found


@pytest.mark.parametrize("coding", [b"chunked", b"Chunked", b" \tchunked "])
def test_a_body_in_chunks_is_read(server: Served, coding: bytes) -> None:
    """However the name of the coding is written."""
    head = JUDGE + b"Connection: close\r\nTransfer-Encoding:" + coding + b"\r\n\r\n"
    [(status, judged)] = answers(server, head + CHUNKED)

    assert (status, len(judged["readings"])) == (200, 1)


@pytest.mark.parametrize(
    "codings",
    [
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: gzip,chunked\r\n",
        b"Transfer-Encoding: x-mine;level=9, deflate, chunked\r\n",
        b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
        b"Transfer-Encoding: , chunked\r\n",
    ],
)
def test_a_coding_that_is_not_understood_is_not_taken_for_another(server: Served, codings: bytes) -> None:
    """501, and nothing that comes after it on the connection is read."""
    follower = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    [(status, problem)] = answers(server, JUDGE + codings + b"\r\n" + CHUNKED + follower)

    assert (status, problem["code"], problem["status"]) == (501, "not_implemented", 501)
    assert "chunked" in problem["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % len(CHUNKED),
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % len(CHUNKED),
        b"Content-Length: 0\r\nTransfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: gzip\r\n",
        b"Transfer-Encoding: chunked, gzip\r\n",
        b"Transfer-Encoding: chunked, chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: \r\n",
        b"Content-Length: 26\r\nContent-Length: 27\r\n",
    ],
)
def test_a_body_whose_end_is_unclear_is_refused(server: Served, headers: bytes) -> None:
    """400, and the connection ends: a proxy could have seen the end elsewhere, and another request behind it."""
    follower = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    [(status, problem)] = answers(server, JUDGE + headers + b"\r\n" + CHUNKED + follower)

    assert (status, problem["code"]) == (400, "malformed")


def test_http_1_0_knows_no_transfer_coding(server: Served) -> None:
    """A message of that version with one is not framed as it says (RFC 9112, section 6.1)."""
    old = JUDGE.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n"
    [(status, problem)] = answers(server, old + CHUNKED)

    assert (status, problem["code"]) == (400, "malformed")


def test_what_was_asked_before_is_answered(server: Served) -> None:
    """As the last of the connection."""
    asked = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    statuses = [
        status for status, _ in answers(server, asked + JUDGE + b"Transfer-Encoding: br, chunked\r\n\r\n")
    ]

    assert statuses[0] == 200
    assert set(statuses[1:]) <= {501}


def in_chunks(target: bytes, trailers: bytes, *, body: bytes = ASKED) -> bytes:
    """A request whose body comes in one chunk, with trailers after it."""
    head = b"%b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n" % target
    return head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n%b\r\n" % (len(body), body, trailers)


@pytest.mark.parametrize(
    "trailer",
    [
        b"Host: y",
        b"Content-Type: text/plain",
        b"X-Request-Id: mine",
        b"Expect: 100-continue",
    ],
)
def test_trailers_are_no_headers(server: Served, trailer: bytes) -> None:
    """RFC 9110, section 6.5.1: when a request is answered, they may not even have come."""
    [(status, judged)] = answers(server, in_chunks(b"POST /v1/variants/crazy-rummy/judge", trailer + b"\r\n"))
    assert (status, len(judged["readings"])) == (200, 1)


@pytest.mark.parametrize("trailer", [b"Connection: close", b"Proxy-Connection: close"])
def test_a_connection_that_takes_no_further_request_is_closed(server: Served, trailer: bytes) -> None:
    """The parser hears of it in a trailer as well: whoever sent another request is not left to wait for an answer."""
    asked = in_chunks(b"POST /v1/variants/crazy-rummy/judge", trailer + b"\r\n")
    asked = asked.replace(b"Connection: close\r\nTransfer", b"Transfer", 1)
    follower = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    assert [status for status, _ in answers(server, asked + follower)] == [200]


def test_a_token_in_a_trailer_opens_nothing(server: Served, game: Game) -> None:
    """Neither for a command nor for a table."""
    token = b"Authorization: Bearer %b\r\n" % game.tokens[0].encode()
    path = game.path.encode()
    [(status, problem)] = answers(
        server, in_chunks(b"POST %b/commands" % path, token, body=b'{"type":"draw","source":"stock"}')
    )
    assert (status, problem["code"]) == (401, "unauthenticated")
    [(status, table)] = answers(server, in_chunks(b"GET " + path, token))
    assert status == 200
    assert not any("hand" in seat for seat in table["seats"])


@pytest.mark.parametrize("endless", [b"X: " + b"a" * 200_000, b"X: a\r\n" * 20_000], ids=["one", "many"])
@pytest.mark.parametrize("start", [b"1;", b"0\r\n"], ids=["beside a chunk", "trailers"])
def test_what_is_no_body_has_a_limit(
    server: Served, log_lines: LogLines, start: bytes, endless: bytes
) -> None:
    """What is said of a chunk and what comes after the last one: nobody needs so much of it."""
    head = JUDGE + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
    # Whoever is refused in the middle of sending may see no answer, only that nobody listens.
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection,
        suppress(ConnectionResetError, BrokenPipeError),
    ):
        connection.sendall(head + start + endless)
        while connection.recv(65_536):
            pass
    assert server.until(lambda: any(line.get("event") == "request" for line in log_lines()))
    [line] = [line for line in log_lines() if line.get("event") == "request"]
    assert (line["status"], line["code"]) == (400, "malformed")
