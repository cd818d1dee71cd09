"""Scoring: what the cards left in hand count."""

from collections.abc import Callable

import pytest
from tests.rules.support import Crazy, about_to_go_out, go_out, scored

from meldlog_contracts.problems import Refused
from meldlog_service.testing import discard, draw, lay_off

Count = Callable[..., int]


@pytest.fixture
def count(crazy: Crazy) -> Count:
    """What bea's hand counts when ann goes out: ``count("KH 7C", 9, wild_penalty=15)``."""

    def of_hand(hand: str, number: int = 9, **house: object) -> int:
        return go_out(about_to_go_out(crazy(**house), number, bea=hand)).points[1]

    return of_hand


@pytest.mark.clause("score.hand", "allows")
def test_every_card_left_in_a_hand_counts_even_a_complete_meld(count: Count) -> None:
    """Three eights that were kept, and a two."""
    assert count("8C 8D 8H 2C", 5) == 26


@pytest.mark.clause("score.hand", "refuses")
def test_cards_on_the_table_do_not_count(crazy: Crazy) -> None:
    """Bea's queens lie there; only her three is counted."""
    game = crazy().given_deal(2, ann="9S TS", bea="3C", table=["bea: QC QD QH", "ann: 6S 7S 8S"], stock="KD")
    game.after(draw(), lay_off(2, "9S TS"))
    assert scored(game.when(discard("KD"))).points[1] == 3


@pytest.mark.clause("score.wild", "allows")
def test_a_wild_in_hand_counts_twenty_five(count: Count) -> None:
    """A nine in the ninth deal; an ace, a two and a king in theirs."""
    assert count("9C", 9) == 25
    assert count("AC", 1) == 25
    assert count("2C", 2) == 25
    assert count("KC", 13) == 25


@pytest.mark.clause("score.wild", "allows")
@pytest.mark.parametrize("penalty", [15, 20, 0])
def test_a_game_may_count_a_wild_otherwise(count: Count, penalty: int) -> None:
    """Fifteen or twenty instead."""
    assert count("9C 9D", 9, wild_penalty=penalty) == 2 * penalty


@pytest.mark.clause("score.wild", "refuses")
def test_a_card_counts_as_a_wild_only_in_its_own_deal(count: Count) -> None:
    """A nine in the tenth deal counts nine; and a wild does not count less than nothing."""
    assert count("9C", 10) == 9
    with pytest.raises(Refused):
        count("9C", 10, wild_penalty=-1)


@pytest.mark.clause("score.ace", "allows")
@pytest.mark.parametrize(("house", "points"), [({}, 1), ({"ace_value": 15}, 15)])
def test_an_ace_in_hand_counts_one_or_what_the_game_says(
    count: Count, house: dict[str, int], points: int
) -> None:
    """One, where nothing else is said."""
    assert count("AC", 9, **house) == points


@pytest.mark.clause("score.ace", "refuses")
def test_a_wild_ace_does_not_count_one(count: Count) -> None:
    """In the first deal it is a wild, whatever aces count."""
    assert count("AC", 1) == 25
    assert count("AC", 1, ace_value=15) == 25


@pytest.mark.clause("score.ace-eleven", "allows")
def test_an_ace_that_is_one_or_eleven_counts_eleven_in_hand(count: Count) -> None:
    """Where the game knows both."""
    assert count("AC", 9, ace_value="one_or_eleven") == 11


@pytest.mark.clause("score.ace-eleven", "refuses")
def test_an_ace_that_is_one_or_eleven_does_not_count_one_in_hand(count: Count) -> None:
    """Not even beside the two and the three that would make a run with it."""
    assert count("AC 2C 3C", 9, ace_value="one_or_eleven") == 16


@pytest.mark.clause("score.pips", "allows")
@pytest.mark.parametrize(("card", "points"), [(f"{rank}C", int(rank)) for rank in "2345678"] + [("TC", 10)])
def test_a_number_card_in_hand_counts_its_number(count: Count, card: str, points: int) -> None:
    """Two to eight, and ten."""
    assert count(card, 9) == points


@pytest.mark.clause("score.pips", "refuses")
def test_a_number_card_of_the_wild_rank_does_not_count_its_number(count: Count) -> None:
    """The two in the second deal."""
    assert count("2C 3C", 2) == 28


@pytest.mark.clause("score.court", "allows")
@pytest.mark.parametrize("card", ["JC", "QC", "KC"])
def test_a_court_card_in_hand_counts_ten(count: Count, card: str) -> None:
    """Jack, queen and king."""
    assert count(card, 9) == 10


@pytest.mark.clause("score.court", "refuses")
def test_a_court_card_counts_no_more_than_ten_unless_a_game_says_so(count: Count) -> None:
    """All three together are thirty; a wild one is a wild."""
    assert count("JC QC KC", 9) == 30
    assert count("JC QC KC", 11) == 45


@pytest.mark.clause("score.court-11-12-13", "allows")
def test_court_cards_may_count_eleven_twelve_and_thirteen(count: Count) -> None:
    """Jack, queen, king."""
    assert [count(card, 9, court_values="11_12_13") for card in ("JC", "QC", "KC")] == [11, 12, 13]


@pytest.mark.clause("score.court-11-12-13", "refuses")
def test_dearer_court_cards_change_no_other_card_and_not_the_wild(count: Count) -> None:
    """A ten is ten, and a wild king twenty-five."""
    assert count("TC", 9, court_values="11_12_13") == 10
    assert count("KC", 13, court_values="11_12_13") == 25


@pytest.mark.clause("score.five-ten", "allows")
@pytest.mark.parametrize(("hand", "points"), [("AC 2C 7C 8C", 20), ("TC JC QC KC", 40), ("9C", 10)])
def test_simple_values_are_five_and_ten(count: Count, hand: str, points: int) -> None:
    """Ace to eight five, nine to king ten."""
    assert count(hand, 5, value_table="five_ten") == points


@pytest.mark.clause("score.five-ten", "refuses")
def test_simple_values_do_not_hold_for_wilds(count: Count) -> None:
    """Five, five, ten, ten and a wild: fifty-five."""
    assert count("AC 8C 9C KC 5C", 5, value_table="five_ten") == 55


@pytest.mark.clause("score.joker", "allows")
@pytest.mark.parametrize(("house", "points"), [({}, 50), ({"joker_penalty": 30}, 30)])
def test_a_printed_joker_in_hand_counts_fifty_or_what_the_game_says(
    count: Count, house: dict[str, int], points: int
) -> None:
    """Fifty, where nothing else is said."""
    assert count("JK", 9, printed_jokers=1, **house) == points


@pytest.mark.clause("score.joker", "refuses")
def test_a_printed_joker_does_not_count_as_a_wild_card_of_the_deal(count: Count) -> None:
    """Neither the wild's penalty nor a jack's ten."""
    assert count("JK 9C", 9, printed_jokers=1, wild_penalty=15) == 65
    assert count("JK", 11, printed_jokers=1) == 50


@pytest.mark.clause("score.double", "allows")
@pytest.mark.parametrize("number", [7, 13])
def test_penalties_may_count_double_when_sevens_or_kings_are_wild(count: Count, number: int) -> None:
    """A three and a queen: twenty-six instead of thirteen."""
    assert count("3C QC", number, double_when_7_or_K_wild=True) == 26


@pytest.mark.clause("score.double", "refuses")
@pytest.mark.parametrize(("number", "house"), [(6, True), (8, True), (12, True), (7, False), (13, False)])
def test_no_other_deal_counts_double(count: Count, number: int, house: bool) -> None:
    """Nor these two, where the game does not say so."""
    assert count("3C JC", number, double_when_7_or_K_wild=house) == 13


@pytest.mark.clause("score.total", "allows")
def test_the_points_of_all_deals_are_added_up(crazy: Crazy) -> None:
    """Forty, thirty and ten before; three and four more."""
    game = about_to_go_out(crazy(), bea="3C", cyd="4C", totals=(40, 30, 10))
    go_out(game)
    assert game.table.totals == (40, 33, 14)
    assert game.table.scores[-1] == (0, 3, 4)


@pytest.mark.clause("score.total", "refuses")
def test_a_total_is_not_changed_by_anything_but_a_scored_deal(crazy: Crazy) -> None:
    """Drawing, melding and discarding cost nothing by themselves."""
    game = about_to_go_out(crazy(), bea="3C", cyd="4C", totals=(40, 30, 10)).after(
        draw(), lay_off(1, "9S TS")
    )
    assert game.table.totals == (40, 30, 10)
