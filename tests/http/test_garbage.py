"""An answered request leaves nothing behind that only the garbage collector would find.

The collector walks through all cached tables to find it, and everybody waits meanwhile.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any

import pytest
from tests.http.playing import Game
from tests.http.serving import PATIENCE, Served

REQUESTS = 20
Ask = Callable[..., Any]


@pytest.fixture
def ask(server: Served, game: Game) -> Iterator[Ask]:
    """Asks for something of the game by a client that makes no garbage of its own."""
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:

        def asked(who: int | str, path: str = "", body: object = None) -> Any:
            method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
            headers = {**game.headers(who), "Content-Type": "application/json"}
            connection.request(method, game.path + path, sent, headers)
            with connection.getresponse() as answer:
                return json.loads(answer.read())

        yield asked


@contextmanager
def garbage() -> Iterator[Counter[str]]:
    """What the collector finds of what is done meanwhile, by type."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def play(ask: Ask) -> None:
    """Have whoever is on turn do something."""
    seat = ask("spectator")["deal"]["turn"]
    ask(seat, "/commands", ask(seat, "/moves")["moves"][-1])


REQUESTED: dict[str, Callable[[Ask], object]] = {
    "a command that is carried out": play,
    "a command that is refused": lambda ask: ask("host", "/commands", {"type": "start_game"}),
    "a body that is no command": lambda ask: ask(0, "/commands", {"type": "shout"}),
    "a table": lambda ask: ask(0),
    "a page of events": lambda ask: ask(0, "/events"),
    "an audit": lambda ask: ask("operator", "/audit"),
}


@pytest.mark.parametrize("requested", REQUESTED.values(), ids=REQUESTED)
def test_nothing_of_a_request_is_left(ask: Ask, requested: Callable[[Ask], object]) -> None:
    """Its objects are gone with it."""
    requested(ask)
    with garbage() as found:
        for _ in range(REQUESTS):
            requested(ask)
    assert not {kind: count for kind, count in found.items() if count >= REQUESTS}
