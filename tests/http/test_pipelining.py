"""Requests that are sent without waiting for the answers before them."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from tests.http.playing import Game
from tests.http.serving import PATIENCE, Served

from meldlog_service.http.protocol import PIECE, Protocol

MANY = 3000


@contextmanager
def connected(server: Served) -> Iterator[socket.socket]:
    """A bare connection."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        yield connection


def numbered(count: int) -> bytes:
    """So many small requests, each with its number as its id."""
    return b"".join(
        [b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: %d\r\n\r\n" % n for n in range(count)]
    )


def stream_of(game: Game) -> bytes:
    """A request for a live stream."""
    return f"GET {game.path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()


@pytest.mark.parametrize("count", [2, MANY])
def test_each_is_answered_in_its_turn(server: Served, count: int) -> None:
    """Also when their sender says at once that no more will come."""
    with connected(server) as connection:

        def send() -> None:
            connection.sendall(numbered(count))
            connection.shutdown(socket.SHUT_WR)

        sending = Thread(target=send)
        sending.start()
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
        sending.join(PATIENCE)

    ids = re.findall(rb"x-request-id: (\d+)\r\n", received)
    assert ids == [b"%d" % n for n in range(count)]


def test_a_body_that_comes_with_many_requests_is_read(server: Served) -> None:
    """It begins in one piece and ends in another."""
    body = b'{"variant":"crazy-rummy",%b"seats":2}' % (b" " * 3 * PIECE)
    create = (
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
    )
    with connected(server) as connection:
        connection.sendall(numbered(100) + create + body)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    statuses = re.findall(rb"HTTP/1.1 (\d+)", received)
    assert statuses == [b"200"] * 100 + [b"201"]


def test_what_waits_is_kept_as_it_came(server: Served, game: Game) -> None:
    """A request takes a hundred times the memory of its bytes: of thousands only a few are parsed before their turn."""
    with connected(server) as connection:
        connection.sendall(stream_of(game))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        [protocol] = [
            one
            for one in server.server.server_state.connections
            if isinstance(one, Protocol) and one.client == connection.getsockname()
        ]
        connection.sendall(numbered(MANY))
        assert server.until(lambda: protocol._unread is not None)
        assert len(protocol.pipeline) < PIECE // 40


def test_a_listener_who_leaves_is_noticed_though_requests_wait_behind_the_stream(
    server: Served, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream ends, and its place is free."""
    monkeypatch.setattr("meldlog_service.http.stream.KEEP_ALIVE_SECONDS", 0.05)

    def is_open(count: int) -> bool:
        return b"meldlog_open_streams %d.0" % count in server.service.metrics.exposition()

    with connected(server) as connection:
        connection.sendall(stream_of(game))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        connection.sendall(numbered(2))
        assert server.until(lambda: is_open(1))
    assert server.until(lambda: is_open(0))
