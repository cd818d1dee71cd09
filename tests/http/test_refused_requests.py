"""Requests that cannot be read, or make no sense: one table for every route that takes a body."""

from __future__ import annotations

import gzip

import httpx
import pytest
from tests.http.playing import OPERATOR, Game, Json, assert_problem
from tests.http.serving import Served

JSON = {"Content-Type": "application/json"}
BODIES = ["/v1/games", "{game}/commands", "{game}/seats", "/v1/variants/crazy-rummy/judge"]
"""Routes that take a body."""


def post(game: Game, path: str, content: bytes, headers: dict[str, str]) -> httpx.Response:
    """Post bytes to a route, as the operator."""
    url = path.replace("{game}", game.path)
    return game._client.post(url, content=content, headers={**game.headers(OPERATOR), **headers})


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   ",
        b"{",
        b"nonsense",
        b"'single'",
        b'{"type":"decline"} and more',
        b'{"type":"decline",}',
        b'\xef\xbb\xbf{"type":"decline"}',
        '{"type":"decline"}'.encode("utf-16"),
        b'{"type":"d\xffaw"}',
        b'{"type":"\xed\xa0\x80"}',
        b'{"type":"\\ud800"}',
        b'{"type":NaN}',
        b'{"type":"decline","type":"decline"}',
        b'{"commands":[{"type":"decline","type":"resign"}]}',
        b'{"name":"Ann","name":"Bea","cards":["7H","8H","9H"],"variant":"crazy-rummy","seats":2}',
        b"[" * 60_000,
        b'{"commands":' * 5_000,
    ],
)
def test_what_is_not_json_is_malformed(game: Game, path: str, content: bytes) -> None:
    """Nor is JSON in another encoding, with a name twice in an object, or nested without end."""
    assert_problem(post(game, path, content, JSON), 400, "malformed")


@pytest.mark.parametrize("path", BODIES)
def test_half_a_character_is_told_as_such(game: Game, path: str) -> None:
    """Wherever it stands: a body that ends soon after it does not end too early."""
    for rest in (b'"}', b'","seats":2,"cards":[]}'):
        problem = assert_problem(post(game, path, b'{"name":"\\ud800' + rest, JSON), 400, "malformed")
        assert "half of a surrogate pair" in problem["detail"]


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json-patch+json"},
        {"Content-Type": "application/json, text/plain"},
        {**JSON, "Content-Encoding": "gzip"},
    ],
)
def test_a_body_is_json_and_says_so(game: Game, path: str, headers: dict[str, str]) -> None:
    """415 for every other type, for none, and for packed bodies."""
    content = b'{"type":"decline"}'
    if "Content-Encoding" in headers:
        content = gzip.compress(content)

    assert_problem(post(game, path, content, headers), 415, "unsupported_media_type")


@pytest.mark.parametrize("name", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_utf_8_may_be_said(game: Game, name: str) -> None:
    """It is what JSON is in anyway."""
    answer = post(game, "{game}/commands", b'{"type":"draw","source":"moon"}', {"Content-Type": name})

    assert_problem(answer, 422, "invalid")


@pytest.mark.parametrize("path", BODIES)
def test_a_body_that_says_it_is_too_large_is_refused(game: Game, path: str) -> None:
    """By its `Content-Length`."""
    assert_problem(post(game, path, b" " * 65_537, JSON), 413, "too_large")


@pytest.mark.parametrize("path", BODIES)
def test_a_body_that_does_not_say_how_large_it_is_is_counted(game: Game, path: str) -> None:
    """Chunk by chunk."""

    def chunks() -> object:
        for _ in range(70):
            yield b" " * 1000

    url = path.replace("{game}", game.path)
    headers = {**game.headers(OPERATOR), **JSON}
    assert_problem(game._client.post(url, content=chunks(), headers=headers), 413, "too_large")  # type: ignore[arg-type]


def test_a_body_of_exactly_the_limit_is_read(game: Game) -> None:
    """Blanks around JSON are JSON."""
    body = b'{"type":"draw","source":"moon"}'.ljust(65_536)

    assert_problem(post(game, "{game}/commands", body, JSON), 422, "invalid")


def test_the_limit_can_be_set(server: Served) -> None:
    """`MELDLOG_BODY_LIMIT`."""
    assert server.service.settings.body_limit == 65_536


@pytest.mark.parametrize(
    ("command", "pointer"),
    [
        ({}, "/type"),
        ([], ""),
        ("draw", ""),
        ({"type": "shuffle"}, "/type"),
        ({"type": "batch", "commands": []}, "/commands"),
        ({"type": "batches", "commands": []}, "/type"),
        ({"type": "create_game"}, "/type"),
        ({"type": "take_seat", "seat": 0, "name": "Eve"}, "/type"),
        ({"type": 7}, "/type"),
        ({"source": "stock"}, "/type"),
        ({"type": "draw"}, "/source"),
        ({"type": "draw", "source": "moon"}, "/source"),
        ({"type": "draw", "source": "stock", "count": 0}, "/count"),
        ({"type": "draw", "source": "stock", "count": -1}, "/count"),
        ({"type": "draw", "source": "stock", "count": 1001}, "/count"),
        ({"type": "draw", "source": "stock", "count": 10**30}, "/count"),
        ({"type": "draw", "source": "stock", "count": 1.5}, "/count"),
        ({"type": "draw", "source": "stock", "count": "1"}, "/count"),
        ({"type": "draw", "source": "stock", "count": True}, "/count"),
        ({"type": "draw", "source": "stock", "count": None}, "/count"),
        ({"type": "draw", "source": "stock", "player": 1}, "/player"),
        ({"type": "draw", "source": "stock", "seat": -1}, "/seat"),
        ({"type": "draw", "source": "stock", "seat": 64}, "/seat"),
        ({"type": "discard"}, "/card"),
        ({"type": "discard", "card": "1H"}, "/card"),
        ({"type": "discard", "card": "10H"}, "/card"),
        ({"type": "discard", "card": "??"}, "/card"),
        ({"type": "discard", "card": "7X"}, "/card"),
        ({"type": "discard", "card": "7h"}, "/card"),
        ({"type": "discard", "card": ""}, "/card"),
        ({"type": "discard", "card": 7}, "/card"),
        ({"type": "discard", "card": '":'}, "/card"),
        ({"type": "lay_meld", "cards": "7H 8H 9H"}, "/cards"),
        ({"type": "lay_meld", "cards": ["7H", "8H", "9Z"]}, "/cards/2"),
        ({"type": "lay_meld", "cards": ["7H", 8, "9H"]}, "/cards/1"),
        ({"type": "lay_meld", "cards": ["7H"] * 129}, "/cards"),
        ({"type": "lay_meld", "cards": ["7H", "8H"], "reads_as": ["7H", "ZZ"]}, "/reads_as/1"),
        ({"type": "lay_meld", "cards": ["7H", "8H"], "reads_as": ["7H", "JK"]}, "/reads_as/1"),
        ({"type": "lay_off", "meld": 0, "cards": ["7H"]}, "/meld"),
        ({"type": "lay_off", "meld": 1, "cards": ["7H"], "end": "middle"}, "/end"),
        ({"type": "lay_off", "meld": 1, "cards": ["ZZ"]}, "/cards/0"),
        ({"type": "reclaim", "meld": 1, "card": "7H"}, "/for"),
        ({"type": "reclaim", "meld": 1, "card": "7H", "for": "0C"}, "/for"),
        ({"type": "name_wild", "rank": "1"}, "/rank"),
        ({"type": "name_wild", "rank": "A2"}, "/rank"),
        ({"type": "add_penalty", "points": 0}, "/points"),
        ({"type": "add_penalty", "points": 10**9}, "/points"),
        ({"commands": []}, "/commands"),
        ({"commands": {}}, "/commands"),
        ({"commands": [{"type": "decline"}] * 65}, "/commands"),
        ({"commands": [{"type": "decline"}], "dry_run": True}, "/dry_run"),
        ({"commands": [{"type": "decline"}, {"type": "discard", "card": "1H"}]}, "/commands/1/card"),
        ({"commands": [{"type": "decline"}, {"type": "fly"}]}, "/commands/1/type"),
        ({"commands": [{"commands": []}]}, "/commands/0/type"),
        ({"commands": [{"type": "lay_meld", "cards": ["7H", "1H"]}]}, "/commands/0/cards/1"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_with_a_pointer(
    game: Game, command: object, pointer: str
) -> None:
    """422 `invalid`, whatever the game is about, and nothing has changed."""
    before = game.table()["version"]
    problem = assert_problem(game.post(game.on_turn(), "/commands", command), 422, "invalid")

    assert pointer in [error["pointer"] for error in problem["errors"]]
    assert all(error["detail"] for error in problem["errors"])
    assert game.table()["version"] == before


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"variant": "no-such-variant"}, "/variant"),
        ({"variant": "one-card"}, "/variant"),
        ({"variant": None}, "/variant"),
        ({"seats": None}, "/seats"),
        ({"seats": 1}, "/seats"),
        ({"seats": 0}, "/seats"),
        ({"seats": -2}, "/seats"),
        ({"seats": 65}, "/seats"),
        ({"seats": 10**20}, "/seats"),
        ({"seats": "4"}, "/seats"),
        ({"house_rules": {"no_such_rule": 1}}, "/house_rules/no_such_rule"),
        ({"house_rules": {"a/b~c": 1}}, "/house_rules/a~1b~0c"),
        ({"house_rules": {"hand_size": "many"}}, "/house_rules/hand_size"),
        ({"house_rules": {"hand_size": {"deep": 1}}}, "/house_rules"),
        ({"house_rules": {"hand_size": 10**12}}, "/house_rules"),
        ({"house_rules": []}, "/house_rules"),
        ({"options": ["no-such-option"]}, "/options/0"),
        ({"options": ["press", 7]}, "/options/1"),
        ({"bots": {"9": "plain"}}, "/bots/9"),
        ({"bots": {"x": "plain"}}, "/bots/x"),
        ({"bots": {"01": "plain"}}, "/bots/01"),
        ({"bots": {"0": "no-such-bot"}}, "/bots/0"),
        ({"bots": ["plain"]}, "/bots"),
        ({"listed": "yes"}, "/listed"),
        ({"turn_seconds": 0}, "/turn_seconds"),
        ({"turn_seconds": 10**9}, "/turn_seconds"),
        ({"reveal": "sometimes"}, "/reveal"),
        ({"entropy": "a|b"}, "/entropy"),
        ({"game_id": "mine"}, "/game_id"),
        ({"host_token_hash": "0" * 64}, "/host_token_hash"),
    ],
)
def test_a_game_that_makes_no_sense_is_not_created(client: httpx.Client, change: Json, pointer: str) -> None:
    """422 `invalid` with a pointer."""
    body = {"variant": "crazy-rummy", "seats": 3} | change
    problem = assert_problem(client.post("/v1/games", json=body), 422, "invalid")

    assert any(error["pointer"].startswith(pointer) for error in problem["errors"])


@pytest.mark.parametrize("missing", ["variant", "seats"])
def test_what_every_game_needs_must_be_said(client: httpx.Client, missing: str) -> None:
    """The pointer names it."""
    body = {"variant": "crazy-rummy", "seats": 3}
    del body[missing]

    problem = assert_problem(client.post("/v1/games", json=body), 422, "invalid")
    assert problem["errors"][0]["pointer"] == f"/{missing}"


@pytest.mark.parametrize(
    ("headers", "pointer"),
    [
        ({"Idempotency-Key": ""}, "/Idempotency-Key"),
        ({"Idempotency-Key": "x" * 256}, "/Idempotency-Key"),
        ({"Idempotency-Key": "tab\there"}, "/Idempotency-Key"),
        ({"Idempotency-Key": "bot:12:0"}, "/Idempotency-Key"),
        ({"Idempotency-Key": "clock:12:0"}, "/Idempotency-Key"),
        ({"If-Match": "57"}, "/If-Match"),
        ({"If-Match": '"57'}, "/If-Match"),
        ({"If-Match": "latest"}, "/If-Match"),
        ({"If-Match": '"1" "2"'}, "/If-Match"),
    ],
)
def test_headers_that_make_no_sense_are_refused(game: Game, headers: dict[str, str], pointer: str) -> None:
    """With a pointer that names the header, on commands and on seats."""
    draw = {"type": "draw", "source": "stock"}
    for answer in (
        game.send(game.on_turn(), draw, headers=headers),
        game.delete(0, 0, headers=headers),
    ):
        problem = assert_problem(answer, 422, "invalid")
        assert problem["errors"][0]["pointer"] == pointer


def test_a_key_of_255_characters_is_a_key(game: Game) -> None:
    """In any script: characters are counted, not bytes."""
    game.until("draw")
    key = "é" * 255
    answer = game.send(
        game.on_turn(), {"type": "draw", "source": "stock"}, headers={"Idempotency-Key": key.encode()}
    )

    assert answer.status_code == 200
    assert game.log()[-1]["command_id"] == key


@pytest.mark.parametrize(
    "query", ["dry_run=yes", "dry_run=1", "dry_run=", "dry_run", "dry_run=true&dry_run=false"]
)
def test_a_dry_run_is_true_or_false(game: Game, query: str) -> None:
    """A misunderstanding must not play a card."""
    answer = game.post(game.on_turn(), f"/commands?{query}", {"type": "draw", "source": "stock"})

    assert assert_problem(answer, 422, "invalid")["errors"][0]["pointer"] == "/dry_run"


def test_an_unknown_switch_is_refused(game: Game) -> None:
    """Nor must a misspelling."""
    answer = game.post(game.on_turn(), "/commands?dryrun=true", {"type": "draw", "source": "stock"})

    assert_problem(answer, 422, "invalid")


@pytest.mark.parametrize(
    ("path", "params", "pointer"),
    [
        ("", {"status": "over"}, "/status"),
        ("", {"limit": 0}, "/limit"),
        ("", {"limit": 101}, "/limit"),
        ("", {"limit": "many"}, "/limit"),
        ("", {"cursor": "nonsense"}, "/cursor"),
        ("{game}/events", {"after": -1}, "/after"),
        ("{game}/events", {"after": "x"}, "/after"),
        ("{game}/events", {"limit": 0}, "/limit"),
        ("{game}/events", {"limit": 1001}, "/limit"),
    ],
)
def test_query_parameters_that_make_no_sense_are_refused(
    game: Game, path: str, params: dict[str, object], pointer: str
) -> None:
    """With a pointer that names the parameter."""
    answer = game._client.get(path.replace("{game}", game.path) or "/v1/games", params=params)  # type: ignore[arg-type]

    assert assert_problem(answer, 422, "invalid")["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("header", ["Basic b3A6b3A=", "Bearer", "token", "Bearer two words", "Digest x", ""])
def test_tokens_are_bearer_tokens(game: Game, header: str) -> None:
    """Anything else in `Authorization` is refused, and the answer says how it is done."""
    headers = {"Authorization": header}
    for answer in (
        game.get(headers=headers),
        game.get(path="/events", headers=headers),
        game.send("nobody", {"type": "draw", "source": "stock"}, headers=headers),
        game._client.get("/v1/games", headers=headers),
        game._client.post("/v1/games", json={"variant": "crazy-rummy", "seats": 2}, headers=headers),
    ):
        assert_problem(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"] == 'Bearer realm="meldlog"'


def test_a_bearer_token_is_bearer_however_it_is_spelt(game: Game) -> None:
    """RFC 9110: schemes are told apart without regard to case."""
    token = game.tokens[0]

    assert game.get(headers={"Authorization": f"bearer {token}"}).status_code == 200


@pytest.mark.parametrize("header", ["Authorization", "Idempotency-Key", "If-Match", "Content-Type"])
def test_what_is_said_twice_is_refused(game: Game, header: str) -> None:
    """Two readers of one request could understand different things."""
    token = game.tokens[game.on_turn()]
    given = {
        "Authorization": f"Bearer {token}",
        "Idempotency-Key": "k",
        "If-Match": '"1"',
        "Content-Type": "application/json",
    }
    headers = [*given.items(), (header, given[header])]
    answer = game._client.post(
        f"{game.path}/commands", content=b'{"type":"draw","source":"stock"}', headers=headers
    )

    assert_problem(answer, 400, "malformed")


def test_a_game_that_is_not_there_is_not_found(client: httpx.Client) -> None:
    """On every route of games, with or without a token."""
    path = "/v1/games/nosuchgame"
    for headers in ({}, {"Authorization": "Bearer mt_nobody"}):
        for answer in (
            client.get(path, headers=headers),
            client.get(f"{path}/moves", headers=headers),
            client.get(f"{path}/events", headers=headers),
            client.get(f"{path}/audit", headers=headers),
            client.post(f"{path}/commands", json={"type": "decline"}, headers=headers),
            client.post(f"{path}/seats", json={"name": "Ann"}, headers=headers),
            client.delete(f"{path}/seats/0", headers=headers),
        ):
            assert_problem(answer, 404, "not_found")
