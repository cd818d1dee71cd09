"""A service that several tests look at, and logs that were exported."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.cli.commands import Serving, write_log
from tests.cli.data_folders import GAMES, filled
from tests.support.archives import finished as finished_game
from tests.support.games import Game, busy


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A running service of this process of the test run, for tests that leave no trace but games of their own."""
    with Serving(tmp_path_factory.mktemp("serving")) as service:
        yield service


@pytest.fixture(scope="session")
def finished() -> Game:
    """A whole game."""
    return Game(seats=2).started().play_out(busy(Random(5)))


@pytest.fixture
def log_file(finished: Game, tmp_path: Path) -> Path:
    """Its log in a file, every secret open."""
    return write_log(tmp_path / "log.ndjson", finished.lines)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of a service that does not run: three games are over, one is played."""
    folder = tmp_path / "games"
    playing = Game(seats=2, game_id="playing").started()
    filled(folder, (*(finished_game(name) for name in GAMES), playing))
    return folder
