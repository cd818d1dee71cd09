"""What a hand is worth once some turns were played. Nines are wild."""

from tests.support.positions import Position, position

from meldlog_contracts.cards import cards
from meldlog_service.bots.house import House, house_of, number
from meldlog_service.bots.partition import Partitions
from meldlog_service.bots.worth import Worth

MEAN = 6.0
"""What a card costs on an average."""


def worth_of(here: Position, hand: str, turns: int = 1) -> float:
    """What a hand is worth to seat 0 after it has thrown a card in each of these turns."""
    house = house_of(here.table)
    left = Partitions(house, needed=house.required).best(tuple(sorted(map(number, cards(hand)))), 0)
    return Worth(here.table, 0, house, MEAN).after(left, turns, total(hand, house))


def total(hand: str, house: House) -> int:
    """What cards cost together."""
    return sum(house.costs[number(card) % 16] for card in cards(hand))


def test_what_is_left_over_costs_something_and_to_go_out_brings_something() -> None:
    """The dearest card is thrown."""
    here = position("KS", "3D 4D 8S 8C", laid=[0, 1])
    assert worth_of(here, "KS KH KD 2C 7D") == -2
    assert worth_of(here, "KS KH KD 2C") > 0


def test_melds_cost_as_well_while_one_has_nothing_to_open_with() -> None:
    """Thirty points are less than 51: they are held, and paid for if it stays at that."""
    hand = "KS KH KD 2C 7D 4S"
    opened = position(hand, "3D 4D 8S 8C", laid=[0, 1], variant="rami-51")
    before = position(hand, "3D 4D 8S 8C", variant="rami-51")
    assert -36 < worth_of(before, hand) < worth_of(opened, hand) == -6
    enough = "KS KH KD 8C 8D 8H 2C 4S"
    assert worth_of(before, enough) == worth_of(opened, enough) == -2


def test_to_go_out_brings_more_against_who_has_not_opened() -> None:
    """Then the other pays for the melds as well."""
    hand = "KS KH KD 2C"
    opened = position(hand, "3D 4D 8S 8C", laid=[1], variant="rami-51")
    before = position(hand, "3D 4D 8S 8C", variant="rami-51")
    assert worth_of(before, hand) > worth_of(opened, hand)


def test_a_high_card_costs_no_more_than_a_low_one_where_all_hands_cost_the_same() -> None:
    """In Rami Simple what counts is how many cards are in no meld."""
    here = position("KS", "3D", variant="rami-simple")
    assert worth_of(here, "KS JD QH") == worth_of(here, "2S 4D AH")


def test_melds_cost_the_more_while_a_kind_is_missing_that_an_opening_needs() -> None:
    """Rami 71 opens with a run and a set, both clean: 71 points of runs alone stay in the hand."""
    enough = "8C 9C TC JC QC 9D TD JD"
    runs, both = enough + " 4S 4H 2D", enough + " KS KH KD 2D"
    before = position(runs, "3D 4D 8S 8C", variant="rami-71")
    assert worth_of(before, runs) < -40
    assert worth_of(before, both) > 0


def test_nobody_closes_without_the_melds_that_a_closing_needs() -> None:
    """In Rami Simple sets alone close nothing."""
    here = position("KS", "3D", variant="rami-simple")
    assert worth_of(here, "KS KH KD QS QH QD 2C") < 0
    assert worth_of(here, "KS KH KD QS JS TS 2C") > 0
