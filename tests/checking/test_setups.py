"""A game is named by a token, and the token makes the same game again."""

from __future__ import annotations

import pytest
from tests.support.games import installed

from meldlog_service.checking.examining import Pace
from meldlog_service.checking.playing import play
from meldlog_service.checking.setups import Setup, value_of, value_text
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import in_this_process

SETUP = Setup(
    "crazy-rummy",
    seats=2,
    seed=17,
    bots=("busy", "plain"),
    options=("press", "joker-wild"),
    house_rules={"deal_count": 1, "no_progress_limit": None, "ace_in_runs": "low_or_high", "packs": 2},
)


def test_a_token_names_everything_that_a_game_follows_from() -> None:
    """And no shell touches it."""
    assert Setup.from_token(SETUP.token) == SETUP
    assert SETUP.token.startswith("crazy-rummy/seats=2/seed=17/bots=busy+plain/option=press/")
    assert not set(SETUP.token) & set(" \"'$`\\!&;|<>()[]{}*?~#")


@pytest.mark.parametrize("value", [None, True, 7, "low", "7", "true", [1, 2], "two words"])
def test_a_value_is_typed_and_read_again(value: bool | int | str | list[int] | None) -> None:
    """A word that looks like a number keeps its quotes."""
    assert value_of(value_text(value)) == value


@pytest.mark.parametrize(
    "token",
    ["", "crazy-rummy", "crazy-rummy/seats=2", "crazy-rummy/seats=2/seed=1/bots=busy", "a/b", "a/seats=x/seed=1",
     "a/seats=1/seed=1/bots=busy/colour=red"],
)  # fmt: skip
def test_what_is_no_token_is_refused(token: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(ValueError, match=r"token|does not say|invalid literal"):
        Setup.from_token(token)


def test_the_same_setup_is_the_same_game() -> None:
    """To the last byte: the audit's report is of the same log."""
    logs = []
    catalogue = installed()

    def judge(log):  # type: ignore[no-untyped-def]
        logs.append(list(log))
        return in_this_process(catalogue)(log)

    for _ in range(2):
        assert play(catalogue, SETUP, Pace(), judge, Tally("crazy-rummy")) is None
    assert logs[0] == logs[1]
