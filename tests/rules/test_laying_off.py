"""Laying off: adding cards to melds on the table."""

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import LayOff
from meldlog_contracts.events import CardLaidOff
from meldlog_service.testing import all_of, draw, lay_off, take_back


@pytest.mark.clause("layoff.meld", "allows")
def test_cards_are_laid_off_on_any_meld_whoever_laid_it(crazy: Crazy) -> None:
    """On one's own, on bea's and on cyd's."""
    table = ["cyd: QC QD QH", "ann: 5C 6C 7C", "bea: 2S 3S 4S"]
    game = crazy().given_deal(9, ann="QS 8C 5S KD", table=table).after(draw())
    game.after(lay_off(1, "QS"), lay_off(2, "8C"), lay_off(3, "5S"))
    assert game.melds == ["QC QD QH QS", "5C 6C 7C 8C", "2S 3S 4S 5S"]


@pytest.mark.clause("layoff.meld", "refuses")
def test_nothing_is_laid_off_on_a_meld_that_is_not_there(crazy: Crazy) -> None:
    """Meld two, where one lies; and no wild is taken back from it either."""
    game = crazy().given_deal(9, ann="8C KD", table=["ann: 5C 6C 7C"]).after(draw())
    assert game.refuses(lay_off(2, "8C")).rule == "layoff.meld"
    assert game.refuses(take_back(2, "9C", "8C")).rule == "layoff.meld"


@pytest.mark.clause("layoff.fits", "allows")
@pytest.mark.parametrize(
    ("text", "lies"),
    [
        ("4S", "4S 5S 6S 7S 8S"),
        ("9S", "5S 6S 7S 8S 9S"),
        ("9S TS", "5S 6S 7S 8S 9S TS"),
        ("4S 9S", "4S 5S 6S 7S 8S 9S"),
    ],
)
def test_a_run_goes_on_at_both_ends(crazy: Crazy, text: str, lies: str) -> None:
    """One card or several, below and above."""
    game = crazy().given_deal(2, ann=f"{text} KD", table=["ann: 5S 6S 7S 8S"]).after(draw(), lay_off(1, text))
    assert game.melds == [lies]


@pytest.mark.clause("layoff.fits", "refuses")
@pytest.mark.parametrize("card", ["TS", "9H", "3S", "KD", "6D"])
def test_a_card_that_is_no_neighbour_does_not_fit_a_run(crazy: Crazy, card: str) -> None:
    """A gap, another suit, a stranger."""
    game = crazy().given_deal(2, ann=f"{card} QD", table=["ann: 5S 6S 7S 8S"]).after(draw())
    assert game.refuses(lay_off(1, card)).rule == "layoff.fits"


@pytest.mark.clause("layoff.fits", "refuses")
def test_a_copy_of_a_card_in_the_run_does_not_fit(crazy: Crazy) -> None:
    """With two packs the other six of spades has no place there."""
    game = crazy(packs=2).given_deal(2, ann="6S QD", table=["ann: 5S 6S 7S 8S"]).after(draw())
    assert game.refuses(lay_off(1, "6S")).rule == "layoff.fits"


def test_a_laid_off_card_is_a_place_for_the_next(crazy: Crazy) -> None:
    """The seven and then the eight, in two commands or in one, or in a list."""
    for commands in (
        (lay_off(1, "7S"), lay_off(1, "8S")),
        (lay_off(1, "7S 8S"),),
        (lay_off(1, "8S 7S"),),
        (all_of(lay_off(1, "7S"), lay_off(1, "8S")),),
    ):
        game = crazy().given_deal(2, ann="7S 8S QD", table=["ann: 4S 5S 6S"]).after(draw())
        for command in commands:
            game.when(command)
        assert game.melds == ["4S 5S 6S 7S 8S"]


def test_the_second_card_does_not_go_before_the_first(crazy: Crazy) -> None:
    """The eight alone leaves a gap."""
    game = crazy().given_deal(2, ann="7S 8S QD", table=["ann: 4S 5S 6S"]).after(draw())
    assert game.refuses(all_of(lay_off(1, "8S"), lay_off(1, "7S"))).rule == "layoff.fits"


@pytest.mark.clause("layoff.fits", "allows")
def test_the_fourth_card_of_a_rank_joins_a_set_of_three(crazy: Crazy) -> None:
    """The nine of spades."""
    game = crazy().given_deal(2, ann="9S QD", table=["ann: 9C 9D 9H"]).after(draw())
    assert game.when(lay_off(1, "9S")) == (CardLaidOff(0, 1, None, cards("9S"), cards("9S")),)


@pytest.mark.clause("layoff.fits", "refuses")
def test_nothing_joins_a_full_set_and_a_set_has_no_ends(crazy: Crazy) -> None:
    """A fifth king is wild or none; and a card is not laid off at the low end of a set."""
    game = (
        crazy().given_deal(9, ann="9S QS QD 3C", table=["ann: KC KD KH KS", "ann: QC QH 9D=Q"]).after(draw())
    )
    assert game.refuses(lay_off(1, "9S=K")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "QS", end="low")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "3C")).rule == "layoff.fits"


def test_a_card_that_fits_two_melds_goes_where_its_player_says(crazy: Crazy) -> None:
    """The nine of spades is the fourth nine as well as the run's next card."""
    for meld, lies in ((1, ["9C 9D 9H 9S", "6S 7S 8S"]), (2, ["9C 9D 9H", "6S 7S 8S 9S"])):
        game = crazy().given_deal(2, ann="9S QD", table=["ann: 9C 9D 9H", "bea: 6S 7S 8S"]).after(draw())
        game.when(lay_off(meld, "9S"))
        assert game.melds == lies


def test_a_wild_laid_off_stands_for_what_its_player_says(crazy: Crazy) -> None:
    """At the low end of jack, queen, king it opens the place for the nine."""
    game = crazy().given_deal(4, ann="4D 9S QD", table=["ann: JS QS KS"]).after(draw())
    game.after(lay_off(1, "4D"), lay_off(1, "9S"))
    assert game.melds == ["9S 4D=TS JS QS KS"]


def test_several_wilds_lie_as_they_are_declared(crazy: Crazy) -> None:
    """Two nines, one below and one above, or both above in either order."""
    for text, lies in (
        ("9C=4H 9D=8H", "9C=4H 5H 6H 7H 9D=8H"),
        ("9D=4H 9C=8H", "9D=4H 5H 6H 7H 9C=8H"),
        ("9C=8H 9D=9H", "5H 6H 7H 9C=8H 9D=9H"),
        ("9D=8H 9C=9H", "5H 6H 7H 9D=8H 9C=9H"),
        ("9C=9H 9D=8H", "5H 6H 7H 9D=8H 9C=9H"),
    ):
        game = crazy().given_deal(9, ann="9C 9D QD", table=["ann: 5H 6H 7H"]).after(draw(), lay_off(1, text))
        assert game.melds == [lies]


def test_a_false_declaration_is_refused(crazy: Crazy) -> None:
    """A place that is not there, a card that is not wild, a meaning of another rank in a set."""
    game = crazy().given_deal(9, ann="9C 8H QD", table=["ann: 5H 6H 7H", "ann: KC KD KH"]).after(draw())
    for meld, text in ((1, "9C=9H"), (1, "8H=4H"), (1, "9C=8D"), (2, "9C=Q"), (2, "9C=QS")):
        assert game.refuses(lay_off(meld, text)).rule == "layoff.fits"


def test_a_declaration_speaks_of_each_card(crazy: Crazy) -> None:
    """One meaning for two cards, or a meaning that is no card, makes no sense."""
    game = crazy().given_deal(9, ann="9C 8H QD", table=["ann: 5H 6H 7H"]).after(draw())
    assert game.refuses(LayOff(1, cards("8H 9C"), cards("8H"))).code == "invalid"
    assert game.refuses(LayOff(1, cards("9C"), (Card("Z9"),))).code == "invalid"
    assert game.refuses(LayOff(1, ())).code == "invalid"
