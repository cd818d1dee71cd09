"""Forking a game at a version, and importing an exported log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import MakeGame
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, assert_problem
from tests.http.serving import OPERATOR_TOKEN, Served, served
from tests.support.tamper import edited, event_of, export, version_of

from meldlog_contracts.verifier import verify

NDJSON = {"Content-Type": "application/x-ndjson"}
GOLDEN = Path(__file__).parents[1] / "golden" / "basic-rummy.ndjson"


@pytest.fixture
def elsewhere() -> Iterator[httpx.Client]:
    """The operator of another installation."""
    with served() as other, other.client(OPERATOR_TOKEN) as client:
        yield client


def exported(game: Game) -> list[bytes]:
    """What the operator exports."""
    lines = game.get(OPERATOR, "/events", headers={"Accept": "application/x-ndjson"}).content.splitlines()
    assert lines
    return lines


def imported(client: httpx.Client, lines: list[bytes], **headers: str) -> httpx.Response:
    """What a service says to a log."""
    return client.post("/v1/games/import", content=b"\n".join(lines) + b"\n", headers={**NDJSON, **headers})


def bearer(token: str) -> dict[str, str]:
    """What shows who is asking."""
    return {"Authorization": f"Bearer {token}"}


def test_the_operator_forks_a_game(game: Game, client: httpx.Client) -> None:
    """201, `Location`, `ETag`, new tokens, and the table with where it comes from."""
    answer = game.post(OPERATOR, "/fork", {"at": 5})

    body = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/games/{body['game_id']}"
    assert answer.headers["etag"] == '"6"'
    assert answer.headers["cache-control"] == "no-store"
    assert (body["version"], body["status"]) == (6, "playing")
    assert body["origin"]["game_id"] == game.game_id
    assert body["origin"]["version"] == 5
    assert sorted(body["seat_tokens"]) == ["0", "1", "2"]
    turn = body["deal"]["turn"]
    path = f"/v1/games/{body['game_id']}"
    token = bearer(body["seat_tokens"][str(turn)])
    move = client.get(f"{path}/moves", headers=token).json()["moves"][0]
    played = client.post(f"{path}/commands", json=move, headers=token)
    assert played.json()["version"] == 7
    assert client.get(path, headers=bearer(OPERATOR_TOKEN)).json()["origin"] == body["origin"]
    assert client.get(f"{path}/audit", headers=bearer(OPERATOR_TOKEN)).json()["verdict"] == "agrees"
    assert game.get(OPERATOR).json()["origin"] is None


def test_old_tokens_open_nothing_in_a_fork(game: Game, client: httpx.Client) -> None:
    """Not the host's, not a seat's; nor do the new ones in the old game."""
    body = game.post(OPERATOR, "/fork", {"at": 5}).json()
    path = f"/v1/games/{body['game_id']}"
    for who in (HOST, 0, 1, 2):
        assert_problem(client.get(path, headers=game.headers(who)), 401, "unauthenticated")
        move = client.post(
            f"{path}/commands", json={"type": "draw", "source": "stock"}, headers=game.headers(who)
        )
        assert_problem(move, 401, "unauthenticated")
    for token in (body["host_token"], *body["seat_tokens"].values()):
        assert_problem(client.get(game.path, headers=bearer(token)), 401, "unauthenticated")


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [(SPECTATOR, 401, "unauthenticated"), (HOST, 403, "forbidden"), (0, 403, "forbidden")],
)
def test_nobody_else_forks(game: Game, who: str | int, status: int, code: str) -> None:
    """A fork shows what is hidden in the game."""
    assert_problem(game.post(who, "/fork", {"at": 5}), status, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"at": 0}, 422, "invalid"),
        ({"at": "5"}, 422, "invalid"),
        ({}, 422, "invalid"),
        ({"at": 5, "seed": "00"}, 422, "invalid"),
        ({"at": 999}, 404, "not_found"),
    ],
)
def test_a_fork_names_a_version(game: Game, body: object, status: int, code: str) -> None:
    """One that there is."""
    assert_problem(game.post(OPERATOR, "/fork", body), status, code)


def test_a_game_that_is_over_is_not_forked_at_its_end(new_game: MakeGame) -> None:
    """But before it."""
    game = new_game(2, bots={0: "plain", 1: "plain"}, house_rules=SHORT)
    assert game_over(game)
    last = game.get().json()["version"]
    assert_problem(game.post(OPERATOR, "/fork", {"at": last}), 409, "game_over")
    assert game.post(OPERATOR, "/fork", {"at": last - 1}).status_code == 201


def game_over(game: Game) -> bool:
    """Wait for the bots."""
    with game._client.stream(
        "GET", f"{game.path}/events", headers={"Accept": "text/event-stream"}
    ) as response:
        return any('"game_ended"' in line for line in response.iter_lines())


def test_an_exported_game_goes_on_elsewhere(game: Game, elsewhere: httpx.Client) -> None:
    """At another installation, which knows where it comes from; the log verifies there."""
    lines = exported(game)

    answer = imported(elsewhere, lines)

    body = answer.json()
    assert answer.status_code == 201, answer.text
    assert body["origin"] == {
        "game_id": game.game_id,
        "version": len(lines),
        "head": json.loads(lines[-1])["hash"],
    }
    path = f"/v1/games/{body['game_id']}"
    turn = body["deal"]["turn"]
    token = bearer(body["seat_tokens"][str(turn)])
    move = elsewhere.get(f"{path}/moves", headers=token).json()["moves"][0]
    assert elsewhere.post(f"{path}/commands", json=move, headers=token).status_code == 200
    hand = elsewhere.get(path, headers=token, params={"at": len(lines)}).json()["seats"][turn]["hand"]
    assert hand == game.get(turn).json()["seats"][turn]["hand"]
    log = elsewhere.get(f"{path}/events", headers={"Accept": "application/x-ndjson"}).content.splitlines()
    assert log[: len(lines)] == lines
    assert verify(log).ok
    assert elsewhere.get(f"{path}/audit").json()["verdict"] == "agrees"


def test_the_same_log_is_imported_once(elsewhere: httpx.Client) -> None:
    """The second time names the game that it became."""
    lines = GOLDEN.read_bytes().splitlines()
    first = imported(elsewhere, lines)
    assert first.status_code == 201
    assert first.json()["status"] == "finished"
    again = imported(elsewhere, lines)
    assert_problem(again, 409, "game_exists")
    assert first.json()["game_id"] in again.json()["detail"]


def test_a_tampered_log_is_refused_naming_the_version(elsewhere: httpx.Client) -> None:
    """And the check that it fails, though every hash after it fits; nothing was stored."""
    lines = GOLDEN.read_bytes().splitlines()
    at = version_of(lines, "deal_scored")
    forged = edited(lines, at, lambda commit: event_of(commit, "deal_scored").update(totals=[0, 0, 0, 0]))

    answer = imported(elsewhere, forged)

    assert_problem(answer, 422, "log_refused")
    assert answer.json()["version"] == at
    assert answer.json()["errors"][0]["pointer"] == f"/{at}"
    assert answer.json()["errors"][0]["detail"].startswith("decisions: ")
    assert elsewhere.get("/v1/games").json()["items"] == []


def test_what_is_no_operators_export_is_refused(elsewhere: httpx.Client) -> None:
    """A seat's, a spectator's, and what is no log at all."""
    lines = GOLDEN.read_bytes().splitlines()
    for wrong in (export(lines, 0), export(lines, None), [b"nonsense"], [b""], []):
        assert_problem(imported(elsewhere, wrong), 422, "log_refused")


def test_only_the_operator_imports(server: Served, game: Game, client: httpx.Client) -> None:
    """Whoever else asks is not even read."""
    lines = GOLDEN.read_bytes().splitlines()
    assert_problem(imported(client, lines), 401, "unauthenticated")
    for who in (HOST, 0):
        assert_problem(imported(client, lines, **game.headers(who)), 401, "unauthenticated")


@pytest.mark.parametrize(
    "headers",
    [{"Content-Type": "application/json"}, {"Content-Type": "text/html"}, {"Content-Encoding": "gzip"}],
)
def test_a_log_is_sent_as_lines(operator: httpx.Client, headers: dict[str, str]) -> None:
    """Not packed, and not as something else."""
    assert_problem(imported(operator, [b"{}"], **headers), 415, "unsupported_media_type")


def test_a_log_has_a_limit_of_its_own() -> None:
    """`MELDLOG_IMPORT_LIMIT`, whether its length is said or counted."""
    lines = GOLDEN.read_bytes().splitlines()
    with served(import_limit=65_536) as small, small.client(OPERATOR_TOKEN) as client:
        assert_problem(imported(client, lines), 413, "too_large")
        pieces = (line + b"\n" for line in lines)
        answer = client.post("/v1/games/import", content=pieces, headers=NDJSON)
        assert_problem(answer, 413, "too_large")


def test_a_log_may_come_in_any_pieces(elsewhere: httpx.Client) -> None:
    """However the network cut it."""
    log = GOLDEN.read_bytes()
    pieces = (log[at : at + 997] for at in range(0, len(log), 997))
    answer = elsewhere.post("/v1/games/import", content=pieces, headers=NDJSON)
    assert answer.status_code == 201, answer.text


def test_a_line_without_end_is_refused(operator: httpx.Client) -> None:
    """It is not kept any longer than shows that it is none."""
    assert_problem(imported(operator, [b"x" * 3_000_000, b"{}"]), 422, "log_refused")
