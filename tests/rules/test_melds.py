"""Melds: what makes a set and what makes a run."""

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import LayMeld
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, draw, lay, lay_off


def holding(game: Game, hand: str, number: int = 2) -> Game:
    """Ann holds these cards and two more, one of them just drawn."""
    spare = [card for card in ("KC", "3D", "QS", "4C", "JD", "6C", "9S") if card not in hand.split()]
    return game.given_deal(number, ann=f"{hand} {spare[0]}", stock=spare[1]).after(draw())


def laid(game: Game, text: str) -> str:
    """Lay a meld: how it lies on the table."""
    game.when(lay(text))
    return game.melds[-1]


# -- the shape ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("meld.shape", "allows")
@pytest.mark.parametrize("text", ["8C 8D 8H", "5C 6C 7C", "8C 8D 8H 8S", "4S 5S 6S 7S 8S"])
def test_a_set_or_a_run_is_a_meld(crazy: Crazy, text: str) -> None:
    """Three of a rank or more, three in a row or more."""
    assert laid(holding(crazy(), text), text) == text


@pytest.mark.clause("meld.shape", "refuses")
@pytest.mark.parametrize(
    "text", ["8C 8D", "5C 6C", "8C", "AS AC AD 3S", "7S 8H 7D", "3C 5C 6C", "JS QS KS AC", "AC AD 3D"]
)
def test_two_cards_and_cards_that_do_not_belong_together_are_no_meld(crazy: Crazy, text: str) -> None:
    """Two of a rank, a gap, a stranger, half a set and half a run."""
    assert holding(crazy(), text).refuses(lay(text)).rule == "meld.shape"


def test_no_cards_and_what_is_no_card_are_no_meld(crazy: Crazy) -> None:
    """An empty meld is none; a rank that there is not makes no sense at all."""
    game = holding(crazy(), "8C 8D")
    assert game.refuses(LayMeld(())).rule == "meld.shape"
    assert game.refuses(LayMeld((Card("8C"), Card("8D"), Card("FD")))).code == "invalid"


# -- sets --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("set.size", "allows")
@pytest.mark.parametrize("text", ["QD QH QS", "8C 8D 8H 8S"])
def test_a_set_is_three_or_four_of_a_rank(crazy: Crazy, text: str) -> None:
    """Three queens, four eights."""
    assert laid(holding(crazy(), text), text) == text


@pytest.mark.clause("set.size", "refuses")
def test_a_set_never_has_a_fifth_card_not_even_a_wild(crazy: Crazy) -> None:
    """In deal eleven four kings take no jack, laid at once or later."""
    game = crazy().given_deal(11, ann="KC KH JC JD JS 2C 3C").after(draw())
    assert game.refuses(lay("KC KH JC=K JD=K JS=K")).rule == "meld.shape"
    game.when(lay("KC KH JC JD"))
    assert game.refuses(lay_off(1, "JS=K")).rule == "layoff.fits"


@pytest.mark.clause("set.size-two-packs", "allows")
def test_with_two_packs_a_set_may_have_eight_cards(crazy: Crazy) -> None:
    """All eight queens; and a set of seven takes a wild as the eighth."""
    game = holding(crazy(packs=2, hand_size=10), "QC QC QD QD QH QH QS QS")
    assert laid(game, "QC QC QD QD QH QH QS QS") == "QC QC QD QD QH QH QS QS"
    grown = holding(crazy(packs=2, hand_size=10), "QC QC QD QD QH QH QS 9C", 9)
    assert laid(grown, "QC QC QD QD QH QH QS 9C") == "QC QC QD QD QH QH QS 9C=Q"


@pytest.mark.clause("set.size-two-packs", "refuses")
def test_with_two_packs_a_ninth_card_is_refused(crazy: Crazy) -> None:
    """A wild does not make a ninth."""
    game = crazy(packs=2).given_deal(9, ann="9C 2C", table=["ann: QC QC QD QD QH QH QS QS"]).after(draw())
    assert game.refuses(lay_off(1, "9C=Q")).rule == "layoff.fits"


@pytest.mark.clause("set.size-limit", "allows")
def test_a_game_may_set_the_largest_set_itself(crazy: Crazy) -> None:
    """Where five are the most, a fifth is laid off."""
    game = crazy(packs=2, max_set_size=5).given_deal(2, ann="QC KD", table=["ann: QC QD QH QS"])
    game.after(draw(), lay_off(1, "QC"))
    assert game.melds == ["QC QD QH QS QC"]


@pytest.mark.clause("set.size-limit", "refuses")
@pytest.mark.parametrize("packs", [1, 2])
def test_a_set_larger_than_the_game_says_is_refused(crazy: Crazy, packs: int) -> None:
    """Where three are the most, four are refused; a largest set of two is no game."""
    game = crazy(packs=packs, max_set_size=3).given_deal(2, ann="QC QD QH QS KD").after(draw())
    assert game.refuses(lay("QC QD QH QS")).rule == "meld.shape"
    with pytest.raises(Refused):
        crazy(packs=packs, max_set_size=2)


@pytest.mark.clause("set.size-free", "allows")
def test_a_set_may_be_without_limit_where_a_game_says_so(crazy: Crazy) -> None:
    """A wild that stands for no card that there is: a fifth king in one pack."""
    game = crazy(max_set_size=None).given_deal(9, ann="9C 2C", table=["ann: KC KD KH KS"])
    game.after(draw(), lay_off(1, "9C=K"))
    assert game.melds == ["KC KD KH KS 9C=K"]


@pytest.mark.clause("set.size-free", "refuses")
def test_a_set_without_limit_still_needs_three_cards_of_one_rank(crazy: Crazy) -> None:
    """Two kings are none, and a queen does not belong."""
    game = crazy(max_set_size=None).given_deal(9, ann="KC KD QH 2C").after(draw())
    assert game.refuses(lay("KC KD")).rule == "meld.shape"
    assert game.refuses(lay("KC KD QH")).rule == "meld.shape"


@pytest.mark.clause("set.suits", "allows")
@pytest.mark.parametrize("house", [{}, {"packs": 2, "set_identical_cards": False}])
def test_the_natural_cards_of_a_set_are_of_different_suits(crazy: Crazy, house: dict[str, int]) -> None:
    """Three queens of three suits, and a wild beside two."""
    game = crazy(**house).given_deal(9, ann="QC QD QH KC KD 9C 2C").after(draw())
    game.after(lay("QC QD QH"), lay("KC KD 9C"))
    assert game.melds == ["QC QD QH", "KC KD 9C=K"]


@pytest.mark.clause("set.suits", "refuses")
@pytest.mark.parametrize("text", ["QD QD QH", "QD QH QD", "QH QD QD 9C=Q", "QC QD QH QH"])
def test_two_cards_of_one_suit_are_refused_in_a_set_and_a_wild_excuses_none(crazy: Crazy, text: str) -> None:
    """In whatever order they are given, and whether or not a wild lies beside them."""
    game = crazy(packs=2, set_identical_cards=False).given_deal(9, ann=f"{_cards(text)} 2C").after(draw())
    assert game.refuses(lay(text)).rule == "meld.shape"


@pytest.mark.clause("set.identical", "allows")
@pytest.mark.parametrize("house", [{}, {"set_identical_cards": True}])
@pytest.mark.parametrize("text", ["QD QD QH", "QD QD QH QH", "QC QC 9D=Q"])
def test_with_two_packs_a_set_may_hold_both_copies_of_a_card(
    crazy: Crazy, house: dict[str, bool], text: str
) -> None:
    """Two queens of diamonds and one of hearts."""
    game = crazy(packs=2, **house).given_deal(9, ann=f"{_cards(text)} 2C").after(draw())
    assert laid(game, text) == text


@pytest.mark.clause("set.identical", "refuses")
def test_with_one_pack_no_set_holds_a_card_twice(crazy: Crazy) -> None:
    """Whoever has one queen of diamonds cannot lay it twice; nor is it added to a set that holds its copy."""
    game = crazy().given_deal(2, ann="QD QH KC").after(draw())
    assert game.refuses(lay("QD QD QH")).rule == "card.held"
    strict = crazy(packs=2, set_identical_cards=False).given_deal(2, ann="QD KC", table=["ann: QC QD QH"])
    assert strict.after(draw()).refuses(lay_off(1, "QD")).rule == "layoff.fits"


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("run.suit", "allows")
@pytest.mark.clause("run.order", "allows")
@pytest.mark.parametrize("text", ["2C 3C 4C", "TD JD QD KD", "8C 9C TC", "AH 2H 3H 4H"])
def test_a_run_is_consecutive_cards_of_one_suit(crazy: Crazy, text: str) -> None:
    """From ace to king, over nine and ten, over the court cards."""
    assert laid(holding(crazy(), text, number=6), text) == text


@pytest.mark.clause("run.suit", "refuses")
@pytest.mark.parametrize("text", ["3S 4H 5S", "3S 4S 6S", "JS QS KS AC", "3S 4S 4S"])
def test_another_suit_a_gap_and_a_repeated_card_make_no_run(crazy: Crazy, text: str) -> None:
    """Two packs, so that the same card can be held twice."""
    assert holding(crazy(packs=2), text, number=13).refuses(lay(text)).rule == "meld.shape"


@pytest.mark.clause("run.order", "refuses")
@pytest.mark.parametrize("text", ["9C JC QC", "TC QC KC", "2C 4C 5C", "9C TC QC"])
def test_no_rank_is_left_out_of_a_run(crazy: Crazy, text: str) -> None:
    """After the nine comes the ten, then jack, queen and king."""
    assert holding(crazy(), text, number=6).refuses(lay(text)).rule == "meld.shape"


def test_a_run_given_in_any_order_lies_from_low_to_high(crazy: Crazy) -> None:
    """King, queen, jack and ten are laid as ten to king."""
    assert laid(holding(crazy(), "KH QH JH TH"), "KH QH JH TH") == "TH JH QH KH"


@pytest.mark.clause("run.mixed", "allows")
def test_runs_of_mixed_suits_may_be_allowed(crazy: Crazy) -> None:
    """Three of spades, four of hearts, five of spades; the two of hearts goes on below."""
    game = crazy(runs_any_suit=True).given_deal(9, ann="3S 4H 5S 2H KC").after(draw())
    game.after(lay("3S 4H 5S"), lay_off(1, "2H"))
    assert game.melds == ["2H 3S 4H 5S"]


@pytest.mark.clause("run.mixed", "refuses")
def test_a_run_of_mixed_suits_still_has_no_gap(crazy: Crazy) -> None:
    """Three, four and six are no run of any suits."""
    game = crazy(runs_any_suit=True).given_deal(9, ann="3S 4H 6S 2H KC").after(draw())
    assert game.refuses(lay("3S 4H 6S")).rule == "meld.shape"


@pytest.mark.clause("run.length", "allows")
@pytest.mark.parametrize(
    ("least", "text"), [(3, "5C 6C 7C"), (4, "5C 6C 7C 8C"), (3, "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")]
)
def test_a_run_has_three_cards_or_four_where_a_game_says_so_and_up_to_thirteen(
    crazy: Crazy, least: int, text: str
) -> None:
    """The longest goes from ace to king."""
    game = crazy(min_run_length=least, hand_size=14, seats=2).given_deal(3, ann=f"{text} KC 4D").after(draw())
    assert laid(game, text) == text


@pytest.mark.clause("run.length", "refuses")
def test_a_shorter_run_and_a_fourteenth_card_are_refused(crazy: Crazy) -> None:
    """Three cards where four are needed; two where three are; and nothing goes on after all thirteen."""
    game = crazy(min_run_length=4).given_deal(2, ann="5C 6C 7C KC").after(draw())
    assert game.refuses(lay("5C 6C 7C")).rule == "meld.shape"
    full = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    long = crazy(ace_in_runs="around_corner", packs=2).given_deal(9, ann="AS 9D KC", table=[f"ann: {full}"])
    long.when(draw())
    assert long.refuses(lay_off(1, "AS")).rule == "layoff.fits"
    assert long.refuses(lay_off(1, "9D")).rule == "layoff.fits"


@pytest.mark.clause("run.ace", "allows")
def test_the_ace_is_low_in_a_run(crazy: Crazy) -> None:
    """Ace, two, three, four."""
    assert laid(holding(crazy(), "AH 2H 3H 4H", number=6), "AH 2H 3H 4H") == "AH 2H 3H 4H"


@pytest.mark.clause("run.ace", "refuses")
@pytest.mark.parametrize("text", ["QH KH AH", "KH AH 2H", "AH 2H 3H KH"])
def test_a_run_may_not_turn_the_corner_nor_end_with_the_ace(crazy: Crazy, text: str) -> None:
    """Queen, king, ace and king, ace, two are no runs, nor is a king laid off below the ace."""
    assert holding(crazy(), text, number=6).refuses(lay(text)).rule == "meld.shape"
    game = crazy().given_deal(6, ann="KH AS QC", table=["ann: AH 2H 3H", "ann: JS QS KS"]).after(draw())
    assert game.refuses(lay_off(1, "KH")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "AS")).rule == "layoff.fits"


@pytest.mark.clause("run.ace-both", "allows")
def test_the_ace_may_be_low_or_high_where_a_game_says_so(crazy: Crazy) -> None:
    """Ace, two, three as well as queen, king, ace; and an ace is laid off above the king."""
    game = crazy(ace_in_runs="low_or_high").given_deal(6, ann="QH KH AH AS QC", table=["ann: JS QS KS"])
    game.after(draw(), lay("QH KH AH"), lay_off(1, "AS"))
    assert game.melds == ["JS QS KS AS", "QH KH AH"]


@pytest.mark.clause("run.ace-both", "refuses")
def test_the_ace_is_not_low_and_high_at_once(crazy: Crazy) -> None:
    """King, ace, two are no run, and nothing goes on above a high ace or below a low one."""
    game = crazy(ace_in_runs="low_or_high").given_deal(
        6, ann="KC AC 2C 2S KH QC", table=["ann: QS KS AS", "ann: AH 2H 3H"]
    )
    game.when(draw())
    assert game.refuses(lay("KC AC 2C")).rule == "meld.shape"
    assert game.refuses(lay_off(1, "2S")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "KH")).rule == "layoff.fits"


@pytest.mark.clause("run.ace-around", "allows")
@pytest.mark.parametrize("text", ["KH AH 2H", "QH KH AH 2H 3H"])
def test_a_run_may_turn_the_corner_where_a_game_says_so(crazy: Crazy, text: str) -> None:
    """King, ace, two."""
    assert laid(holding(crazy(ace_in_runs="around_corner"), text, number=6), text) == text


@pytest.mark.clause("run.ace-around", "refuses")
def test_a_run_that_turns_the_corner_leaves_nothing_out_there(crazy: Crazy) -> None:
    """King and two are no neighbours, whatever the ace may do."""
    game = holding(crazy(ace_in_runs="around_corner"), "QH KH 2H", number=6)
    assert game.refuses(lay("QH KH 2H")).rule == "meld.shape"


# -- saying what cards stand for ---------------------------------------------------------------------------------------


@pytest.mark.clause("meld.declare", "allows")
@pytest.mark.parametrize("text", ["5H 6H 9C=7H", "9C=4H 5H 6H"])
def test_whoever_says_what_a_wild_stands_for_may_choose(crazy: Crazy, text: str) -> None:
    """Five, six and a nine: four to six, or five to seven."""
    assert laid(holding(crazy(), "5H 6H 9C", number=9), text) == text


@pytest.mark.clause("meld.declare", "refuses")
@pytest.mark.parametrize(
    ("number", "text"), [(9, "5H 6H 9C"), (3, "JD 3D 3S"), (9, "KH 9C 9D"), (9, "9C 9D 9H")]
)
def test_cards_with_more_than_one_meaning_are_refused_undeclared(
    crazy: Crazy, number: int, text: str
) -> None:
    """Two places, or a set as well as runs."""
    assert holding(crazy(), text, number).refuses(lay(text)).rule == "meld.declare"


@pytest.mark.clause("meld.declare", "refuses")
def test_a_wild_that_could_go_to_either_end_of_a_run_is_refused_undeclared(crazy: Crazy) -> None:
    """Below or above: the player says which, by its meaning or by the end."""
    game = crazy().given_deal(9, ann="9C 9D KC 2C", table=["ann: 5H 6H 7H"]).after(draw())
    assert game.refuses(lay_off(1, "9C")).rule == "meld.declare"
    game.after(lay_off(1, "9C", end="low"), lay_off(1, "9D=8H"))
    assert game.melds == ["9C=4H 5H 6H 7H 9D=8H"]


@pytest.mark.clause("meld.unambiguous", "allows")
@pytest.mark.parametrize(
    ("number", "text", "lies"),
    [
        (7, "7C TC TH", "TC TH 7C=T"),
        (9, "5H 9C 7H", "5H 9C=6H 7H"),
        (9, "5H 9C 9D 8H", "5H 9C=6H 9D=7H 8H"),
        (7, "AH 2H 7S", "AH 2H 7S=3H"),
        (9, "QS KS 9C", "9C=JS QS KS"),
        (11, "KC KH JC JD", "KC KH JC=K JD=K"),
    ],
)
def test_one_meaning_needs_no_word(crazy: Crazy, number: int, text: str, lies: str) -> None:
    """Two naturals of a rank, inner gaps, and a run at the ace or the king."""
    assert laid(holding(crazy(), text, number), text) == lies


@pytest.mark.clause("meld.unambiguous", "refuses")
def test_a_false_word_about_a_single_meaning_is_refused(crazy: Crazy) -> None:
    """What is said is held to, even where nothing need be said."""
    game = holding(crazy(), "AH 2H 7S", number=7)
    assert game.refuses(lay("AH 2H 7S=KH")).rule == "meld.shape"
    assert game.refuses(lay("AH 2H 7S=3C")).rule == "meld.shape"


@pytest.mark.clause("meld.fixed", "allows")
def test_a_meld_grows_and_stays_where_it_lies(crazy: Crazy) -> None:
    """Cards are added; the earlier ones are where they were."""
    game = crazy().given_deal(2, ann="4C 8C KD", table=["bea: 5C 6C 7C", "ann: QC QD QH"]).after(draw())
    game.after(lay_off(1, "4C"), lay_off(1, "8C"))
    assert game.melds == ["4C 5C 6C 7C 8C", "QC QD QH"]


@pytest.mark.clause("meld.fixed", "refuses")
def test_cards_on_the_table_are_neither_taken_up_nor_used_in_another_meld(crazy: Crazy) -> None:
    """The seven of clubs lies in a run: it makes no set with the player's sevens, and two runs are not joined."""
    game = crazy().given_deal(2, ann="7D 7H 8C KD", table=["ann: 5C 6C 7C", "ann: 9C TC JC"]).after(draw())
    assert game.refuses(lay("7C 7D 7H")).rule == "card.held"
    game.when(lay_off(1, "8C"))
    assert game.melds == ["5C 6C 7C 8C", "9C TC JC"]
    assert game.refuses(lay_off(1, "9C")).rule == "card.held"


def _cards(text: str) -> str:
    return " ".join(word.partition("=")[0] for word in text.split())
