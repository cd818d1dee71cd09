"""Whoever is refused for how something was written reads how it is written."""

from __future__ import annotations

import httpx
import pytest
from tests.http.playing import OPERATOR, Game, Json, assert_problem

CARDS = "a card is its rank and its suit, as 7H, TD (ten) or AS; a joker is JK"


@pytest.mark.parametrize(
    ("command", "pointer", "told"),
    [
        (
            {"type": "shuffle"},
            "/type",
            "expected one of name_wild, draw, lay_meld, lay_off, reclaim, discard, ",
        ),
        ({"source": "stock"}, "/type", "expected one of name_wild, draw, "),
        ({"commands": [{"type": "fly"}]}, "/commands/0/type", "expected one of name_wild, draw, "),
        ({"type": "draw", "source": "moon"}, "/source", "expected one of discard, stock"),
        ({"type": "lay_off", "meld": 1, "cards": ["7H"], "end": "top"}, "/end", "expected one of high, low"),
        ({"type": "draw", "source": "stock", "player": 1}, "/player", "known are type, source, count, seat"),
        ({"commands": [{"type": "discard", "cards": []}]}, "/commands/0/cards", "known are type, card, seat"),
        ({"type": "discard", "card": "10H"}, "/card", CARDS),
        ({"type": "discard", "card": 7}, "/card", CARDS),
        ({"type": "lay_meld", "cards": ["7H", "8"]}, "/cards/1", CARDS),
        ({"type": "reclaim", "meld": 1, "card": "7H", "for": "joker"}, "/for", CARDS),
        ({"type": "name_wild", "rank": "ten"}, "/rank", "a rank is one of A 2 3 4 5 6 7 8 9 T J Q K"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(
    game: Game, command: Json, pointer: str, told: str
) -> None:
    """Names, words and texts, in the list of errors as well."""
    problem = assert_problem(game.post(game.on_turn(), "/commands", command), 422, "invalid")

    [error] = problem["errors"]
    assert error["pointer"] == pointer
    assert told in error["detail"]
    assert told in problem["detail"]


@pytest.mark.parametrize(
    ("change", "pointer", "told"),
    [
        ({"listed": "yes"}, "/listed", "listed: expected true or false, got a string"),
        ({"listed": None}, "/listed", "listed: expected true or false, got null"),
        ({"seats": "2"}, "/seats", "seats: expected a whole number from 1 to 64, got a string"),
        ({"seats": True}, "/seats", "seats: expected a whole number from 1 to 64, got true"),
        ({"seats": 2.5}, "/seats", "seats: expected a whole number from 1 to 64, got 2.5"),
        ({"seats": 0}, "/seats", "seats: expected a whole number from 1 to 64, got 0"),
        ({"seats": 10**40}, "/seats", "seats: expected a whole number from 1 to 64, got another number"),
        ({"variant": ""}, "/variant", "variant: expected a string of 1 to 64 characters, got 0"),
        ({"turn_seconds": []}, "/turn_seconds", "a whole number from 1 to 604800 or null, got a list"),
        ({"options": "press"}, "/options", "options: expected a list of at most 32, got a string"),
        ({"options": ["press", {}]}, "/options/1", "a string of 1 to 64 characters, got an object"),
        ({"bots": []}, "/bots", "bots: expected an object of at most 64 members, got a list"),
        (
            {"bots": {"0": "plain", "1": 5}},
            "/bots/1",
            "bots/1: expected a string of 1 to 64 characters, got 5",
        ),
        (
            {"house_rules": {"packs": 2, "hand_size": [1, 2.5]}},
            "/house_rules/hand_size",
            "hand_size: expected one of by_players or a whole number, got a list",
        ),
        ({"house_rules": {"packs": "2"}}, "/house_rules/packs", "packs: expected a whole number from 1 to 2"),
        (
            {"house_rules": {"one_card_rule": 1}},
            "/house_rules/one_card_rule",
            "expected true or false, got 1",
        ),
        (
            {"house_rules": {"max_wilds_per_meld": 14}},
            "/house_rules/max_wilds_per_meld",
            "from 1 to 13 or null",
        ),
        ({"reveal": "games"}, "/reveal", "got 'games': did you mean game?"),
        ({"entropy": "a|b"}, "/entropy", "text without a bar (|) and without control characters"),
        (
            {"seets": 2},
            "/seets",
            "there is no field seets here: did you mean seats? known are variant, seats",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_the_words_of_json(
    client: httpx.Client, change: Json, pointer: str, told: str
) -> None:
    """Nobody needs to know what the service is written in: neither its names of types nor its quotes are said."""
    body: Json = {"variant": "crazy-rummy", "seats": 2}
    problem = assert_problem(client.post("/v1/games", json=body | change), 422, "invalid")

    [error] = problem["errors"]
    assert error["pointer"] == pointer
    assert told in error["detail"]
    assert error["detail"] == problem["detail"]
    assert "`" not in problem["detail"]


PENALTY = "wild_penalty: expected a whole number from 0 to 1000, got "


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"wild_penalty": "seven"}, PENALTY + "a string"),
        ({"wild_penalty": "7" * 300}, PENALTY + "a string"),
        ({"wild_penalty": ["7"]}, PENALTY + "a list"),
        ({"wild_penalty": {"cards": 7}}, PENALTY + "an object"),
        ({"wild_penalty": 7.5}, PENALTY + "7.5"),
        ({"wild_penalty": 10**12}, PENALTY + "1000000000000"),
        ({"wild_penalty": None}, PENALTY + "null"),
        ({"hand_size": 7.5}, "hand_size: expected one of by_players or a whole number, got 7.5"),
        ({"one_card_rule": {}}, "one_card_rule: expected true or false, got an object"),
        ({"ace_in_runs": 1.5}, "ace_in_runs: expected one of around_corner, low, low_or_high, got 1.5"),
        ({"press": 0.5}, "press: expected true or false, got 0.5"),
        ({"hand_sise": 7.5}, "crazy-rummy knows no house rule hand_sise: did you mean hand_size?"),
    ],
)
def test_a_house_rule_says_what_it_takes_whatever_it_was_given(
    client: httpx.Client, rules: Json, told: str
) -> None:
    """Also what no house rule takes, and where cards are judged."""
    [name] = rules
    body: Json = {"variant": "crazy-rummy", "seats": 2, "house_rules": rules}
    question: Json = {"cards": ["7H", "8H", "9H"], "house_rules": rules}
    for answer in (
        client.post("/v1/games", json=body),
        client.post("/v1/variants/crazy-rummy/judge", json=question),
    ):
        problem = assert_problem(answer, 422, "invalid")
        [error] = problem["errors"]
        assert error == {"pointer": f"/house_rules/{name}", "detail": problem["detail"]}
        assert problem["detail"].startswith(told)


@pytest.mark.parametrize("change", [{"variant": "no-such"}, {"options": ["no-such"]}, {"options": 7}])
def test_a_house_rule_of_an_unknown_game_is_told_what_house_rules_take(
    client: httpx.Client, change: Json
) -> None:
    """Any of them: what this one takes, nobody knows."""
    body: Json = {"variant": "crazy-rummy", "seats": 2, "house_rules": {"hand_size": 7.5}, **change}
    problem = assert_problem(client.post("/v1/games", json=body), 422, "invalid")
    assert problem["errors"][0]["pointer"] in ("/house_rules/hand_size", "/options")


def test_what_is_missing_is_named_once(client: httpx.Client) -> None:
    """With what it should be."""
    problem = assert_problem(client.post("/v1/games", json={"variant": "crazy-rummy"}), 422, "invalid")
    assert problem["errors"] == [{"pointer": "/seats", "detail": problem["detail"]}]
    assert problem["detail"] == "seats is missing: expected a whole number from 1 to 64"


def test_a_token_that_does_not_fit_is_not_told(client: httpx.Client) -> None:
    """It could be one with a letter too many."""
    game = client.post("/v1/games", json={"variant": "crazy-rummy", "seats": 2}).json()["game_id"]
    for token in ("mt_" + "x" * 44, "mt_" + "x" * 42 + "!"):
        answer = client.post(f"/v1/games/{game}/seats", json={"name": "Ada", "token": token})
        assert "43 letters and digits" in assert_problem(answer, 422, "invalid")["detail"]
        assert token not in answer.text


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ({"type": "drwa", "source": "stock"}, "did you mean draw?"),
        ({"type": "lay_of"}, "did you mean lay_off?"),
        ({"commands": [{"type": "discrad"}]}, "did you mean discard?"),
        ({"type": "bach", "commands": []}, "did you mean batch?"),
    ],
)
def test_a_type_that_is_nearly_right_is_recognised(game: Game, command: Json, told: str) -> None:
    """Besides all that there are."""
    problem = assert_problem(game.post(game.on_turn(), "/commands", command), 422, "invalid")
    assert told in problem["detail"]
    assert "expected one of name_wild, draw, " in problem["detail"]


@pytest.mark.parametrize(
    ("asked", "pointer", "told"),
    [
        (
            "/v1/games?status=opne",
            "/status",
            "expected one of finished, open, playing, got 'opne': did you mean",
        ),
        ("/v1/games?limit=0", "/limit", "limit: expected a whole number from 1 to 100, got '0'"),
        ("/v1/games?limit=ten", "/limit", "limit: expected a whole number from 1 to 100, got 'ten'"),
        (f"/v1/games?variant={'x' * 65}", "/variant", "a string of at most 64 characters, got another text"),
        ("/v1/variants/crazy-rummy?lang=de", "/lang", "lang: expected one of ar, en, fa, fr, got 'de'"),
    ],
)
def test_a_parameter_that_does_not_fit_is_told_like_a_body(
    client: httpx.Client, asked: str, pointer: str, told: str
) -> None:
    """With what it may be; null cannot be written there, and is not told."""
    problem = assert_problem(client.get(asked), 422, "invalid")
    [error] = problem["errors"]
    assert error["pointer"] == pointer
    assert told in error["detail"]
    assert "null" not in problem["detail"]


def test_an_unknown_variant_is_refused_with_those_that_there_are(client: httpx.Client) -> None:
    """Wherever one is named, and with the one that is spelt alike."""
    cards = {"cards": ["7H"]}
    for answer, status, code in (
        (client.post("/v1/games", json={"variant": "bidies", "seats": 2}), 422, "invalid"),
        (client.get("/v1/variants/bidies"), 404, "not_found"),
        (client.post("/v1/variants/bidies/judge", json=cards), 404, "not_found"),
    ):
        detail = assert_problem(answer, status, code)["detail"]
        assert "named bidies is installed: did you mean biddies? the variants are ace-to-ace, " in detail
    assert (
        "did you mean press?" in assert_problem(client.get("/v1/variants/pres"), 404, "not_found")["detail"]
    )


def test_how_cards_are_written_is_said_once(game: Game) -> None:
    """However many are misspelt."""
    command = {"type": "lay_meld", "cards": ["7h", "8h", "9H"], "reads_as": ["7H", "8H", "9x"]}
    problem = assert_problem(game.post(game.on_turn(), "/commands", command), 422, "invalid")

    assert [error["pointer"] for error in problem["errors"]] == ["/cards/0", "/cards/1", "/reads_as/2"]
    assert problem["detail"].count(CARDS) == 1
    assert "its rank with X, as 7X" in problem["detail"]


def test_a_name_that_is_nearly_right_is_recognised(client: httpx.Client) -> None:
    """House rules by likeness; of variants and options there are few enough to be listed."""
    body: Json = {"variant": "crazy-rummy", "seats": 2}
    for change, told in (
        ({"house_rules": {"hand_sise": 7}}, "did you mean hand_size?"),
        ({"house_rules": {"ace_in_runs": "high"}}, "expected one of around_corner, low, low_or_high"),
        ({"variant": "crazy_rummy"}, "the variants are ace-to-ace, "),
        ({"options": ["pres"]}, "did you mean press? the options are auto-press, "),
        ({"reveal": "later"}, "expected one of "),
        ({"seat": 2}, "known are variant, seats, "),
    ):
        problem = assert_problem(client.post("/v1/games", json=body | change), 422, "invalid")
        assert told in problem["detail"]
        assert told in problem["errors"][0]["detail"]


def test_many_unknown_house_rules_are_not_guessed_at(client: httpx.Client) -> None:
    """To look for what each could mean would take long."""
    many = {f"hand_siz{number}": 7 for number in range(256)}
    body = {"variant": "crazy-rummy", "seats": 2, "house_rules": many}
    assert "did you mean" not in assert_problem(client.post("/v1/games", json=body), 422, "invalid")["detail"]


def test_whoever_may_act_for_every_seat_is_told_how_to_name_one(game: Game) -> None:
    """In a command, and in a question."""
    problem = assert_problem(
        game.post(OPERATOR, "/commands", {"type": "draw", "source": "stock"}), 422, "invalid"
    )
    assert '{"seat": 0, …}' in problem["detail"]
    asked = assert_problem(game.get(OPERATOR, "/moves"), 422, "invalid")
    assert "?seat=0" in asked["detail"]


def test_a_meld_that_is_not_there_is_refused_with_those_that_are(game: Game) -> None:
    """None, before anybody has laid one."""
    seat = game.on_turn()
    card = game.table(seat)["seats"][seat]["hand"][0]
    refused = game.post(seat, "/commands", {"type": "lay_off", "meld": 7, "cards": [card]})
    problem = assert_problem(refused, 422, "illegal_move")
    assert problem["detail"] == "there is no meld 7 on the table: nothing has been laid in this deal"


def test_a_judge_of_cards_says_what_is_wrong_with_the_meld_on_the_table(client: httpx.Client) -> None:
    """As many meanings as cards, wilds alone stand for others, the low card lies first."""
    for meld, told in (
        ({"cards": ["5H", "6H", "7H"], "reads_as": ["5H", "6H"]}, "2 meanings for 3 cards"),
        (
            {"cards": ["5H", "6H", "9C"], "reads_as": ["5H", "6H", "7H"]},
            "9C is not wild and cannot stand for 7H",
        ),
        ({"cards": ["7H", "6H", "5H"], "reads_as": ["7H", "6H", "5H"]}, "low card first"),
    ):
        asked = client.post("/v1/variants/crazy-rummy/judge", json={"cards": ["8H"], "meld": meld})
        assert told in assert_problem(asked, 422, "invalid")["detail"]


def test_a_switch_that_is_misspelt_is_refused_with_the_one_that_there_is(game: Game) -> None:
    """So that nothing is played that was to be tried only."""
    answer = game.post(game.on_turn(), "/commands?dryrun=true", {"type": "draw", "source": "stock"})
    assert "there is dry_run" in assert_problem(answer, 422, "invalid")["detail"]


def test_nobody_but_the_host_is_told_to_start(game: Game) -> None:
    """And whose token it takes."""
    problem = assert_problem(game.post(game.on_turn(), "/commands", {"type": "start_game"}), 403, "forbidden")
    assert "host's token" in problem["detail"]


@pytest.mark.parametrize(
    ("command", "pointer"),
    [({"type": "batch"}, "/commands"), ({"type": "batch", "comands": []}, "/comands")],
)
def test_a_list_of_commands_without_any_is_told_so(game: Game, command: Json, pointer: str) -> None:
    """Its type is right."""
    problem = assert_problem(game.post(game.on_turn(), "/commands", command), 422, "invalid")
    [fault] = problem["errors"]
    assert fault["pointer"] == pointer
    assert "commands" in problem["detail"]


def test_an_object_with_too_many_members_is_told_how_many_it_takes(client: httpx.Client) -> None:
    """As lists and texts are."""
    body = {"variant": "crazy-rummy", "seats": 2, "bots": {str(seat): "plain" for seat in range(65)}}
    problem = assert_problem(client.post("/v1/games", json=body), 422, "invalid")
    assert problem["detail"] == "bots: expected an object of at most 64 members, got 65"


def test_of_many_names_the_one_that_stands_twice_is_told(client: httpx.Client) -> None:
    """Found in one pass: an object may have thousands."""
    many = "".join(f'"a{number}":1,' for number in range(5000))
    answer = client.post(
        "/v1/games", content=f'{{{many}"b":1,"b":2}}', headers={"Content-Type": "application/json"}
    )
    assert "the name 'b' stands twice" in assert_problem(answer, 400, "malformed")["detail"]


def test_a_name_too_long_to_be_one_is_not_repeated_whole(client: httpx.Client) -> None:
    """Neither in words nor in the pointer, where each of its signs might become two."""
    body: Json = {"variant": "crazy-rummy", "seats": 2, "house_rules": {"~" * 60_000: 7}}
    answer = client.post("/v1/games", json=body)
    problem = assert_problem(answer, 422, "invalid")

    assert problem["detail"] == f"crazy-rummy knows no house rule {'~' * 64}…"
    assert problem["errors"] == [{"pointer": "/house_rules", "detail": problem["detail"]}]
    assert len(answer.content) < 1_000
