"""Cards that no meld could hold are set aside before a hand is searched. Nothing else about a partition changes."""

import pytest
from msgspec.structs import replace
from tests.support.positions import position

from meldlog_contracts.cards import Card, cards
from meldlog_service.bots.house import House, house_of, number
from meldlog_service.bots.loose import parted

HOUSE = house_of(position("KS", "KH").table)


def loose(hand: str, wilds: int = 0, house: House = HOUSE, laid_off: str = "") -> set[Card]:
    """Which cards of a hand are set aside."""
    held = cards(hand)
    on_table = frozenset(number(card) for card in cards(laid_off))
    _, found = parted(tuple(sorted(map(number, held))), wilds, house, on_table)
    return {card for card in held if number(card) in found}


@pytest.mark.parametrize(
    ("hand", "wilds", "aside"),
    [
        pytest.param("KS KH KD 2C 4S", 0, "2C 4S", id="three of a rank"),
        pytest.param("5S 6S 7S KH KD", 0, "KH KD", id="three in a row"),
        pytest.param("5S 7S KH KD 2C", 1, "2C", id="two and a wild"),
        pytest.param("2C", 2, "", id="a card and two wilds"),
    ],
)
def test_what_no_meld_could_hold_is_set_aside(hand: str, wilds: int, aside: str) -> None:
    """A wild helps any two cards that go together, two wilds any card."""
    assert loose(hand, wilds) == set(cards(aside))


def test_a_meld_may_hold_no_more_wilds_than_the_game_allows() -> None:
    """In the Rami games one."""
    assert loose("2C", 2, replace(HOUSE, most_wilds=1)) == set(cards("2C"))


def test_an_ace_goes_with_a_king_where_it_may() -> None:
    """And is one card at either end."""
    assert loose("QS KS AS") == set(cards("QS KS AS"))
    assert loose("QS KS AS", house=replace(HOUSE, ace_high=True)) == set()


def test_the_same_card_counts_twice_where_sets_may_hold_it_twice() -> None:
    """In Treize Brasses; there three in a row are no run either."""
    treize = replace(HOUSE, identical=True, shortest_run=4)
    assert loose("KS KS KD 5H 6H 7H", house=treize) == set(cards("5H 6H 7H"))
    assert loose("KS KS KD") == set(cards("KS KD"))


def test_what_the_table_takes_is_not_set_aside() -> None:
    """It is laid off."""
    assert loose("2C 4S", laid_off="4S") == set(cards("2C"))
