"""What is installed, rule sheets, and judging cards without a game."""

from __future__ import annotations

from typing import get_args

import httpx
import jsonschema_rs
import pytest
from tests.http.playing import Json, assert_problem

from meldlog_service.http.sheets import Language


def installed(client: httpx.Client) -> list[Json]:
    """Everything that is installed."""
    found: list[Json] = client.get("/v1/variants").json()["items"]
    return found


def test_everything_that_is_installed_is_listed(client: httpx.Client) -> None:
    """Variants, options and the small rules they bring along, in alphabetical order."""
    items = installed(client)

    names = [item["name"] for item in items]
    assert names == sorted(names)
    assert {"crazy-rummy", "one-card", "basic"} <= set(names)
    [crazy] = [item for item in items if item["name"] == "crazy-rummy"]
    assert (crazy["kind"], crazy["title"], crazy["players"]) == ("variant", "Crazy Rummy", [2, 6])
    assert "Lamsees" in crazy["also_known_as"]


def test_every_house_rule_is_described_well_enough_for_a_form(client: httpx.Client) -> None:
    """Name, titles in four languages, a JSON Schema that its default fits, and a clause."""
    for item in installed(client):
        for option in item["options"]:
            assert option["title"] == option["titles"]["en"]
            assert set(option["titles"]) == set(get_args(Language))
            assert option["clause"]
            jsonschema_rs.validator_for(option["schema"]).validate(option["default"])
            assert not jsonschema_rs.is_valid(option["schema"], {"no": "value"})


def test_the_defaults_make_the_game_that_is_created(client: httpx.Client) -> None:
    """A variant's options are all house rules of its games, with the values they have unless said otherwise."""
    for item in installed(client):
        if item["kind"] == "variant":
            game = client.post("/v1/games", json={"variant": item["name"], "seats": item["players"][0]})
            assert game.status_code == 201, game.text
            assert {one["name"]: one["default"] for one in item["options"]} == game.json()["house_rules"]


@pytest.mark.parametrize("lang", get_args(Language))
def test_a_rule_sheet_speaks_four_languages(client: httpx.Client, lang: str) -> None:
    """Every clause has an id and a text; the ids are the same in each."""
    answer = client.get("/v1/variants/crazy-rummy", params={"lang": lang})

    sheet = answer.json()
    assert answer.headers["content-language"] == sheet["lang"] == lang
    english = client.get("/v1/variants/crazy-rummy").json()
    assert [clause["id"] for clause in sheet["clauses"]] == [clause["id"] for clause in english["clauses"]]
    assert all(clause["text"] for clause in sheet["clauses"])
    assert sheet["house_rules"]["hand_size"] == 7


def test_everything_that_is_listed_has_a_sheet(client: httpx.Client) -> None:
    """Also an option and a small rule, with the clauses that they bring."""
    for item in installed(client):
        for lang in get_args(Language):
            sheet = client.get(f"/v1/variants/{item['name']}", params={"lang": lang})
            assert sheet.status_code == 200, sheet.text
            assert sheet.json()["name"] == item["name"]
    one_card = client.get("/v1/variants/one-card").json()
    assert {clause["id"].partition(".")[0] for clause in one_card["clauses"]} == {"one-card"}


def test_a_sheet_can_be_read(client: httpx.Client) -> None:
    """As Markdown, where that is what is asked for."""
    answer = client.get(
        "/v1/variants/crazy-rummy", params={"lang": "fr"}, headers={"Accept": "text/markdown"}
    )

    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["vary"] == "Accept"
    assert answer.text.startswith("# Rami fou\n")
    assert "`hand_size`" in answer.text
    for clause in client.get("/v1/variants/crazy-rummy", params={"lang": "fr"}).json()["clauses"]:
        assert clause["text"] in answer.text


def test_a_language_that_is_not_spoken_is_invalid(client: httpx.Client) -> None:
    """With a pointer."""
    problem = assert_problem(client.get("/v1/variants/crazy-rummy", params={"lang": "tlh"}), 422, "invalid")

    assert problem["errors"][0]["pointer"] == "/lang"


# -- judging -----------------------------------------------------------------------------------------------------------


def judge(client: httpx.Client, cards: str, wild: str = "", **more: object) -> Json:
    """What these cards could be in Crazy Rummy."""
    body = {"cards": cards.split(), "wild": wild.split(), **more}
    answer = client.post("/v1/variants/crazy-rummy/judge", json=body)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    assert (found["refusal"] is None) == bool(found["readings"])
    return found


def reads_as(judged: Json) -> set[str]:
    """The readings, as text."""
    return {" ".join(reading["reads_as"]) for reading in judged["readings"]}


def test_cards_are_judged_without_a_game(client: httpx.Client) -> None:
    """Everything they could be, wilds and all."""
    assert judge(client, "7H 8H 9H")["readings"][0]["kind"] == "run"
    assert judge(client, "7H 7C 7D")["readings"][0]["kind"] == "set"
    assert reads_as(judge(client, "7H 9S 8H", "9")) == {"6H 7H 8H", "7H 8H 9H"}
    assert reads_as(judge(client, "7H 8H 9S", "9", ordered=True)) == {"7H 8H 9H"}


def test_cards_that_are_nothing_are_told_why(client: httpx.Client) -> None:
    """With the clause."""
    refusal = judge(client, "7H 9D KS")["refusal"]

    assert (refusal["code"], refusal["rule"]) == ("illegal_move", "meld.shape")
    assert judge(client, "8H 7H 9S", "9", ordered=True)["refusal"]["rule"] == "meld.shape"


def test_house_rules_change_the_judgement(client: httpx.Client) -> None:
    """As they would in a game."""
    assert judge(client, "QS KS AS")["refusal"] is not None
    assert judge(client, "QS KS AS", house_rules={"ace_in_runs": "low_or_high"})["refusal"] is None


def test_cards_can_be_judged_for_a_lay_off(client: httpx.Client) -> None:
    """Could they be laid off on this meld, and where?"""
    run = {"cards": ["5H", "6H", "7H"], "reads_as": ["5H", "6H", "7H"]}
    [high] = judge(client, "8H", meld=run)["readings"]
    both = judge(client, "9S", "9", meld=run)["readings"]

    assert (high["kind"], high["reads_as"], high["end"]) == ("run", ["8H"], "high")
    assert {(one["reads_as"][0], one["end"]) for one in both} == {("8H", "high"), ("4H", "low")}
    assert judge(client, "8S", meld=run)["refusal"]["rule"] == "layoff.fits"
    kings = {"cards": ["KH", "KC", "9S"], "reads_as": ["KH", "KC", "KX"]}
    assert judge(client, "KD", "9", meld=kings)["readings"][0]["end"] is None


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"cards": []}, "/cards"),
        ({"cards": ["7H", "1H", "9H"]}, "/cards/1"),
        ({"cards": ["7H"] * 17}, "/cards"),
        ({"cards": "7H 8H 9H"}, "/cards"),
        ({"wild": ["9", "11"]}, "/wild/1"),
        ({"wild": ["KQ"]}, "/wild/0"),
        ({"house_rules": {"nonsense": 1}}, "/house_rules/nonsense"),
        ({"options": ["nonsense"]}, "/options/0"),
        ({"ordered": "yes"}, "/ordered"),
        ({"meld": {"cards": ["7H"]}}, "/meld/reads_as"),
        ({"meld": {"cards": ["7H", "8H", "9H"], "reads_as": ["7H", "8H"]}}, "/meld"),
        ({"meld": {"cards": ["7H", "8H", "KS"], "reads_as": ["7H", "8H", "9H"]}}, "/meld"),
        ({"meld": {"cards": ["7H", "8H", "JS"], "reads_as": ["7H", "8H", "JS"]}}, "/meld"),
        ({"player": 1}, "/player"),
    ],
)
def test_questions_that_make_no_sense_are_refused(client: httpx.Client, change: Json, pointer: str) -> None:
    """422 with a pointer; a refusal of cards is an answer, not an error."""
    body = {"cards": ["7H", "8H", "9H"]} | change
    problem = assert_problem(client.post("/v1/variants/crazy-rummy/judge", json=body), 422, "invalid")

    assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("name", ["no-such-variant", "one-card"])
def test_cards_are_judged_by_variants(client: httpx.Client, name: str) -> None:
    """What is none is not found here."""
    assert_problem(client.post(f"/v1/variants/{name}/judge", json={"cards": ["7H"]}), 404, "not_found")
