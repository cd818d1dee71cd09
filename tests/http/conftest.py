"""One service for all tests that need nothing special, and its log."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from random import Random

import httpx
import msgspec
import pytest
import structlog
from tests.http.playing import Game
from tests.http.serving import OPERATOR_TOKEN, Served, served

from meldlog_service import logs

MakeGame = Callable[..., Game]
LogLines = Callable[[], list[dict[str, object]]]


class Chance:
    """What the service draws: the same in every run of a test, whatever ran before it."""

    def __init__(self) -> None:
        self._random = Random(0)

    def begin(self, test: str) -> None:
        """Draw from the test's own name from now on."""
        self._random = Random(test)

    def __call__(self) -> str:
        """32 bytes in hex."""
        return self._random.randbytes(32).hex()


@pytest.fixture(scope="session")
def chance() -> Chance:
    """The chance of the service that the tests share."""
    return Chance()


@pytest.fixture(scope="session")
def server(chance: Chance) -> Iterator[Served]:
    """A service with an empty store in memory; every test makes its own games in it."""
    with served(random_hex=chance) as running:
        yield running


@pytest.fixture(autouse=True)
def same_cards_in_every_run(request: pytest.FixtureRequest, chance: Chance) -> None:
    """A test's games are dealt alike in every run."""
    chance.begin(request.node.nodeid)


@pytest.fixture
def client(server: Served) -> Iterator[httpx.Client]:
    """Somebody without a token."""
    with server.client() as one:
        yield one


@pytest.fixture
def operator(server: Served) -> Iterator[httpx.Client]:
    """The operator."""
    with server.client(OPERATOR_TOKEN) as one:
        yield one


@pytest.fixture
def new_game(server: Served) -> Iterator[MakeGame]:
    """Makes games, closed at the end of the test."""
    made: list[Game] = []

    def make(*arguments: object, **more: object) -> Game:
        made.append(Game(server, *arguments, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for game in made:
        game.__exit__()


@pytest.fixture
def game(new_game: MakeGame) -> Game:
    """A game of three players, just started."""
    return new_game()


@pytest.fixture
def log_lines() -> Iterator[LogLines]:
    """What the services of this process log from now on, line by line."""
    stream = io.StringIO()
    handlers = logging.root.handlers[:]
    logs.configure("info", "json", stream)
    yield lambda: [msgspec.json.decode(line) for line in stream.getvalue().splitlines()]
    structlog.reset_defaults()
    logging.root.handlers[:] = handlers
