"""Commands: what is answered, who may give them, retries, versions, lists."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.http.conftest import MakeGame
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, Json, assert_problem
from tests.http.serving import PATIENCE, Served

DRAW: Json = {"type": "draw", "source": "stock"}
TAKE: Json = {"type": "draw", "source": "discard"}


@pytest.fixture
def drawing(game: Game) -> Game:
    """A game in which the seat on turn is to draw."""
    game.until("draw")
    return game


def test_a_command_is_answered_with_its_version_and_what_it_caused(drawing: Game) -> None:
    """200, `ETag`, and the drawn card for whoever drew it."""
    seat = drawing.on_turn()
    before = drawing.table()["version"]
    answer = drawing.send(seat, DRAW)

    body = answer.json()
    assert answer.status_code == 200
    assert (body["version"], body["replayed"]) == (before + 1, False)
    assert answer.headers["etag"] == f'"{before + 1}"'
    assert answer.headers["content-type"] == "application/json"
    [drawn] = body["events"]
    assert drawn["type"] == "card_drawn"
    assert drawn["card"].keys() == {"count", "salt", "seal", "value"}
    assert drawn["card"]["value"] in drawing.table(seat)["seats"][seat]["hand"]


def test_an_answer_is_the_same_whether_the_connection_stays_open_or_not(drawing: Game) -> None:
    """One goes out in a piece, the other by way of the server's own assembly; a replay says the same in both."""
    seat = drawing.on_turn()
    sent = [
        drawing.send(seat, DRAW, headers={"Idempotency-Key": "k", "X-Request-ID": "r", **more})
        for more in ({}, {"Connection": "close"}, {})
    ]

    first, closed, kept = ({**answer.headers, "date": ""} for answer in sent)
    assert first.pop("content-length")
    assert closed.pop("connection") == "close"
    assert kept == closed
    assert {**first, "idempotent-replayed": "true", "content-length": kept["content-length"]} == kept
    assert sent[1].content == sent[2].content


def test_the_operator_plays_any_seat_by_naming_it(drawing: Game) -> None:
    """And is recorded as the operator, with the seat."""
    seat = drawing.on_turn()
    assert drawing.send(OPERATOR, {**DRAW, "seat": seat}).status_code == 200

    last = drawing.log()[-1]
    assert (last["by"], last["command"]) == ("operator", {"type": "draw", "source": "stock", "seat": seat})


def test_a_seat_may_name_itself(drawing: Game) -> None:
    """It is not recorded: its token says it."""
    seat = drawing.on_turn()
    assert drawing.send(seat, {**DRAW, "seat": seat}).status_code == 200

    assert drawing.log()[-1]["command"] == DRAW


def test_the_token_of_another_game_opens_nothing(new_game: MakeGame) -> None:
    """Neither a seat's nor the host's."""
    game, other = new_game(), new_game()
    for who in (0, HOST):
        game.tokens["other"] = other.tokens[who]
        for answer in (
            game.get("other"),
            game.get("other", "/moves"),
            game.get("other", "/events"),
            game.send("other", DRAW),
            game.post("other", "/seats", {"name": "Eve"}),
            game.delete("other", 0),
        ):
            problem = assert_problem(answer, 401, "unauthenticated")
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert other.game_id not in str(problem)


@pytest.mark.parametrize(
    ("who", "command", "status", "code"),
    [
        (SPECTATOR, DRAW, 401, "unauthenticated"),
        (SPECTATOR, {"type": "start_game"}, 401, "unauthenticated"),
        (HOST, DRAW, 403, "forbidden"),
        (OPERATOR, DRAW, 422, "invalid"),
        (OPERATOR, {**DRAW, "seat": 9}, 422, "invalid"),
        ("on turn", {"type": "start_game"}, 403, "forbidden"),
        ("on turn", {**DRAW, "seat": "another"}, 403, "not_your_seat"),
        ("another", {**DRAW, "seat": "on turn"}, 403, "not_your_seat"),
        ("another", DRAW, 409, "not_your_turn"),
        ("on turn", {"type": "discard", "card": "7H"}, 409, "wrong_phase"),
        (HOST, {"type": "start_game"}, 409, "wrong_phase"),
        ("on turn", {"type": "draw", "source": "stock", "count": 2}, 422, "illegal_move"),
        ("on turn", {"type": "draw", "source": "discard", "count": 50}, 422, "illegal_move"),
    ],
)
def test_who_may_not_is_told_why(drawing: Game, who: str, command: Json, status: int, code: str) -> None:
    """Every refusal has its status and its code, and changes nothing."""
    seats: dict[object, int] = {"on turn": drawing.on_turn(), "another": drawing.not_on_turn()}
    if "seat" in command:
        command = {**command, "seat": seats.get(command["seat"], command["seat"])}
    before = drawing.table(OPERATOR)
    problem = assert_problem(drawing.send(seats.get(who, who), command), status, code)

    if status != 401:
        assert problem["version"] == before["version"]
    assert drawing.table(OPERATOR) == before


def test_a_refusal_by_a_rule_names_the_clause(drawing: Game, client: httpx.Client) -> None:
    """And the clause stands in the rule sheet."""
    seat = drawing.on_turn()
    problem = assert_problem(drawing.send(seat, {**DRAW, "count": 2}), 422, "illegal_move")

    sheet = client.get("/v1/variants/crazy-rummy").json()
    assert problem["rule"] in {clause["id"] for clause in sheet["clauses"]}


def test_what_is_too_little_is_told_as_numbers(new_game: MakeGame) -> None:
    """A run alone does not reach the points of an opening, which no hand's run can; a list says the same."""
    game = new_game(2, variant="rami-51", house_rules={"opening_threshold": 90})
    playing = game.commands()
    while not (runs := runs_in(game, seat := game.until("play"))):
        next(playing)

    for sent in (runs[:1], [{"commands": runs[:1]}]):
        told = assert_problem(game.send(seat, *sent, params={"dry_run": True}), 422, "illegal_move")
        assert told["rule"] == "open.threshold"
        assert told["shortfall"]["needed"] == 90
        assert 6 <= told["shortfall"]["points"] < 90
    other = assert_problem(game.send(seat, DRAW), 409, "wrong_phase")
    assert "shortfall" not in other


def runs_in(game: Game, seat: int) -> list[Json]:
    """Runs of three natural cards in a hand, as commands."""
    hand = game.table(seat)["seats"][seat]["hand"]
    ranks = "23456789TJQK"
    runs = [
        [rank + suit for rank in ranks[low : low + 3]] for suit in "CDHS" for low in range(len(ranks) - 2)
    ]
    return [{"type": "lay_meld", "cards": run} for run in runs if set(run) <= set(hand)]


def test_a_finished_game_takes_no_commands(new_game: MakeGame) -> None:
    """409 `game_over`."""
    game = new_game(2, house_rules=SHORT)
    for _ in game.commands():
        pass

    assert_problem(game.send(0, DRAW), 409, "game_over")


def test_resigning_hands_the_seat_to_a_bot(game: Game) -> None:
    """Also when it is not that seat's turn."""
    seat = game.not_on_turn()
    assert game.send(seat, {"type": "resign"}).status_code == 200

    assert game.table()["seats"][seat]["kind"] == "bot"
    assert_problem(game.send(seat, DRAW), 401, "unauthenticated")


# -- lists -------------------------------------------------------------------------------------------------------------


def test_a_list_is_one_commit(drawing: Game) -> None:
    """Decided one after the other, stored together."""
    seat = drawing.on_turn()
    card = drawing.table(seat)["seats"][seat]["hand"][0]
    before = drawing.table()["version"]
    answer = drawing.send(seat, TAKE, {"type": "discard", "card": card})

    assert answer.status_code == 200, answer.text
    assert answer.json()["version"] == before + 1
    types = [event["type"] for event in answer.json()["events"]]
    assert types[:2] == ["discards_taken", "card_discarded"]
    assert drawing.log()[-1]["command"] == {
        "type": "batch",
        "commands": [TAKE, {"type": "discard", "card": card}],
    }


def test_a_list_may_say_that_it_is_one(drawing: Game) -> None:
    """With the type that the log and listed moves give it, so that a listed move is posted back as it is."""
    seat = drawing.on_turn()
    card = drawing.table(seat)["seats"][seat]["hand"][0]
    body = {"type": "batch", "commands": [TAKE, {"type": "discard", "card": card}]}

    assert drawing.send(seat, body).status_code == 200
    assert drawing.log()[-1]["command"] == body


def test_a_list_is_all_or_nothing(drawing: Game) -> None:
    """One command that may not be refuses all, and the pointer says which."""
    seat = drawing.on_turn()
    before = drawing.table(OPERATOR)
    problem = assert_problem(drawing.send(seat, TAKE, TAKE), 409, "wrong_phase")

    assert problem["errors"][0]["pointer"] == "/commands/1"
    assert drawing.table(OPERATOR) == before


def test_a_list_ends_where_a_card_is_turned_up(drawing: Game) -> None:
    """Else the stock could be asked for its next card, again and again, without ever drawing it."""
    seat = drawing.on_turn()
    refusals = {
        drawing.send(seat, DRAW, {"type": "discard", "card": rank + suit}).json()["detail"]
        for rank in "A2345"
        for suit in "CDHS"
    }

    assert len(refusals) == 1


# -- dry runs ----------------------------------------------------------------------------------------------------------


def test_a_dry_run_judges_and_stores_nothing(drawing: Game) -> None:
    """Neither what is accepted nor what is refused."""
    seat = drawing.on_turn()
    before = drawing.table(OPERATOR)
    params = {"dry_run": "true"}
    assert drawing.send(seat, DRAW, params=params).json()["version"] == before["version"]
    assert_problem(drawing.send(seat, {"type": "discard", "card": "7H"}, params=params), 409, "wrong_phase")

    assert drawing.table(OPERATOR) == before
    assert drawing.send(seat, DRAW, params={"dry_run": "false"}).json()["version"] == before["version"] + 1


def test_a_dry_run_shows_no_card_before_it_is_drawn(drawing: Game) -> None:
    """Otherwise everybody would look at the stock first."""
    seat = drawing.on_turn()
    [drawn] = drawing.send(seat, DRAW, params={"dry_run": "true"}).json()["events"]

    assert drawn["card"].keys() <= {"count", "seal"}


# -- retries -----------------------------------------------------------------------------------------------------------


def test_a_retry_gets_the_first_answer_again(drawing: Game) -> None:
    """`replayed` and `Idempotent-Replayed` say so, the version stands."""
    seat = drawing.on_turn()
    headers = {"Idempotency-Key": "draw-1"}
    first = drawing.send(seat, DRAW, headers=headers)
    drawing.play(1)
    again = drawing.send(seat, DRAW, headers=headers)

    assert again.status_code == 200
    assert again.json() == {**first.json(), "replayed": True}
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert drawing.table()["version"] == first.json()["version"] + 1


def test_a_key_belongs_to_whoever_used_it(drawing: Game) -> None:
    """Another seat's same key is another key; another command under the same key is refused."""
    seat = drawing.on_turn()
    headers = {"Idempotency-Key": "the-same"}
    drawing.send(seat, DRAW, headers=headers)

    assert_problem(
        drawing.send(seat, {"type": "discard", "card": "7H"}, headers=headers), 422, "idempotency_mismatch"
    )
    assert_problem(drawing.send(drawing.not_on_turn(), DRAW, headers=headers), 409, "not_your_turn")


def test_a_refused_command_does_not_use_up_its_key(drawing: Game) -> None:
    """The same key serves for the command that is sent instead."""
    seat = drawing.on_turn()
    headers = {"Idempotency-Key": "second-thoughts"}
    assert_problem(drawing.send(seat, {"type": "discard", "card": "7H"}, headers=headers), 409, "wrong_phase")

    assert drawing.send(seat, DRAW, headers=headers).status_code == 200


def test_twenty_equal_requests_have_one_effect_and_one_answer(drawing: Game) -> None:
    """Nineteen of them replayed, all with the same events."""
    seat = drawing.on_turn()
    before = drawing.table()["version"]
    headers = {"Idempotency-Key": "at-once"}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: drawing.send(seat, DRAW, headers=headers), range(20)))

    bodies = [answer.json() for answer in answers]
    assert {answer.status_code for answer in answers} == {200}
    assert {body["version"] for body in bodies} == {before + 1}
    assert sum(body["replayed"] for body in bodies) == 19
    assert all(body["events"] == bodies[0]["events"] for body in bodies)
    assert drawing.table()["version"] == before + 1


async def test_of_a_hundred_different_requests_at_once_one_is_played(server: Served, drawing: Game) -> None:
    """The others are refused in their turn; nothing is lost and nothing done twice."""
    seat = drawing.on_turn()
    before = drawing.table()["version"]
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=server.url, limits=limits, timeout=PATIENCE) as client:
        answers = await asyncio.gather(
            *(
                client.post(f"{drawing.path}/commands", json=DRAW, headers=drawing.headers(seat))
                for _ in range(100)
            )
        )

    assert sum(answer.status_code == 200 for answer in answers) == 1
    for answer in answers:
        if answer.status_code != 200:
            assert_problem(answer, 409, "wrong_phase")
    assert drawing.table()["version"] == before + 1
    assert drawing.get(OPERATOR, "/audit").json()["verdict"] == "agrees"


# -- versions ----------------------------------------------------------------------------------------------------------


def test_a_command_can_be_meant_for_one_version(drawing: Game) -> None:
    """412 at any other, also at one that never was; the problem tells the version there is."""
    seat = drawing.on_turn()
    version = drawing.table()["version"]
    for stale in (f'"{version - 1}"', f'"{version + 1}"', '"100000"', f'W/"{version}"', '"abc"'):
        problem = assert_problem(drawing.send(seat, DRAW, headers={"If-Match": stale}), 412, "stale_version")
        assert problem["version"] == version
    assert drawing.send(seat, DRAW, headers={"If-Match": f'"{version}"'}).status_code == 200


@pytest.mark.parametrize("given", ["*", '"1", "{version}"', '"{version}" , "999"'])
def test_any_of_several_versions_will_do(drawing: Game, given: str) -> None:
    """RFC 9110: a list, or a star."""
    seat = drawing.on_turn()
    header = given.replace("{version}", str(drawing.table()["version"]))

    assert drawing.send(seat, DRAW, headers={"If-Match": header}).status_code == 200


def test_a_retry_is_answered_though_the_version_has_passed(drawing: Game) -> None:
    """The first answer was given at that version."""
    seat = drawing.on_turn()
    headers = {"If-Match": f'"{drawing.table()["version"]}"', "Idempotency-Key": "once"}
    first = drawing.send(seat, DRAW, headers=headers)

    assert drawing.send(seat, DRAW, headers=headers).json() == {**first.json(), "replayed": True}
