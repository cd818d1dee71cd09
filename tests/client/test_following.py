"""Logs arrive whole and in order, however often the connection is lost."""

from random import Random

import httpx
import pytest
from tests.client.conftest import OpenClient
from tests.client.scripts import Broken, Script, problem
from tests.support.games import Game, busy

from meldlog_client import MeldlogProblem, MeldlogUnintelligible, MeldlogUnreachable
from meldlog_client.following import Lines


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game."""
    return Game(seats=2).started().play_out(busy(Random(5)))


def stream(*chunks: bytes, broken: bool = False) -> httpx.Response:
    """Server-sent events that end, or break off."""
    body = Broken(*chunks) if broken else b"".join(chunks)
    headers = {"Content-Type": "text/event-stream"}
    if isinstance(body, bytes):
        return httpx.Response(200, headers=headers, content=body)
    return httpx.Response(200, headers=headers, stream=body)


def sse(game: Game, first: int, last: int) -> bytes:
    """Versions of a game as server-sent events."""
    numbered = enumerate(game.lines[first - 1 : last], first)
    return b"".join(b"id: %d\nevent: commit\ndata: %b\n\n" % (version, line) for version, line in numbered)


def ndjson(game: Game, first: int, last: int) -> bytes:
    """Versions of a game as lines."""
    return b"".join(line + b"\n" for line in game.lines[first - 1 : last])


def test_a_stream_ends_with_the_game(game: Game, open_client: OpenClient) -> None:
    """Every version, and what is said between them is passed over."""
    half = game.version // 2
    script = Script(
        stream(b"retry: 1000\n\n", sse(game, 1, half), b": keep-alive\n\n", sse(game, half + 1, game.version))
    )
    assert list(open_client(script).stream("g1")) == game.commits


def test_a_stream_goes_on_where_it_broke_off(game: Game, open_client: OpenClient) -> None:
    """No version is missing, none comes twice, though the service repeats some."""
    script = Script(
        stream(sse(game, 1, 5), sse(game, 6, 6)[:40], broken=True),
        httpx.ConnectError,
        problem(503, "store_unavailable"),
        stream(sse(game, 4, 9)),
        stream(sse(game, 10, game.version)),
    )
    assert list(open_client(script).stream("g1")) == game.commits
    assert [request.url.params["after"] for request in script.requests] == ["0", "5", "5", "5", "9"]
    assert script.is_over


def test_a_stream_begins_after_a_version(game: Game, open_client: OpenClient) -> None:
    """Which the reader knows already."""
    script = Script(stream(sse(game, 9, game.version)))
    assert list(open_client(script).stream("g1", after=8)) == game.commits[8:]


def test_a_gap_in_a_stream_is_told(game: Game, open_client: OpenClient) -> None:
    """The log is not what was promised."""
    script = Script(stream(sse(game, 1, 5), sse(game, 7, 9)))
    with pytest.raises(MeldlogUnintelligible, match="after version 5 came version 7"):
        list(open_client(script).stream("g1"))


def test_a_stream_that_is_refused_is_not_asked_for_again(open_client: OpenClient) -> None:
    """A game that is not there will not come."""
    script = Script(problem(404, "not_found"))
    with pytest.raises(MeldlogProblem, match="not_found"):
        list(open_client(script).stream("g1"))


def test_a_log_is_read_in_the_bytes_that_were_sent(game: Game, open_client: OpenClient) -> None:
    """Also when it breaks off in the middle of a line."""
    begun = ndjson(game, 1, 9)
    script = Script(
        httpx.Response(200, stream=Broken(begun[:700], begun[700:-30])),
        httpx.Response(200, content=ndjson(game, 9, game.version)),
    )
    assert list(open_client(script).lines("g1")) == game.lines
    assert [request.url.params["after"] for request in script.requests] == ["0", "8"]


def test_a_log_is_read_as_commits(game: Game, open_client: OpenClient) -> None:
    """From the version after one."""
    script = Script(httpx.Response(200, content=ndjson(game, 4, game.version)))
    assert list(open_client(script).events("g1", after=3)) == game.commits[3:]


def test_a_log_that_never_comes_is_given_up(open_client: OpenClient) -> None:
    """After as many pauses as patience is worth."""
    script = Script(*[httpx.ConnectError] * 30)
    with pytest.raises(MeldlogUnreachable):
        list(open_client(script, patience=3.0).lines("g1"))


def test_lines_end_at_line_feeds_alone() -> None:
    """Names may hold what other programs take for the end of a line."""
    lines = Lines()
    text = "one\u2028still\x85one\rtwo\nand".encode()
    assert lines.feed(text[:5]) == []
    assert lines.feed(text[5:]) == ["one\u2028still\x85one\rtwo".encode()]
    assert lines.end() == [b"and"]
