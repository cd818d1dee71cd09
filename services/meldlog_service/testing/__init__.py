"""Given, when, then: fixtures in which a rules test reads as the rule sheet. A pytest plugin for authors of variants.

    def test_the_last_card_is_kept_for_the_discard(play):
        game = play("crazy-rummy").given_deal(5, ann="7S 8S", bea="KD KH", stock="9S")
        game.when(draw())

        assert game.refuses(lay("7S 8S 9S")).rule == "final-discard"

The table is written as text, the commands are decided by the service's own core, and every step is checked for what
must hold in any game (see `meldlog_service.testing.game`). A table in the middle of a deal is a true log: events lead
to it, so that it folds, is redacted and can be viewed like any other.

The marker ``clause`` says which sentence of a rule sheet a test is about; see `meldlog_service.testing.clauses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from typing import Protocol

import pytest

from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import ENTRY_POINTS, Catalogue
from meldlog_service.testing.clauses import MARKER
from meldlog_service.testing.game import Game, Refusal
from meldlog_service.testing.notation import all_of, discard, draw, lay, lay_off, meld_of, take_back, written

__all__ = [
    "Game",
    "Play",
    "Refusal",
    "all_of",
    "discard",
    "draw",
    "lay",
    "lay_off",
    "meld_of",
    "take_back",
    "written",
]


class Play(Protocol):
    """What the fixture `play` gives."""

    def __call__(
        self,
        variant: str,
        *options: str,
        seats: int = 3,
        plugins: Sequence[object] = (),
        **house_rules: HouseValue,
    ) -> Game:
        """Create a game of a variant with these options and house rules.

        ``plugins`` are known beside the installed ones, for a rule that only a test needs.

        Raises:
            Refused: when the house rules make no game.
        """
        ...


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker ``clause`` known."""
    config.addinivalue_line("markers", MARKER)


def _installed() -> list[object]:
    return [entry.load() for entry in metadata.entry_points(group=ENTRY_POINTS)]


@pytest.fixture(scope="session")
def meldlog_catalogue() -> Catalogue:
    """Every plugin that is installed."""
    return Catalogue.from_entry_points()


@pytest.fixture
def play(meldlog_catalogue: Catalogue) -> Play:
    """A game to write down and to play: ``play("crazy-rummy", packs=2).given_deal(5, ann="7H 5C 9H")``."""

    def create(
        variant: str,
        *options: str,
        seats: int = 3,
        plugins: Sequence[object] = (),
        **house_rules: HouseValue,
    ) -> Game:
        catalogue = meldlog_catalogue if not plugins else Catalogue([*_installed(), *plugins])
        return Game(catalogue, variant, options, house_rules, seats)

    return create
