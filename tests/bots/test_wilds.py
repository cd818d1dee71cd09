"""What the bot ``sharp`` does with wilds that lie on the table, and with those it could lay off. Nines are wild."""

import pytest
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Discard, LayOff, Reclaim
from meldlog_service.app.choosing import chosen
from meldlog_service.bots import STRATEGIES, Move
from meldlog_service.bots.sharp import Sharp

SHARP = Sharp(think_ms=10)
RUN, FULL_SET = "1: 4H 5H 6H", "1: QS QH QD 9C=QX"


def move_of(here: Position) -> Move:
    """What sharp does at seat 0."""
    return chosen(SHARP, here.table, 0, here.rules)


def test_it_lays_naturals_off_and_keeps_the_wild() -> None:
    """On the table the wild would be anybody's; patient lays it off at once, since it is the dearest card."""
    here = position("9D 7H QS 2C JD", "3D 4D 8S 8C", melds=[RUN], laid=[0])

    move = move_of(here)
    assert move == LayOff(1, cards("7H"))
    assert isinstance(move_of(here.after(move)), Discard)
    patients = chosen(STRATEGIES["patient"], here.table, 0, here.rules)
    assert isinstance(patients, LayOff)
    assert patients.cards == cards("9D")


@pytest.mark.parametrize(
    ("hand", "other"),
    [
        pytest.param("9D QS 2C JD", "3D", id="the other may go out in the next turn"),
        pytest.param("9D QS", "3D 4D 8S 8C", id="it goes out itself"),
    ],
)
def test_it_lays_a_wild_off_before_it_is_too_late(hand: str, other: str) -> None:
    """In a hand it would cost 25."""
    move = move_of(position(hand, other, melds=[RUN], laid=[0]))

    assert isinstance(move, LayOff)
    assert move.cards == cards("9D")


def test_it_takes_a_wild_back_with_which_less_is_left_over() -> None:
    """The queen is given for the nine, which makes a meld with the kings; on the full set it could not be laid off."""
    here = position("QC KS KD 2C 4S", "3D 4D 8S 8C", melds=[FULL_SET], laid=[0])

    move = move_of(here)
    assert isinstance(move, Reclaim)
    assert (move.card, move.wild) == (Card("QC"), Card("9C"))
    assert isinstance(chosen(STRATEGIES["patient"], here.table, 0, here.rules), Discard)


def test_it_leaves_a_wild_where_it_has_no_use_for_it() -> None:
    """It would cost more than the queen."""
    assert isinstance(move_of(position("QC KS 7D 2C 4S", "3D 4D 8S 8C", melds=[FULL_SET], laid=[0])), Discard)
