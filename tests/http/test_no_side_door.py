"""Law 4 over HTTP: what a caller cannot know is in no answer, no header, no log line and no number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from msgspec.structs import replace
from tests.http.conftest import LogLines, MakeGame
from tests.http.playing import OPERATOR, SHORT, SPECTATOR, Json
from tests.http.serving import Served, served
from tests.support.games import GAME_SEED, Game

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import StartGame, TakeSeat
from meldlog_contracts.events import DealStarted, Event
from meldlog_contracts.sealed import cards_of, unsealed_cards
from meldlog_service.app.envelope import pointer_of
from meldlog_service.app.seats import token_hash
from meldlog_service.core import chain
from meldlog_service.store.memory import MemoryStore, Shelf

TOKEN = "mt_of-seat-0"
HEX = re.compile(r"[0-9a-f]{64}")
OWN_WAY = {"date", "x-request-id", "content-length"}
"""Headers that differ from answer to answer, whatever is in the game. Lengths are compared with the bodies."""


def just_dealt(seed: str) -> Game:
    """A game whose seat 0, on turn, belongs to whoever has `TOKEN`."""
    game = Game(seats=3, game_seed=seed)
    for seat in range(3):
        game.do(TakeSeat(seat, f"player {seat}", token_hash=token_hash(f"mt_of-seat-{seat}")), f"seat:{seat}")
    game.do(StartGame(), "host")
    return game


def dealt_otherwise(game: Game) -> list[bytes]:
    """The same log, but for what nobody but seats 1 and 2 and the stock knows: the cards there, all but the first."""
    *before, last = game.commits
    events: list[Event] = []
    for event in last.events:
        if isinstance(event, DealStarted):
            mine, *others = (cards_of(hand) for hand in event.hands)
            front, *rest = cards_of(event.stock)
            hidden: list[Card] = [*rest, *(card for hand in others for card in hand)][::-1]
            dealt = [mine]
            for hand in others:
                dealt.append(tuple(hidden[: len(hand)]))
                hidden = hidden[len(hand) :]
            drafts = tuple(unsealed_cards(hand) for hand in dealt)
            event = replace(event, hands=drafts, stock=unsealed_cards((front, *hidden)))  # noqa: PLW2901
        events.append(event)
    _, line = chain.make_commit(
        at=last.at,
        by=last.by,
        command=last.command,
        command_id=last.command_id,
        events=tuple(events),
        game_seed=game.game_seed,
        prev=before[-1].hash,
        version=last.version,
    )
    return [*game.lines[:-1], line]


@contextmanager
def serving(lines: list[bytes]) -> Iterator[Served]:
    """A service that holds one game."""
    shelf = Shelf()
    shelf.logs["g1"] = list(lines)
    shelf.pointers["g1"] = pointer_of(lines)
    with served(store=lambda: MemoryStore(shelf)) as server:
        yield server


def told(
    client: httpx.Client, method: str, path: str, body: object, headers: dict[str, str]
) -> tuple[object, ...]:
    """All that an answer tells, hashes and seals (which differ and tell nothing) left out."""
    content = None if body is None else json.dumps(body)
    if body is not None:
        headers = {**headers, "Content-Type": "application/json"}
    answer = client.request(method, f"/v1/games/g1{path}", content=content, headers=headers)
    text = HEX.sub("#", answer.text.replace(answer.headers["x-request-id"], "#"))
    kept = {name: value for name, value in answer.headers.items() if name not in OWN_WAY}
    return answer.status_code, kept, text


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Served, Served, Game]]:
    """Two services whose games differ in nothing that a spectator or seat 0 can see."""
    seeds = (f"{number:064x}" for number in range(1, 100))
    game = next(game for seed in seeds if (game := just_dealt(seed)).on_turn == 0)
    with serving(game.lines) as one, serving(dealt_otherwise(game)) as other:
        yield one, other, game


EVERY_CARD: list[Json] = [
    {"type": "discard", "card": rank + suit} for rank in "A23456789TJQK" for suit in "CDHS"
]
ASKED: list[tuple[str, str, object]] = [
    ("GET", "", None),
    ("GET", "?at=4", None),
    ("GET", "?at=99", None),
    ("GET", "/moves", None),
    ("GET", "/moves?seat=1", None),
    ("GET", "/events", None),
    ("GET", "/audit", None),
    ("HEAD", "", None),
    ("DELETE", "/seats/1", None),
    ("POST", "/seats", {"name": "Eve"}),
    *(("POST", "/commands?dry_run=true", command) for command in EVERY_CARD),
    ("POST", "/commands", {"type": "lay_meld", "cards": ["7H", "8H", "9H"]}),
    ("POST", "/commands", {"type": "lay_off", "meld": 1, "cards": ["7H"]}),
    ("POST", "/commands", {"type": "draw", "source": "stock"}),
    ("POST", "/commands", {"type": "draw", "source": "discard"}),
    ("POST", "/commands", {"type": "discard", "card": "7H", "seat": 1}),
    *(
        ("POST", "/commands", {"commands": [{"type": "draw", "source": "stock"}, command]})
        for command in EVERY_CARD[:8]
    ),
]


@pytest.mark.parametrize("token", [None, TOKEN])
def test_what_a_caller_cannot_know_changes_no_answer(
    pair: tuple[Served, Served, Game], token: str | None
) -> None:
    """Tables, moves, events, refusals and their headers come out the same, byte for byte."""
    one, other, _ = pair
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with one.client() as first, other.client() as second:
        assert told(first, "GET", "/events", None, {"Authorization": f"Bearer {TOKEN}"})[0] == 200
        for method, path, body in ASKED:
            answers = [told(client, method, path, body, headers) for client in (first, second)]
            assert answers[0] == answers[1], (method, path, body)


def secrets_of(event: Json) -> list[Json]:
    """The sealed values of an event."""
    if event["type"] == "card_drawn":
        return [event["card"]]
    if event["type"] == "deal_started":
        return [*event["hands"], event["stock"]]
    if event["type"] == "stock_renewed":
        return [event["stock"]]
    return [event["game_seed"]] if "game_seed" in event and isinstance(event["game_seed"], dict) else []


def test_no_salt_no_seed_and_no_token_ever_leaves(
    new_game: MakeGame, log_lines: LogLines, server: Served
) -> None:
    """A whole game is played; every answer to everybody, every log line and every number is searched."""
    game = new_game(3, house_rules=SHORT, reveal="never")
    heard: dict[int | str, list[str]] = {SPECTATOR: [], 0: [], 1: [], 2: []}

    def hear(who: int | str, answer: httpx.Response) -> None:
        heard[who].append(f"{answer.headers} {answer.text}")

    for answer in game.commands():
        seat = json.loads(answer.request.content).get("seat")
        by = next(
            who for who, token in game.tokens.items() if token in answer.request.headers["authorization"]
        )
        assert seat is None
        hear(by, answer)
        for who in heard:
            if game.table()["version"] % 5 == 0:
                hear(who, game.get(who))
            hear(who, game.get(who, "/moves"))
            hear(who, game.send(who, {"type": "discard", "card": "7H"}, headers={"If-Match": '"1"'}))
    for who in heard:
        hear(who, game.get(who, "/events"))
        hear(who, game.get(who, "/events", headers={"Accept": "application/x-ndjson"}))

    log = game.log(OPERATOR)
    mine: dict[int | str, set[str]] = {who: set() for who in heard}
    every: set[str] = set()
    for commit in log:
        for event in commit["events"]:
            for place, sealed in enumerate(secrets_of(event)):
                every.add(sealed["salt"])
                owner = event.get("seat") if event["type"] == "card_drawn" else place
                if event["type"] in ("card_drawn", "deal_started") and owner in mine:
                    mine[owner].add(sealed["salt"])
    assert len(every) > 20
    for who, answers in heard.items():
        text = "\n".join(answers)
        assert not [salt for salt in every - mine[who] if salt in text], who
        assert log[0]["events"][0]["game_seed"]["value"] not in text
        for owner, token in game.tokens.items():
            assert token not in text, (who, owner)

    logged = json.dumps(log_lines())
    metrics = server.service.metrics.exposition().decode()
    for secret in (*every, *game.tokens.values(), GAME_SEED):
        assert secret not in logged
        assert secret not in metrics


def places_beside(meld: Json) -> set[str]:
    """What a wild laid off on a run could stand for: the places that are named when it must say which."""
    reads = [one["reads_as"] for one in meld["cards"]]
    if meld["kind"] != "run":
        return set()
    order = "A23456789TJQKA"
    ends = order.index(reads[0][0]) - 1, order.rindex(reads[-1][0]) + 1
    return {order[end] + reads[0][1] for end in ends if 0 <= end < len(order)}


def test_a_refusal_names_no_card_that_its_caller_does_not_see(new_game: MakeGame) -> None:
    """Any card in it lies on the table or could beside a meld, is in the caller's hand, or was named by the caller."""
    game = new_game(3, house_rules=SHORT)
    card = re.compile(r"\b[A2-9TJQK][CDHS]\b")
    for number, _ in enumerate(game.commands(seed=7)):
        for who in (0, 1, 2):
            table = game.table(who)
            if table["status"] != "playing":
                return
            deal = table["deal"]
            visible = {*table["seats"][who]["hand"], *deal["discard_pile"]}
            visible |= {
                one[part] for meld in deal["melds"] for one in meld["cards"] for part in ("card", "reads_as")
            }
            visible |= {card for meld in deal["melds"] for card in places_beside(meld)}
            for command in (
                {"type": "discard", "card": "7H"},
                {"type": "lay_meld", "cards": ["7H", "8D", "KC"]},
                {"type": "lay_off", "meld": 1, "cards": ["AS"]},
                {"type": "draw", "source": "discard", "count": 30},
            ):
                answer = game.send(who, command, params={"dry_run": "true"})
                if answer.status_code != 200:
                    named = set(card.findall(answer.text)) - set(card.findall(json.dumps(command)))
                    assert named <= visible, (number, who, answer.text)


def test_a_seat_is_shown_its_own_cards_and_nobody_else_is(new_game: MakeGame) -> None:
    """In every table of a whole deal."""
    game = new_game(3, house_rules=SHORT)
    for _ in game.commands():
        if game.table()["status"] == "finished":
            return
        for who in (SPECTATOR, 0, 1, 2):
            shown = {seat["seat"] for seat in game.table(who)["seats"] if "hand" in seat}
            assert shown == ({who} - {SPECTATOR})
