"""How the end of a body is told (RFC 9112, section 6): what is not understood is refused, never guessed."""

from __future__ import annotations

import socket

import msgspec
import pytest
from tests.http.playing import Json
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
