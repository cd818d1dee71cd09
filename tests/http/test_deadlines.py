"""Whoever owes the rest of a request is not waited for without end."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Iterator

import pytest
from tests.http.conftest import LogLines
from tests.http.playing import Game
from tests.http.serving import PATIENCE, Served

from meldlog_service.http.protocol import Protocol

BRIEF = 0.05
"""Seconds of a deadline that is to be missed."""
LONG = 3600.0
"""Seconds of one that is not."""
HEAD = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n"


@pytest.fixture
def hasty_head(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads have a brief deadline, bodies a long one, once there is a game."""
    monkeypatch.setattr("meldlog_service.http.protocol.HEAD_SECONDS", BRIEF)
    monkeypatch.setattr("meldlog_service.http.protocol.BODY_SECONDS", LONG)


@pytest.fixture
def hasty_body(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bodies have a brief deadline, heads a long one, once there is a game."""
    monkeypatch.setattr("meldlog_service.http.protocol.HEAD_SECONDS", LONG)
    monkeypatch.setattr("meldlog_service.http.protocol.BODY_SECONDS", BRIEF)


@contextlib.contextmanager
def connected(server: Served) -> Iterator[socket.socket]:
    """A bare connection."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        yield connection


def rest(connection: socket.socket) -> bytes:
    """Everything that comes until the service hangs up; a timeout when it does not."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def assert_too_slow(answer: bytes) -> None:
    """Check that this is the problem of a request that took too long."""
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in answer
    assert b'"code":"malformed"' in answer
    assert b"in time" in answer


def assert_one_line(server: Served, log_lines: LogLines, answer: bytes) -> None:
    """Check that the log tells of the refusal once, by the id that its caller was told."""

    def lines() -> list[dict[str, object]]:
        return [line for line in log_lines() if line.get("code") == "malformed"]

    assert server.until(lambda: bool(lines()))
    [line] = lines()
    assert (line["event"], line["level"], line["status"]) == ("request", "info", 400)
    assert f'"request_id":"{line["request_id"]}"'.encode() in answer


@pytest.mark.usefixtures("hasty_head")
def test_a_connection_that_sends_nothing_is_closed(server: Served) -> None:
    """Without a word: nothing was asked."""
    with connected(server) as connection:
        assert rest(connection) == b""


@pytest.mark.usefixtures("hasty_head")
@pytest.mark.parametrize("sent", [b"G", b"\r\n", b"GET /healthz HTTP/1.1\r\nHost: x\r\n", HEAD])
def test_half_a_head_is_not_waited_for(server: Served, log_lines: LogLines, sent: bytes) -> None:
    """400, and the connection ends."""
    with connected(server) as connection:
        connection.sendall(sent)
        answer = rest(connection)
    assert_too_slow(answer)
    assert_one_line(server, log_lines, answer)


@pytest.mark.usefixtures("hasty_head")
def test_a_head_that_comes_in_drops_wins_no_time(server: Served) -> None:
    """The deadline stands from the first byte on."""
    with connected(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        while not select.select([connection], [], [], BRIEF / 10)[0]:
            connection.sendall(b"x")
        assert_too_slow(connection.recv(65_536))


@pytest.mark.usefixtures("hasty_head")
def test_a_later_head_has_its_deadline_too(server: Served) -> None:
    """On a connection that was used before."""
    with connected(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HT")
        first, _, second = rest(connection).partition(b"HTTP/1.1 400")
        assert first.startswith(b"HTTP/1.1 200")
        assert_too_slow(b"HTTP/1.1 400" + second)


@pytest.mark.usefixtures("hasty_body")
@pytest.mark.parametrize("path", [b"/v1/games", b"{game}/commands"])
def test_half_a_body_is_not_waited_for(server: Served, game: Game, log_lines: LogLines, path: bytes) -> None:
    """400 on every route, and nothing has happened."""
    before = game.table()
    with connected(server) as connection:
        url = path.replace(b"{game}", game.path.encode())
        connection.sendall(HEAD.replace(b"/v1/games", url) + b'\r\n{"ty')
        answer = rest(connection)
    assert_too_slow(answer)
    assert_one_line(server, log_lines, answer)
    assert game.table() == before


@pytest.mark.usefixtures("hasty_body")
def test_a_body_that_nobody_reads_any_more_is_not_waited_for_either(server: Served) -> None:
    """Its request was answered before it was whole."""
    with connected(server) as connection:
        connection.sendall(HEAD.replace(b": 50", b": 500000") + b"\r\n{")
        answer = rest(connection)
        assert answer.startswith(b"HTTP/1.1 413")
        assert b"in time" not in answer


def test_what_came_whole_has_no_deadline(server: Served, game: Game) -> None:
    """Neither a connection that is listened on, nor one that waits for its next request."""
    asked = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        HEAD.replace(b"50", b"2") + b"\r\n{}",
        f"GET {game.path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode(),
    )
    with contextlib.ExitStack() as open_ones:
        ports = set()
        for head in asked:
            connection = open_ones.enter_context(connected(server))
            ports.add(connection.getsockname()[1])
            for byte in head:
                connection.sendall(bytes([byte]))
            assert connection.recv(65_536).startswith(b"HTTP/1.1 ")
        deadlines = {
            one.client[1]: one._deadline
            for one in server.server.server_state.connections
            if isinstance(one, Protocol) and one.client is not None
        }
        assert [deadlines[port] for port in ports] == [None, None, None]


@pytest.mark.usefixtures("hasty_head")
def test_nothing_is_said_in_the_middle_of_another_answer(server: Served, game: Game) -> None:
    """Half a request behind a live stream ends the connection, and the stream does not quote a refusal."""
    last = game.table()["version"]
    head = f"GET {game.path}/events?after={last} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(head.encode() + b"GET /hea")
        answer = rest(connection)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"malformed" not in answer


def test_a_connection_that_asks_no_more_is_closed(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the answer, and however many requests it carried."""
    monkeypatch.setattr(server.server.config, "timeout_keep_alive", BRIEF)
    with connected(server) as connection:
        for _ in range(3):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        assert rest(connection) == b""


def test_a_connection_is_closed_too_whose_answer_came_before_the_end_of_its_body(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left of the body has come, nobody reads it, and nothing follows."""
    monkeypatch.setattr(server.server.config, "timeout_keep_alive", BRIEF)
    with connected(server) as connection:
        connection.sendall(HEAD.replace(b": 50", b": 500000") + b"\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 413")
        connection.sendall(b" " * 500_000)
        assert rest(connection) == b""


def test_a_connection_that_is_asking_is_not_idle(
    server: Served, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a request and a live stream last longer than the time between two requests may."""
    monkeypatch.setattr(server.server.config, "timeout_keep_alive", BRIEF)
    with connected(server) as asking, connected(server) as listening:
        asking.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert asking.recv(65_536).startswith(b"HTTP/1.1 200")
        asking.sendall(b"GET /healthz HTT")
        last = game.table()["version"]
        listening.sendall(
            f"GET {game.path}/events?after={last} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
        assert listening.recv(65_536).startswith(b"HTTP/1.1 200")
        with connected(
            server
        ) as idle:  # opened last, closed first: by then the others have waited for longer
            idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            rest(idle)
        asking.sendall(b"P/1.1\r\nHost: x\r\n\r\n")
        assert asking.recv(65_536).startswith(b"HTTP/1.1 200")
        if select.select([listening], [], [], 0)[0]:
            assert listening.recv(65_536)  # its first lines: an end would be nothing
