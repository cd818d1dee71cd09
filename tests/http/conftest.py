"""One service for all tests that need nothing special, and its log."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator

import httpx
import msgspec
import pytest
import structlog
from tests.http.playing import Game
from tests.http.serving import OPERATOR_TOKEN, Served, served

from meldlog_service import logs

MakeGame = Callable[..., Game]
LogLines = Callable[[], list[dict[str, object]]]


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    """A service with an empty store in memory; every test makes its own games in it."""
    with served() as running:
        yield running


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
