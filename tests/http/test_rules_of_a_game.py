"""What a client asks before and during a game: which bots there are, and by which rules this game is played."""

from __future__ import annotations

import httpx
from tests.http.conftest import MakeGame
from tests.http.playing import SHORT, assert_problem

from meldlog_service.bots import STRATEGIES


def test_every_bot_that_is_listed_can_be_seated(client: httpx.Client, new_game: MakeGame) -> None:
    """By the name that stands there."""
    names = [bot["name"] for bot in client.get("/v1/bots").json()["items"]]

    assert names == list(STRATEGIES)
    game = new_game(len(names), bots=dict(enumerate(names)), start=False)
    assert [seat["strategy"] for seat in game.table()["seats"]] == names


def test_a_games_sheet_has_its_own_house_rules_and_options(client: httpx.Client, new_game: MakeGame) -> None:
    """Numbers are the game's, defaults the variant's, and an option brings its clauses and house rules."""
    game = new_game(3, house_rules={**SHORT, "hand_size": 9}, options=["press"])
    sheet = game.get(path="/rules").json()
    usual = client.get("/v1/variants/crazy-rummy").json()

    assert sheet["house_rules"] == game.table()["house_rules"]
    default = {rule["name"]: rule["default"] for rule in sheet["options"]}
    assert (default["hand_size"], sheet["house_rules"]["hand_size"]) == (7, 9)
    texts = {clause["id"]: clause["text"] for clause in sheet["clauses"]}
    assert "9" in texts["deal.cards"]
    assert any(clause.startswith("press.") for clause in texts)
    assert not any(clause["id"].startswith("press.") for clause in usual["clauses"])


def test_a_games_sheet_speaks_four_languages(new_game: MakeGame) -> None:
    """As the variant's does."""
    game = new_game(3)
    spoken = {lang: game.get(path="/rules", params={"lang": lang}) for lang in ("en", "fr", "fa", "ar")}

    assert len({answer.json()["clauses"][0]["text"] for answer in spoken.values()}) == 4
    assert {answer.headers["content-language"] for answer in spoken.values()} == set(spoken)
    assert_problem(game.get(path="/rules", params={"lang": "xx"}), 422, "invalid")


def test_a_refusals_clause_stands_in_the_games_sheet(new_game: MakeGame) -> None:
    """So a client can say it in its reader's language."""
    game = new_game(3)
    refused = game.send(game.not_on_turn(), {"type": "draw", "source": "stock"}).json()
    known = {clause["id"] for clause in game.get(path="/rules").json()["clauses"]}

    assert refused["rule"] in known


def test_the_sheet_of_an_unlisted_game_is_for_those_who_may_see_it(new_game: MakeGame) -> None:
    """A stranger is not told that there is such a game."""
    game = new_game(3, listed=False)

    assert game.get(0, "/rules").status_code == 200
    assert_problem(game.get(path="/rules"), 404, "not_found")
