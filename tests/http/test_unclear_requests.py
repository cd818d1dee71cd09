"""Requests that could be understood in two ways are refused, before anything is done."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from tests.http.conftest import MakeGame
from tests.http.playing import HOST, Game, assert_problem
from tests.http.serving import Served

NEW_GAME = {"variant": "crazy-rummy", "seats": 2}
Request = tuple[str, str, object]
SIT_DOWN: Request = ("POST", "{game}/seats", {"name": "Ann", "seat": 0})
LEAVE: Request = ("DELETE", "{game}/seats/1", None)
CREATE: Request = ("POST", "/v1/games", NEW_GAME)
COMMAND: Request = ("POST", "{game}/commands", {"type": "start_game"})
JUDGE: Request = ("POST", "/v1/variants/crazy-rummy/judge", {"cards": ["7H", "8H", "9H"]})


@pytest.fixture
def lobby(new_game: MakeGame) -> Game:
    """A game that waits for somebody at seat 0; a bot sits at seat 1."""
    game = new_game(2, bots={0: "plain", 1: "plain"}, start=False)
    assert game.delete(HOST, 0).status_code == 200
    return game


@pytest.fixture
def unchanged(server: Served, lobby: Game) -> Iterator[None]:
    """Checks at the end of the test that nothing was done: no seat taken or left, no game made."""
    with server.client() as client:
        before = lobby.table(), client.get("/v1/games", params={"limit": 1}).json()
        yield
        assert (lobby.table(), client.get("/v1/games", params={"limit": 1}).json()) == before


def ask(lobby: Game, request: Request, query: str = "", *doubled: tuple[str, str]) -> httpx.Response:
    """Send a request as the host, with a query and more headers."""
    method, path, body = request
    who = {} if request in (SIT_DOWN, CREATE) else lobby.headers(HOST)
    headers = [*who.items(), *doubled]
    url = path.replace("{game}", lobby.path) + query
    return lobby._client.request(method, url, json=body, headers=headers)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("request_", [SIT_DOWN, LEAVE, CREATE, JUDGE, COMMAND])
@pytest.mark.parametrize(
    ("query", "pointer"), [("?dryrun=true", "/dryrun"), ("?at=3", "/at"), ("?a%2Fb", "/a~1b")]
)
def test_a_write_takes_no_query_parameter_that_it_does_not_have(
    lobby: Game, request_: Request, query: str, pointer: str
) -> None:
    """422 with its name."""
    problem = assert_problem(ask(lobby, request_, query), 422, "invalid")

    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("request_", [SIT_DOWN, LEAVE, CREATE])
def test_what_cannot_be_tried_is_not_done_instead(lobby: Game, request_: Request) -> None:
    """`dry_run` is for commands: whoever only wants to see must not be sat down, or lose the seat."""
    problem = assert_problem(ask(lobby, request_, "?dry_run=true"), 422, "invalid")

    assert [error["pointer"] for error in problem["errors"]] == ["/dry_run"]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("request_", [SIT_DOWN, LEAVE, CREATE, JUDGE, COMMAND])
@pytest.mark.parametrize("name", ["Authorization", "Idempotency-Key", "If-Match"])
def test_a_header_that_counts_is_said_once(lobby: Game, request_: Request, name: str) -> None:
    """400 for two of them, also where they say the same: a proxy could have heeded the other."""
    value = {"Authorization": f"Bearer {lobby.tokens[HOST]}", "If-Match": '"2"'}.get(name, "key")
    problem = assert_problem(ask(lobby, request_, "", (name, value), (name, value)), 400, "malformed")

    assert name.lower() in problem["detail"]


@pytest.mark.parametrize("path", ["", "/moves", "/events", "/audit"])
def test_who_reads_says_once_who_it_is(game: Game, path: str) -> None:
    """400 for two tokens."""
    headers = [("Authorization", f"Bearer {game.tokens[seat]}") for seat in (0, 1)]

    assert_problem(game._client.get(game.path + path, headers=headers), 400, "malformed")
