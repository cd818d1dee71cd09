"""When the bot ``patient`` lays its melds, and when it holds them back. Nines are wild."""

import random

import pytest
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Discard, Draw, LayMeld, LayOff
from meldlog_service.app.choosing import chosen
from meldlog_service.bots import STRATEGIES, Move

HAND = "KS KH KD 2C 4S 7D JC 5H"
KINGS = LayMeld(cards("KD KH KS"))
LONG, SHORT = "2D 3D 4D 5D 6D", "2D 3D 4D 5D"
FIVE = [LONG, "2S 3S 5S 6S 7S", "2H 3H 4H 6H 7H", "3C 4C 5C 6C 7C"]


def move_at(table: Position) -> Move:
    """What the bot on turn does."""
    return chosen(STRATEGIES["patient"], table.table, table.table.deal.turn.seat, table.rules)


def test_it_holds_a_meld_back_while_nobody_is_close_to_going_out() -> None:
    """It throws what plain would throw, and keeps the kings."""
    assert move_at(position(HAND, LONG, turns=4)) == Discard(Card("JC"))


@pytest.mark.parametrize(
    ("others", "turns", "laid"),
    [
        pytest.param([SHORT], 4, [], id="somebody holds few cards"),
        pytest.param([LONG], 5, [], id="the deal has lasted a while"),
        pytest.param([LONG], 4, [0], id="it has shown a meld before"),
        pytest.param(FIVE, 4, [], id="at a large table"),
    ],
)
def test_it_lays_when_waiting_would_be_dear(others: list[str], turns: int, laid: list[int]) -> None:
    """As plain does."""
    assert move_at(position(HAND, *others, turns=turns, laid=laid)) == KINGS


def test_it_lays_everything_when_that_ends_the_deal() -> None:
    """All cards but the one to discard."""
    assert move_at(position("KS KH KD 2C", LONG, turns=4)) == KINGS


def test_it_draws_as_plain_does() -> None:
    """What completes a meld is taken, though it is not shown at once."""
    assert move_at(position("KS KH 2C 5C", LONG, pile="KD", phase="draw", turns=4)) == Draw(source="discard")


def test_it_lays_when_it_may_not_discard() -> None:
    """What a turn must do is done."""
    here = position("7H QS 2C 3S 4C", LONG, melds=["1: 4H 5H 6H"], turns=4)
    only = LayOff(1, cards("7H"))

    assert STRATEGIES["patient"].choose(here.table, 0, [only], random.Random(1)) == only
