"""What goes together at a glance. Nines are wild."""

import pytest

from meldlog_contracts.cards import Card, cards
from meldlog_service.bots.reckoning import completes_meld


@pytest.mark.parametrize(
    ("card", "hand", "three", "four"),
    [
        pytest.param("KS", "KH KD 2C", True, True, id="a set"),
        pytest.param("KS", "KH 9D 2C", True, True, id="a set with a wild"),
        pytest.param("7H", "5H 6H 2C", True, False, id="a run of three"),
        pytest.param("7H", "5H 6H 8H", True, True, id="a run of four"),
        pytest.param("7H", "6H 9D 2C", True, False, id="a run of three with a wild"),
        pytest.param("7H", "4H 6H 9D", True, True, id="a run of four with a wild in its gap"),
        pytest.param("7H", "3H 4H 9D", False, False, id="too far apart"),
        pytest.param("7H", "9C 9D 2C", False, False, id="wilds alone"),
        pytest.param("AS", "QS KS 2C", False, False, id="an ace is taken to be low"),
    ],
)
def test_what_makes_a_meld_depends_on_how_long_a_run_must_be(
    card: str, hand: str, three: bool, four: bool
) -> None:
    """Sets have three cards in either case."""
    found = [completes_meld(Card(card), cards(hand), ("9",), shortest) for shortest in (3, 4)]
    assert found == [three, four]
