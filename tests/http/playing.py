"""Games played over HTTP: seats with their tokens, and whoever is on turn."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
from tests.http.serving import OPERATOR_TOKEN, Served

Json = dict[str, Any]
SHORT = {"deal_count": 1}
"""House rules of a game that is over after one deal."""
OPERATOR, HOST, SPECTATOR = "operator", "host", "spectator"
Who = int | str


class Game:
    """A game and everybody's tokens.

    Args:
        served: The service.
        seats: How many seats; people take those that `bots` leaves.
        bots: Strategy by seat.
        start: Whether to start it at once.
        more: Other members of the body that creates it.
    """

    def __init__(
        self,
        served: Served,
        seats: int = 3,
        *,
        bots: Mapping[int, str] | None = None,
        start: bool = True,
        **more: object,
    ) -> None:
        self._client = served.client()
        bots = bots or {}
        body = {
            "variant": "crazy-rummy",
            "seats": seats,
            "bots": {str(seat): strategy for seat, strategy in bots.items()},
            **more,
        }
        created = self._client.post("/v1/games", json=body)
        assert created.status_code == 201, created.text
        self.game_id: str = created.json()["game_id"]
        self.path = f"/v1/games/{self.game_id}"
        self.tokens: dict[Who, str] = {OPERATOR: OPERATOR_TOKEN, HOST: created.json()["host_token"]}
        for seat in range(seats):
            if seat not in bots:
                taken = self.post(HOST, "/seats", {"name": f"Player {seat}", "seat": seat})
                assert taken.status_code == 201, taken.text
                self.tokens[seat] = taken.json()["seat_token"]
        if start:
            assert self.send(HOST, {"type": "start_game"}).status_code == 200

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def through(self, client: httpx.Client) -> Game:
        """The same game at another service."""
        other = copy.copy(self)
        other._client = client
        other.tokens = dict(self.tokens)
        return other

    def headers(self, who: Who) -> dict[str, str]:
        """What shows who is asking."""
        token = self.tokens.get(who)
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    def get(self, who: Who = SPECTATOR, path: str = "", **more: Any) -> httpx.Response:
        """Ask for something of the game."""
        headers = {**self.headers(who), **more.pop("headers", {})}
        return self._client.get(self.path + path, headers=headers, **more)

    def post(self, who: Who, path: str, body: object, **more: Any) -> httpx.Response:
        """Post something to the game."""
        headers = {**self.headers(who), **more.pop("headers", {})}
        return self._client.post(self.path + path, json=body, headers=headers, **more)

    def send(self, who: Who, *commands: Json, **more: Any) -> httpx.Response:
        """Send a command, or a list of them."""
        body = commands[0] if len(commands) == 1 else {"commands": list(commands)}
        return self.post(who, "/commands", body, **more)

    def delete(self, who: Who, seat: object, **more: Any) -> httpx.Response:
        """Leave a seat."""
        headers = {**self.headers(who), **more.pop("headers", {})}
        return self._client.delete(f"{self.path}/seats/{seat}", headers=headers, **more)

    def table(self, who: Who = SPECTATOR, **params: Any) -> Json:
        """The table as somebody sees it."""
        answer = self.get(who, params=params)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def on_turn(self) -> int:
        """The seat whose turn it is."""
        turn: int = self.table()["deal"]["turn"]
        return turn

    def not_on_turn(self) -> int:
        """Another seat."""
        return (self.on_turn() + 1) % len(self.table()["seats"])

    def moves(self, seat: int) -> list[Json]:
        """What a seat may do."""
        answer = self.get(seat, "/moves")
        assert answer.status_code == 200, answer.text
        found: list[Json] = answer.json()["moves"]
        return found

    def play(self, commands: int, seed: int = 1) -> int:
        """Play at most so many commands at random, by the seats' own tokens; how many it were."""
        return sum(1 for _ in zip(range(commands), self.commands(seed), strict=False))

    def commands(self, seed: int = 1) -> Iterator[httpx.Response]:
        """Play at random until the game is over, one command at a time."""
        rng = random.Random(seed)
        while (table := self.table())["status"] == "playing":
            seat = table["deal"]["turn"]
            answer = self.send(seat, rng.choice(self.moves(seat)))
            assert answer.status_code == 200, answer.text
            yield answer

    def until(self, phase: str) -> int:
        """Play until this is awaited; the seat it is awaited from."""
        playing = self.commands()
        while (deal := self.table()["deal"])["phase"] != phase:
            next(playing)
        turn: int = deal["turn"]
        return turn

    def log(self, who: Who = SPECTATOR) -> list[Json]:
        """All commits as somebody sees them."""
        answer = self.get(who, "/events", params={"limit": 1000})
        assert answer.status_code == 200, answer.text
        found: list[Json] = answer.json()["items"]
        return found


def assert_problem(answer: httpx.Response, status: int, code: str) -> Json:
    """Check that an answer is a problem document of this kind; the document."""
    assert (answer.status_code, answer.json().get("code")) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: Json = answer.json()
    assert found["status"] == status
    assert found["request_id"] == answer.headers["x-request-id"]
    assert {"type", "title", "detail"} <= found.keys()
    return found
