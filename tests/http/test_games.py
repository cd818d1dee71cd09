"""Creating games, listing them, looking at tables."""

from __future__ import annotations

from functools import partial
from itertools import count

import httpx
import pytest
from tests.http.conftest import MakeGame
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, assert_problem
from tests.http.serving import OPERATOR_TOKEN, served

from meldlog_service.store.memory import MemoryStore, Shelf


def test_a_new_game_is_told_with_its_place_its_token_and_its_table(client: httpx.Client) -> None:
    """201, `Location`, `ETag`, the host's token once, and the view of a spectator."""
    answer = client.post(
        "/v1/games",
        json={
            "variant": "crazy-rummy",
            "house_rules": {"hand_size": 9},
            "options": [],
            "seats": 4,
            "bots": {"2": "plain"},
            "listed": True,
            "turn_seconds": 60,
            "entropy": "some words",
        },
    )

    body = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/games/{body['game_id']}"
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["cache-control"] == "no-store"
    assert body["host_token"].startswith("mt_")
    assert (body["version"], body["status"], body["turn_seconds"]) == (1, "open", 60)
    assert body["house_rules"]["hand_size"] == 9
    assert [seat["kind"] for seat in body["seats"]] == ["player", "player", "bot", "player"]
    table = client.get(answer.headers["location"]).json()
    assert {name: body[name] for name in table} == table


def test_the_host_token_is_in_no_other_answer(new_game: MakeGame) -> None:
    """Nor are seat tokens: only their hashes are stored."""
    game = new_game(start=False)

    for who in (SPECTATOR, HOST, OPERATOR, 0):
        told = game.get(who).text + game.get(who, "/events").text
        assert not any(token in told for token in game.tokens.values())


def test_a_game_of_bots_alone_waits_for_its_host(new_game: MakeGame) -> None:
    """Bots at every seat do not start a game by themselves."""
    game = new_game(2, bots={0: "plain", 1: "plain"}, start=False)

    assert game.table()["status"] == "open"
    assert game.send(HOST, {"type": "start_game"}).status_code == 200


def test_a_token_that_belongs_to_a_game_opens_nothing_beside_it(game: Game) -> None:
    """401 where games are listed and made: there one comes as the operator or without a token."""
    body = {"variant": "crazy-rummy", "seats": 2}
    for who in (0, HOST):
        for answer in (
            game._client.get("/v1/games", headers=game.headers(who)),
            game._client.post("/v1/games", json=body, headers=game.headers(who)),
        ):
            assert_problem(answer, 401, "unauthenticated")


def test_only_the_operator_creates_games_where_the_service_is_set_so() -> None:
    """`MELDLOG_CREATE=operator`."""
    body = {"variant": "crazy-rummy", "seats": 2}
    with (
        served(create="operator") as server,
        server.client() as anybody,
        server.client(OPERATOR_TOKEN) as operator,
    ):
        refused = anybody.post("/v1/games", json=body)
        assert_problem(refused, 401, "unauthenticated")
        assert refused.headers["www-authenticate"].startswith("Bearer")
        assert operator.post("/v1/games", json=body).status_code == 201


def test_the_public_url_is_where_things_are() -> None:
    """`Location` and the `type` of problems are absolute where the service knows its URL."""
    with served(public_url="https://cards.example/rummy") as server, server.client() as client:
        created = client.post("/v1/games", json={"variant": "crazy-rummy", "seats": 2})
        assert created.headers["location"].startswith("https://cards.example/rummy/v1/games/")
        assert client.get("/nowhere").json()["type"] == "https://cards.example/rummy/problems/not_found"


def test_games_are_listed_newest_first_a_page_at_a_time() -> None:
    """The cursor leads through all of them, each exactly once."""
    with served() as server:
        games = [Game(server, 2, start=False) for _ in range(7)]
        with server.client() as client:
            seen: list[str] = []
            cursor = None
            while True:
                params = {"limit": 3, **({"cursor": cursor} if cursor else {})}
                page = client.get("/v1/games", params=params).json()
                assert len(page["items"]) <= 3
                seen += [item["game_id"] for item in page["items"]]
                cursor = page["next_cursor"]
                if cursor is None:
                    break
        created = {game.game_id: game.table()["created_at"] for game in games}
        assert sorted(seen) == sorted(created)
        assert [created[one] for one in seen] == sorted(created.values(), reverse=True)
        for game in games:
            game.__exit__()


def test_the_list_can_be_narrowed_by_status_and_variant() -> None:
    """And an item says what a lobby needs to show."""
    with (
        served() as server,
        server.client() as client,
        Game(server, 2, start=False) as waiting,
        Game(server, 3) as playing,
    ):
        listed = client.get("/v1/games", params={"status": "open"}).json()["items"]
        assert [item["game_id"] for item in listed] == [waiting.game_id]
        assert listed[0]["seats"][0] == {"seat": 0, "name": "Player 0", "kind": "player"}
        listed = client.get("/v1/games", params={"status": "playing", "variant": "crazy-rummy"}).json()[
            "items"
        ]
        assert [(item["game_id"], item["deal"], item["of"]) for item in listed] == [(playing.game_id, 1, 13)]
        for params in ({"status": "finished"}, {"variant": "no-such-game"}):
            assert client.get("/v1/games", params=params).json() == {"items": [], "next_cursor": None}


def test_a_parameter_that_a_reading_route_does_not_know_is_passed_over(game: Game) -> None:
    """As what makes an address new for a cache; and so is one that is misspelt."""
    for path, unknown in (("", "?_=1712"), ("/events", "?afer=3"), ("/moves", "?saet=1")):
        assert game.get(0, path + unknown).json() == game.get(0, path).json()
    listed = game._client.get("/v1/games", params={"stauts": "finished"})
    assert game.game_id in [item["game_id"] for item in listed.json()["items"]]


def last_told(game: Game) -> str:
    """When the last command of a game was given, as its log has it."""
    at: str = game.get(OPERATOR, "/events").json()["items"][-1]["at"]
    return at


def test_the_list_says_when_a_game_was_last_touched() -> None:
    """So abandoned tables are told from those that are played, also by a service that has just started."""
    shelf, clock = Shelf(), count(1_767_225_600_000, 60_000)
    store = partial(MemoryStore, shelf)
    with (
        served(store=store, now_ms=lambda: next(clock)) as server,
        Game(server, 2, start=False) as abandoned,
        Game(server, 2) as played,
        server.client() as client,
    ):
        listed = client.get("/v1/games").json()["items"]
        told = {item["game_id"]: item["updated_at"] for item in listed}
        assert told == {game.game_id: last_told(game) for game in (abandoned, played)}
        assert all(item["created_at"] < item["updated_at"] for item in listed)

        seat = played.on_turn()
        move = played.moves(seat)[-1]
        assert played.send(seat, move, params={"dry_run": True}).status_code == 200
        assert client.get("/v1/games").json()["items"] == listed
        assert played.send(seat, move).status_code == 200
        now = client.get("/v1/games").json()["items"]
        assert now[0]["updated_at"] == last_told(played) > told[played.game_id]
        assert now[1] == listed[1]
        with served(store=store) as restarted, restarted.client() as other:
            assert other.get("/v1/games").json()["items"] == now


def test_forks_and_imports_were_last_touched_when_they_were_made() -> None:
    """As they were created then."""
    clock = count(1_767_225_600_000, 60_000)
    with (
        served(now_ms=lambda: next(clock)) as server,
        Game(server, 2, listed=False) as game,
        served(now_ms=lambda: next(clock)) as elsewhere,
        elsewhere.client(OPERATOR_TOKEN) as other,
    ):
        log = game.get(OPERATOR, "/events", headers={"Accept": "application/x-ndjson"}).content
        headers = {"Content-Type": "application/x-ndjson"}
        assert other.post("/v1/games/import", content=log, headers=headers).status_code == 201
        (imported,) = other.get("/v1/games").json()["items"]
        assert game.post(OPERATOR, "/fork", {"at": 4}).status_code == 201
        with server.client(OPERATOR_TOKEN) as client:
            forked, old = client.get("/v1/games").json()["items"]
        assert old["game_id"] == game.game_id
        for new in (imported, forked):
            assert new["updated_at"] == new["created_at"] > old["updated_at"]


def test_an_unlisted_game_is_not_there_for_strangers(new_game: MakeGame, client: httpx.Client) -> None:
    """On no route, with no token and with a wrong one; those who belong to it see it."""
    game = new_game(listed=False)
    game.tokens["stranger"] = "mt_nobody"

    for who in (SPECTATOR, "stranger"):
        for path in ("", "/moves", "/events", "/audit"):
            assert_problem(game.get(who, path), 404, "not_found")
        assert_problem(game.send(who, {"type": "draw", "source": "stock"}), 404, "not_found")
        assert_problem(game.post(who, "/seats", {"name": "Eve"}), 404, "not_found")
        assert_problem(game.delete(who, 0), 404, "not_found")
    for known in (HOST, OPERATOR, 0):
        assert game.get(known).status_code == 200
    listed = client.get("/v1/games", params={"limit": 100}).json()["items"]
    assert game.game_id not in {item["game_id"] for item in listed}


def test_the_operator_lists_unlisted_games_too(new_game: MakeGame, operator: httpx.Client) -> None:
    """Nobody else does."""
    game = new_game(listed=False)

    listed = operator.get("/v1/games", params={"limit": 100}).json()["items"]
    assert game.game_id in {item["game_id"] for item in listed}


@pytest.mark.parametrize(
    ("who", "hands"),
    [(SPECTATOR, set()), (HOST, set()), (0, {0}), (2, {2}), (OPERATOR, {0, 1, 2})],
)
def test_everybody_sees_the_hands_that_are_theirs_to_see(game: Game, who: int | str, hands: set[int]) -> None:
    """A seat its own, the operator all, everybody else none."""
    assert {seat["seat"] for seat in game.table(who)["seats"] if "hand" in seat} == hands


def test_a_table_is_sent_again_only_when_it_has_changed(game: Game) -> None:
    """`ETag` is the version, `If-None-Match` spares the body, and caches keep callers apart."""
    first = game.get(0)
    tag = first.headers["etag"]

    assert tag == f'"{first.json()["version"]}"'
    assert "Authorization" in first.headers["vary"]
    for asked in (tag, f'"1", {tag}', f"W/{tag}", "*"):
        unchanged = game.get(0, headers={"If-None-Match": asked})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", tag)
    game.play(1)
    assert game.get(0, headers={"If-None-Match": tag}).status_code == 200


def test_a_table_can_be_looked_at_as_it_was(game: Game) -> None:
    """`?at=` of every version there was, with that version's tag."""
    game.play(5)
    last = game.table()["version"]

    for version in range(1, last + 1):
        answer = game.get(0, params={"at": version})
        assert (answer.json()["version"], answer.headers["etag"]) == (version, f'"{version}"')
    assert game.table(0, at=last) == game.table(0)


@pytest.mark.parametrize("version", [0, 1000])
def test_a_version_that_never_was_is_not_found(game: Game, version: int) -> None:
    """The problem tells the version there is."""
    problem = assert_problem(game.get(params={"at": version}), 404, "not_found")

    assert problem["version"] == game.table()["version"]


@pytest.mark.parametrize("version", ["-1", "x", "1.5", "", "9" * 30])
def test_what_is_no_version_is_invalid(game: Game, version: str) -> None:
    """With a pointer to the parameter."""
    problem = assert_problem(game.get(params={"at": version}), 422, "invalid")

    assert problem["errors"][0]["pointer"] == "/at"


def test_when_a_game_is_over_every_hand_is_open_also_looking_back(new_game: MakeGame) -> None:
    """Nothing is to be hidden any more; the events stay as they were sent."""
    game = new_game(2, house_rules=SHORT)
    for _ in game.commands():
        pass
    last = game.table()["version"]

    assert game.table()["status"] == "finished"
    for version in (last, last - 1, 5):
        assert all("hand" in seat for seat in game.table(at=version)["seats"])
    seen = [event for commit in game.log() for event in commit["events"]]
    assert all("value" not in event["card"] for event in seen if event["type"] == "card_drawn")


def test_looking_back_is_answered_anew_once_the_game_is_over(new_game: MakeGame) -> None:
    """The same version shows more then: a copy of before is no copy of it."""
    game = new_game(2, house_rules=SHORT)
    headers = {"If-None-Match": '"5"'}
    game.play(4)
    assert game.get(params={"at": 5}, headers=headers).status_code == 304
    for _ in game.commands():
        pass

    assert game.get(params={"at": 5}, headers=headers).status_code == 200


def test_moves_are_ready_to_be_posted(game: Game) -> None:
    """Every listed command of the seat on turn is accepted in a dry run."""
    seat = game.on_turn()
    listed = game.get(seat, "/moves")

    body = listed.json()
    assert (body["version"], body["seat"], body["truncated"]) == (game.table()["version"], seat, False)
    assert body["moves"]
    for command in body["moves"][:10]:
        assert game.send(seat, command, params={"dry_run": "true"}).status_code == 200


def test_a_seat_that_is_not_on_turn_has_no_moves(game: Game) -> None:
    """An empty list, not an error."""
    assert game.moves(game.not_on_turn()) == []


def test_the_operator_asks_for_a_seat_and_gets_commands_that_name_it(game: Game) -> None:
    """So they, too, are ready to be posted."""
    seat = game.on_turn()
    commands = game.get(OPERATOR, "/moves", params={"seat": seat}).json()["moves"]

    assert all(command["seat"] == seat for command in commands)
    assert game.send(OPERATOR, commands[0]).status_code == 200


@pytest.mark.parametrize(
    ("who", "params", "status", "code"),
    [
        (SPECTATOR, {}, 401, "unauthenticated"),
        (HOST, {}, 403, "forbidden"),
        (0, {"seat": 1}, 403, "not_your_seat"),
        (OPERATOR, {}, 422, "invalid"),
        (OPERATOR, {"seat": 3}, 422, "invalid"),
        (OPERATOR, {"seat": "x"}, 422, "invalid"),
    ],
)
def test_moves_are_for_whoever_plays_the_seat(
    game: Game, who: int | str, params: dict[str, object], status: int, code: str
) -> None:
    """A seat's moves tell its hand."""
    assert_problem(game.get(who, "/moves", params=params), status, code)


def test_a_game_is_audited_by_the_operator_and_once_it_is_over_by_anybody(new_game: MakeGame) -> None:
    """What an audit finds wrong can tell hidden cards."""
    game = new_game(2, house_rules=SHORT)
    for who in (SPECTATOR, HOST, 0):
        assert_problem(game.get(who, "/audit"), 403, "forbidden")
    assert game.get(OPERATOR, "/audit").json()["verdict"] == "agrees"
    for _ in game.commands():
        pass

    report = game.get(SPECTATOR, "/audit").json()
    assert (report["verdict"], report["version"]) == ("agrees", game.table()["version"])
    assert all(check["verdict"] == "agrees" for check in report["checks"])


def test_who_knew_what_is_told_once_the_game_is_over(new_game: MakeGame) -> None:
    """Before that to the operator, and to a seat what it knows itself."""
    game = new_game(2, house_rules=SHORT)
    for who in (SPECTATOR, HOST):
        assert_problem(game.get(who, "/knowledge"), 403, "forbidden")
    own = game.get(1, "/knowledge").json()
    assert [one["viewer"] for one in own["known"]] == ["seat:1"]
    everybody = game.get(OPERATOR, "/knowledge").json()
    assert [one["viewer"] for one in everybody["known"]] == ["seat:0", "seat:1"]
    assert everybody["known"][1] == own["known"][0]
    hand = game.get(1).json()["seats"][1]["hand"]
    assert own["known"][0]["hands"] == [[], hand]
    assert set(own["known"][0]["stock"]) == {"??"}

    for _ in game.commands():
        pass

    last = game.get().json()["version"]
    at_the_end = game.get(SPECTATOR, "/knowledge").json()
    assert at_the_end["version"] == last
    assert [one["viewer"] for one in at_the_end["known"]] == ["seat:0", "seat:1"]
    assert game.get(SPECTATOR, "/knowledge", params={"at": own["version"]}).json() == everybody
    assert_problem(game.get(SPECTATOR, "/knowledge", params={"at": last + 1}), 404, "not_found")
    assert_problem(game.get(SPECTATOR, "/knowledge", params={"at": 0}), 422, "invalid")
