"""What is sent again, and what is not."""

import json
import re

import httpx
import pytest
from tests.client.conftest import OpenClient
from tests.client.scripts import Script, problem

from meldlog_client import MeldlogProblem, MeldlogUnintelligible, MeldlogUnreachable
from meldlog_contracts.commands import Discard, Draw, LayOff

DONE = {"version": 7, "events": [], "replayed": False}
DISCARD = Discard(card="7H")  # type: ignore[arg-type]


def test_a_command_is_sent_again_under_its_key(open_client: OpenClient) -> None:
    """Whatever went wrong: no connection, an answer that was lost, a service that is not ready."""
    script = Script(
        httpx.ConnectError, httpx.ReadError, problem(503, "store_unavailable"), httpx.Response(200, json=DONE)
    )
    answer = open_client(script).send("g1", DISCARD)
    assert (answer.version, answer.replayed) == (7, False)
    (key,) = {request.headers["Idempotency-Key"] for request in script.requests}
    assert len(key) == 32
    assert len(script.requests) == 4
    assert {request.content for request in script.requests} == {b'{"type":"discard","card":"7H"}'}


def test_every_command_has_a_key_of_its_own(open_client: OpenClient) -> None:
    """Unless one is given."""
    script = Script(*[httpx.Response(200, json=DONE) for _ in range(3)])
    client = open_client(script)
    client.send("g1", DISCARD)
    client.send("g1", DISCARD)
    client.send("g1", DISCARD, key="mine", if_match=6, dry_run=True)
    first, second, third = script.requests
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]
    assert third.headers["Idempotency-Key"] == "mine"
    assert third.headers["If-Match"] == '"6"'
    assert third.url.params["dry_run"] == "true"


def test_a_list_is_sent_as_one(open_client: OpenClient) -> None:
    """All or nothing."""
    script = Script(httpx.Response(200, json=DONE))
    open_client(script).send("g1", [Draw(source="stock"), LayOff(meld=1, cards=("9C",)), DISCARD])  # type: ignore[arg-type]
    assert script.requests[0].read() == (
        b'{"commands":[{"type":"draw","source":"stock"},'
        b'{"type":"lay_off","meld":1,"cards":["9C"]},{"type":"discard","card":"7H"}]}'
    )


def test_a_client_comes_no_earlier_than_it_was_asked_to(open_client: OpenClient) -> None:
    """Retry-After is a number of seconds."""
    script = Script(
        problem(429, "rate_limited", [("Retry-After", "4")]),
        problem(503, "store_unavailable", [("Retry-After", "2")]),
        httpx.Response(200, json=DONE),
    )
    open_client(script).send("g1", DISCARD)
    assert script.pauses[0] >= 4
    assert script.pauses[1] >= 2


def test_pauses_grow(open_client: OpenClient) -> None:
    """From a tenth of a second; and no more than patience is worth is spent on them."""
    script = Script(*[httpx.ConnectError] * 20)
    with pytest.raises(MeldlogUnreachable, match="cannot be reached"):
        open_client(script, patience=10.0).table("g1")
    assert script.pauses[0] <= 0.1
    assert script.pauses[-1] > 10 * script.pauses[0]
    assert sum(script.pauses) <= 10


def test_without_patience_there_is_one_attempt(open_client: OpenClient) -> None:
    """And no pause."""
    script = Script(httpx.ConnectError)
    with pytest.raises(MeldlogUnreachable):
        open_client(script, patience=0.0).table("g1")
    assert script.pauses == []


def test_a_game_is_not_made_twice(open_client: OpenClient) -> None:
    """What has no key is sent again only when it certainly never arrived."""
    lost = Script(httpx.ReadError)
    with pytest.raises(MeldlogUnreachable, match="not known"):
        open_client(lost).create_game("crazy-rummy", 2)
    assert len(lost.requests) == 1
    unsure = Script(problem(503, "store_unavailable", [("Retry-After", "1")]))
    with pytest.raises(MeldlogProblem, match="store_unavailable"):
        open_client(unsure).create_game("crazy-rummy", 2)
    never_arrived = Script(httpx.ConnectError, problem(429, "rate_limited"), problem(422, "invalid"))
    with pytest.raises(MeldlogProblem, match="invalid"):
        open_client(never_arrived).create_game("crazy-rummy", 2)


def test_a_seat_is_asked_for_again_with_the_same_token(open_client: OpenClient) -> None:
    """It is made by the client, so that a lost answer loses nothing; the next seat has another one."""
    seated = httpx.Response(201, json={"seat": 0, "seat_token": "mt_2", "version": 2})
    script = Script(
        httpx.ReadError, problem(503, "store_unavailable", [("Retry-After", "1")]), seated, seated
    )
    client = open_client(script)
    assert client.take_seat("g1", "Ann").seat_token == "mt_2"
    client.take_seat("g1", "Bea")
    *first, other = [
        (one.headers["Idempotency-Key"], json.loads(one.read())["token"]) for one in script.requests
    ]
    assert len(first) == 3
    assert len(set(first)) == 1
    assert len({*first[0], *other}) == 4
    assert re.fullmatch(r"mt_[A-Za-z0-9_-]{43}", first[0][1])


def test_a_no_is_told_with_its_clause(open_client: OpenClient) -> None:
    """As an exception, and nothing is sent again."""
    errors = [{"pointer": "/card", "detail": "no card"}]
    script = Script(
        problem(
            422,
            "illegal_move",
            rule="one-card.stock",
            version=56,
            request_id="r1",
            errors=errors,
            shortfall={"points": 46, "needed": 51},
        )
    )
    with pytest.raises(MeldlogProblem, match=r"one-card\.stock") as caught:
        open_client(script).send("g1", DISCARD)
    no = caught.value
    assert (no.status, no.code, no.rule, no.version) == (422, "illegal_move", "one-card.stock", 56)
    assert (no.detail, no.request_id) == ("it is illegal_move", "r1")
    assert no.errors[0].pointer == "/card"
    assert no.shortfall is not None
    assert (no.shortfall.points, no.shortfall.needed) == (46, 51)


def test_rules_that_are_not_installed_are_not_waited_for(open_client: OpenClient) -> None:
    """Though the status is that of a service that is not ready."""
    script = Script(problem(503, "plugin_unavailable", [("Retry-After", "1")]))
    with pytest.raises(MeldlogProblem, match="plugin_unavailable"):
        open_client(script).send("g1", DISCARD)


def test_a_proxys_own_words_are_quoted(open_client: OpenClient) -> None:
    """An error that is no problem document is one all the same."""
    script = Script(httpx.Response(400, text="<html>Bad\nRequest</html>"))
    with pytest.raises(MeldlogProblem, match="<html>Bad Request</html>") as caught:
        open_client(script).table("g1")
    assert caught.value.code == "http_400"


def test_an_answer_in_another_shape_is_told(open_client: OpenClient) -> None:
    """With what was asked for."""
    script = Script(httpx.Response(200, json={"version": "seven"}))
    with pytest.raises(MeldlogUnintelligible, match="/v1/games/g1/moves"):
        open_client(script).moves("g1")


def test_ids_are_quoted_and_tokens_sent(open_client: OpenClient) -> None:
    """An id is opaque: whatever is in it stays one part of the path."""
    script = Script(httpx.Response(200, json={"version": 1, "seat": 0, "moves": [], "truncated": False}))
    open_client(script).moves("a/b?c")
    (request,) = script.requests
    assert request.url.raw_path == b"/v1/games/a%2Fb%3Fc/moves"
    assert request.headers["Authorization"] == "Bearer mt_1"
