"""Taking seats, leaving them, seating bots."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.http.conftest import MakeGame
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, Json, assert_problem

from meldlog_service.app.seats import new_token


@pytest.fixture
def lobby(new_game: MakeGame) -> Game:
    """A game of four where seat 0 is taken, seat 1 is a bot's and the others wait."""
    game = new_game(4, bots={1: "plain", 2: "plain", 3: "plain"}, start=False)
    for seat in (2, 3):
        assert game.delete(HOST, seat).status_code == 200
    return game


def test_who_sits_down_is_told_the_seat_and_its_token_once(lobby: Game) -> None:
    """201 with the version; the token opens that seat."""
    answer = lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": 2, "entropy": "my own words"})

    body = answer.json()
    assert answer.status_code == 201
    assert (body["seat"], body["version"]) == (2, lobby.table()["version"])
    assert answer.headers["etag"] == f'"{body["version"]}"'
    assert answer.headers["cache-control"] == "no-store"
    lobby.tokens[2] = body["seat_token"]
    assert lobby.get(2, "/moves").json()["seat"] == 2


def test_any_seat_is_the_first_that_is_free(lobby: Game) -> None:
    """Seat 2 first, then seat 3, then there is none."""
    seats = [lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": None}) for _ in range(3)]

    assert [answer.json().get("seat") for answer in seats] == [2, 3, None]
    assert_problem(seats[2], 409, "seat_taken")


def test_a_seat_whose_token_was_lost_is_freed_by_the_operator_before_the_start(lobby: Game) -> None:
    """The host may not; the next one sits down with a token of their own, and the lost one opens nothing."""
    lost = lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": 2}).json()["seat_token"]

    assert_problem(lobby.delete(HOST, 2), 403, "forbidden")
    assert lobby.delete(OPERATOR, 2).status_code == 200
    again = lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": 2})
    assert (again.status_code, again.json()["seat_token"] != lost) == (201, True)
    lobby.tokens[2] = lost
    assert_problem(lobby.get(2), 401, "unauthenticated")


def test_who_resigns_or_leaves_is_nobody_afterwards(game: Game) -> None:
    """A repeat with the same key answers 401, since its token opens nothing; it happened once."""
    headers = {"Idempotency-Key": "once"}
    answers = []
    for _ in range(2):
        answers.append(game.send(0, {"type": "resign"}, headers=headers))
        answers.append(game.delete(1, 1, headers=headers))

    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    for repeat in answers[2:]:
        assert_problem(repeat, 401, "unauthenticated")
    causes = [commit["command"]["type"] for commit in game.log()]
    assert (causes.count("resign"), causes.count("hand_over_seat")) == (1, 1)


def test_a_taken_seat_is_refused(lobby: Game) -> None:
    """By people as by bots; the problem tells the version."""
    for seat in (0, 1):
        problem = assert_problem(
            lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": seat}), 409, "seat_taken"
        )
        assert problem["version"] == lobby.table()["version"]


def test_whoever_wants_any_seat_of_a_full_table_is_told_that_it_is_full(lobby: Game) -> None:
    """Nobody asked for seat 0."""
    for name in ("Bea", "Cyd"):
        assert lobby.post(SPECTATOR, "/seats", {"name": name}).status_code == 201
    problem = assert_problem(lobby.post(SPECTATOR, "/seats", {"name": "Dan"}), 409, "seat_taken")
    assert problem["detail"] == "every seat is taken"


def test_all_who_want_any_seat_at_once_get_different_ones(new_game: MakeGame) -> None:
    """Of ten, six find one; nobody is told an error but that there is no room."""
    game = new_game(6, bots=dict.fromkeys(range(6), "plain"), start=False)
    for seat in range(6):
        game.delete(HOST, seat)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda n: game.post(SPECTATOR, "/seats", {"name": f"P{n}"}), range(10)))

    taken = [answer.json()["seat"] for answer in answers if answer.status_code == 201]
    assert sorted(taken) == [0, 1, 2, 3, 4, 5]
    assert len({answer.json()["seat_token"] for answer in answers if answer.status_code == 201}) == 6
    for answer in answers:
        if answer.status_code != 201:
            assert_problem(answer, 409, "seat_taken")


def test_a_repeat_takes_no_second_seat_and_is_not_told_the_token_again(lobby: Game) -> None:
    """Whoever sends the same key again may be somebody else."""
    headers = {"Idempotency-Key": "sit-down-1"}
    first = lobby.post(SPECTATOR, "/seats", {"name": "Ann"}, headers=headers)
    lobby.post(SPECTATOR, "/seats", {"name": "Bea"})
    again = lobby.post(SPECTATOR, "/seats", {"name": "Ann"}, headers=headers)

    assert again.status_code == 201
    assert again.json() == {**first.json(), "seat_token": None, "replayed": True}
    assert again.headers["idempotent-replayed"] == "true"
    assert [seat["name"] for seat in lobby.table()["seats"]][2:] == ["Ann", "Bea"]


def test_who_brings_a_token_is_told_it_again(lobby: Game) -> None:
    """However many answers are lost; the key of another is of no use without the token."""
    token = new_token()
    body = {"name": "Ann", "token": token}
    headers = {"Idempotency-Key": "sit-down-4"}
    first = lobby.post(SPECTATOR, "/seats", body, headers=headers)
    lobby.post(SPECTATOR, "/seats", {"name": "Bea"})
    again = lobby.post(SPECTATOR, "/seats", body, headers=headers)
    stranger = lobby.post(SPECTATOR, "/seats", {"name": "Ann"}, headers=headers)

    assert first.json()["seat_token"] == token
    assert again.json() == {**first.json(), "replayed": True}
    assert stranger.json()["seat_token"] is None
    lobby.tokens[2] = token
    assert lobby.get(2).status_code == 200
    assert [seat["name"] for seat in lobby.table()["seats"]][2:] == ["Ann", "Bea"]


def test_a_token_opens_one_seat_of_a_table(lobby: Game) -> None:
    """With another key it takes no second one, and the host's is no player's."""
    token = new_token()
    assert lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": 2, "token": token}).status_code == 201
    taken = lobby.post(SPECTATOR, "/seats", {"name": "Ann", "token": token})
    assert_problem(taken, 409, "seat_taken")
    for body in ({"name": "Ann", "seat": 3, "token": token}, {"name": "Bea", "token": lobby.tokens[HOST]}):
        refused = lobby.post(SPECTATOR, "/seats", body)
        assert_problem(refused, 422, "invalid")
        assert refused.json()["errors"][0]["pointer"] == "/token"


@pytest.mark.parametrize("seats", [(None, None), (2, 3)], ids=["any seat", "two seats"])
def test_a_token_opens_one_seat_however_many_ask_at_once(lobby: Game, seats: tuple[int | None, ...]) -> None:
    """Two seats of one token could not both be played, and the game would stand still."""
    token = new_token()
    wanted = [{"name": "Ann", "seat": seat, "token": token} for seat in seats] * 10
    with ThreadPoolExecutor(len(wanted)) as pool:
        answers = list(pool.map(lambda body: lobby.post(SPECTATOR, "/seats", body), wanted))

    assert [seat["name"] for seat in lobby.table()["seats"]].count("Ann") == 1
    assert sum(answer.status_code == 201 for answer in answers) == 1
    for answer in answers:
        if answer.status_code == 422:
            assert answer.json()["errors"][0]["pointer"] == "/token"
        elif answer.status_code != 201:
            assert_problem(answer, 409, "seat_taken")


def test_twenty_repeats_at_once_take_one_seat(lobby: Game) -> None:
    """And exactly one of them is told the token."""
    headers = {"Idempotency-Key": "sit-down-2"}
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda _: lobby.post(SPECTATOR, "/seats", {"name": "Ann"}, headers=headers), range(20))
        )

    assert {(answer.status_code, answer.json()["seat"]) for answer in answers} == {(201, 2)}
    assert sum(answer.json()["seat_token"] is not None for answer in answers) == 1
    assert sum(seat["name"] == "Ann" for seat in lobby.table()["seats"]) == 1


def test_the_same_key_for_another_request_is_refused(lobby: Game) -> None:
    """For another name, another seat, other entropy."""
    headers = {"Idempotency-Key": "sit-down-3"}
    lobby.post(SPECTATOR, "/seats", {"name": "Ann", "seat": 2}, headers=headers)

    bodies: list[Json] = [
        {"name": "Bea", "seat": 2},
        {"name": "Ann", "seat": 3},
        {"name": "Ann", "seat": 2, "entropy": "x"},
    ]
    for body in bodies:
        assert_problem(lobby.post(SPECTATOR, "/seats", body, headers=headers), 422, "idempotency_mismatch")


def test_who_sits_already_does_not_sit_down_again(new_game: MakeGame) -> None:
    """A token is one seat's."""
    game = new_game(3, bots={2: "plain"}, start=False)
    game.delete(HOST, 2)

    assert_problem(game.post(0, "/seats", {"name": "Ann"}), 403, "forbidden")


@pytest.mark.parametrize("who", [HOST, OPERATOR])
def test_the_host_and_the_operator_seat_bots(lobby: Game, who: str) -> None:
    """A bot has no token; without a name it is called after its strategy."""
    answer = lobby.post(who, "/seats", {"bot": "plain"})

    assert answer.status_code == 201
    assert answer.json() == {
        "seat": 2,
        "seat_token": None,
        "version": lobby.table()["version"],
        "replayed": False,
    }
    seat = lobby.table()["seats"][2]
    assert (seat["kind"], seat["strategy"], seat["name"]) == ("bot", "plain", "plain 2")
    assert lobby.post(who, "/seats", {"bot": "plain", "seat": 3, "name": "Robot"}).status_code == 201
    assert_problem(lobby.post(who, "/seats", {"bot": "plain"}), 409, "seat_taken")


def test_a_repeat_seats_no_second_bot(lobby: Game) -> None:
    """The key works for bots as for people."""
    headers = {"Idempotency-Key": "bot-1"}
    answers = [lobby.post(HOST, "/seats", {"bot": "plain"}, headers=headers) for _ in range(2)]

    assert [answer.json()["seat"] for answer in answers] == [2, 2]
    assert answers[1].json()["replayed"] is True
    assert lobby.table()["seats"][3]["name"] is None


def test_bots_are_seated_by_the_host_alone(new_game: MakeGame) -> None:
    """Not by a spectator, not by somebody who sits there."""
    game = new_game(3, bots={2: "plain"}, start=False)
    game.delete(HOST, 2)

    assert_problem(game.post(SPECTATOR, "/seats", {"bot": "plain"}), 401, "unauthenticated")
    assert_problem(game.post(0, "/seats", {"bot": "plain"}), 403, "forbidden")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": "   "}, "/name"),
        ({"name": "x" * 65}, "/name"),
        ({"name": "bell\u0007"}, "/name"),
        ({"name": "\u3164"}, "/name"),
        ({"name": "\u2800 \u115f"}, "/name"),
        ({"name": 7}, "/name"),
        ({"name": "Ann", "seat": -1}, "/seat"),
        ({"name": "Ann", "seat": 64}, "/seat"),
        ({"name": "Ann", "seat": 4}, "/seat"),
        ({"name": "Ann", "seat": "2"}, "/seat"),
        ({"name": "Ann", "seat": True}, "/seat"),
        ({"name": "Ann", "entropy": "with a | bar"}, "/entropy"),
        ({"name": "Ann", "entropy": "x" * 256}, "/entropy"),
        ({"name": "Ann", "token_hash": "0" * 64}, "/token_hash"),
        ({"name": "Ann", "token": "mt_short"}, "/token"),
        ({"name": "Ann", "token": f"mt_{'x' * 43}\n"}, "/token"),
        ({"bot": "plain", "token": f"mt_{'x' * 43}"}, "/token"),
        ({"bot": "no-such-bot"}, "/bot"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_pointer(lobby: Game, body: Json, pointer: str) -> None:
    """422 `invalid`; nothing has changed."""
    before = lobby.table()["version"]
    problem = assert_problem(lobby.post(HOST, "/seats", body), 422, "invalid")

    assert pointer in [error["pointer"] for error in problem["errors"]]
    assert lobby.table()["version"] == before


TURNING = "\u061c\u200e\u200f\u202a\u202d\u202e\u2066\u2069"
NONCHARACTERS = "\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff"


@pytest.mark.parametrize("letter", [*"\x85\u2028\u2029\ue000", *TURNING, *NONCHARACTERS], ids=ascii)
def test_a_name_holds_characters_that_can_be_shown(lobby: Game, letter: str) -> None:
    """None that ends the line or turns its direction, and nothing that is no character; the refusal names it."""
    for name in (f"Ann{letter}", f"{letter}Ann"):
        for body in ({"name": name}, {"name": name, "bot": "plain"}):
            problem = assert_problem(lobby.post(HOST, "/seats", body), 422, "invalid")
            assert [error["pointer"] for error in problem["errors"]] == ["/name"]
            assert f"U+{ord(letter):04X}" in problem["detail"]
            assert "cannot be shown" in problem["detail"]


@pytest.mark.parametrize(
    "name", ["Zoë O'Hara", "مى\u200cنا", "李雷", "👩\u200d🦰", "❤\ufe0f", "\ufffd", "\ufdf0"], ids=ascii
)
def test_any_name_that_can_be_shown_sits_down(lobby: Game, name: str) -> None:
    """In any script, as it was sent."""
    taken = lobby.post(SPECTATOR, "/seats", {"name": name})
    assert taken.status_code == 201, taken.text
    assert lobby.table()["seats"][taken.json()["seat"]]["name"] == name


def test_nobody_sits_down_once_the_game_has_started(game: Game) -> None:
    """Whether they name a seat or take any."""
    assert_problem(game.post(SPECTATOR, "/seats", {"name": "Eve"}), 409, "wrong_phase")
    assert_problem(game.post(SPECTATOR, "/seats", {"name": "Eve", "seat": 0}), 409, "wrong_phase")


def test_who_leaves_before_the_start_makes_room(new_game: MakeGame) -> None:
    """The token opens nothing any more."""
    game = new_game(3, start=False)
    answer = game.delete(1, 1)

    assert answer.status_code == 200
    assert answer.json()["events"] == [{"type": "seat_left", "seat": 1}]
    assert answer.headers["etag"] == f'"{answer.json()["version"]}"'
    assert_problem(game.get(1), 401, "unauthenticated")
    assert game.post(SPECTATOR, "/seats", {"name": "Bea"}).json()["seat"] == 1


def test_the_host_takes_an_empty_seat_away(new_game: MakeGame) -> None:
    """Those who sit after it move down, and so do their tokens."""
    game = new_game(4, start=False)
    game.delete(1, 1)
    assert game.delete(HOST, 1).status_code == 200

    assert [seat["name"] for seat in game.table()["seats"]] == ["Player 0", "Player 2", "Player 3"]
    assert game.get(2, "/moves").json()["seat"] == 1


def test_after_the_start_a_seat_is_handed_to_a_bot(game: Game) -> None:
    """Who leaves loses the say, and the game goes on."""
    answer = game.delete(1, 1)

    assert answer.status_code == 200
    assert answer.json()["events"] == [
        {"type": "seat_handed_over", "seat": 1, "kind": "bot", "strategy": "plain"}
    ]
    assert game.table()["seats"][1]["kind"] == "bot"
    assert_problem(game.get(1), 401, "unauthenticated")


def test_a_seat_is_left_by_nobody_else(new_game: MakeGame) -> None:
    """Not by a spectator, not from another seat, and once the game has started not by the host."""
    game = new_game(3, start=False)
    assert_problem(game.delete(SPECTATOR, 1), 401, "unauthenticated")
    assert_problem(game.delete(0, 1), 403, "not_your_seat")
    assert_problem(game.delete(HOST, 1), 403, "forbidden")
    game.send(HOST, {"type": "start_game"})
    assert_problem(game.delete(HOST, 1), 403, "forbidden")
    assert game.delete(OPERATOR, 1).status_code == 200


@pytest.mark.parametrize("seat", ["3", "64", "x", "-1", "1.5"])
def test_a_seat_that_is_not_there_is_not_found(game: Game, seat: str) -> None:
    """404."""
    assert_problem(game.delete(OPERATOR, seat), 404, "not_found")


def test_a_seat_cannot_be_left_when_the_game_is_over(new_game: MakeGame) -> None:
    """409 `game_over`."""
    game = new_game(2, house_rules=SHORT)
    for _ in game.commands():
        pass

    assert_problem(game.delete(0, 0), 409, "game_over")


def test_leaving_can_be_meant_for_a_version(game: Game) -> None:
    """`If-Match`, as for commands."""
    stale = game.delete(1, 1, headers={"If-Match": '"1"'})
    assert_problem(stale, 412, "stale_version")
    assert game.delete(1, 1, headers={"If-Match": f'"{game.table()["version"]}"'}).status_code == 200
