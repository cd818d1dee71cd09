"""Wild cards: which they are, what they stand for, and how many a meld may hold."""

from typing import Any

import pytest
from tests.rules.options_for_tests import DealerNames
from tests.rules.support import Crazy

from meldlog_contracts.cards import RANKS, cards
from meldlog_contracts.commands import NameWild
from meldlog_contracts.events import MeldLaid, TurnPassed, WildNamed
from meldlog_contracts.problems import Refused
from meldlog_service.testing import discard, draw, lay, lay_off, meld_of, take_back

# -- which they are ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.sequence", "allows")
@pytest.mark.parametrize(("number", "rank"), [*enumerate(RANKS, 1)])
def test_the_wild_rank_climbs_from_ace_to_king(crazy: Crazy, number: int, rank: str) -> None:
    """Aces in the first deal, twos in the second … kings in the thirteenth."""
    assert crazy().given_deal(number).table.deal.wild == (rank,)


@pytest.mark.clause("wild.sequence", "refuses")
def test_no_other_rank_is_wild(crazy: Crazy) -> None:
    """In the seventh deal an ace stands for nothing but itself."""
    game = crazy().given_deal(7, ann="KD KH AS 2C").after(draw())
    assert game.refuses(lay("KD KH AS")).rule == "meld.shape"


@pytest.mark.clause("wild.sequence-two-to-king", "allows")
@pytest.mark.clause("wild.sequence-two-to-ace", "allows")
@pytest.mark.clause("wild.sequence-king-to-ace", "allows")
@pytest.mark.clause("wild.sequence-ace-to-ace", "allows")
@pytest.mark.parametrize(
    ("sequence", "ranks"),
    [
        ("two_to_king", "23456789TJQK"),
        ("two_to_ace", "23456789TJQKA"),
        ("king_to_ace", "KQJT98765432A"),
        ("ace_to_ace", "A23456789TJQKA"),
    ],
)
def test_the_wild_ranks_may_come_in_another_order(crazy: Crazy, sequence: str, ranks: str) -> None:
    """From two to king, or on to the ace; down from the king; from ace to ace."""
    game = crazy(wild_sequence=sequence).given_deal(len(ranks))
    assert "".join(rank for (rank,) in game.table.wilds) == ranks


@pytest.mark.clause("wild.sequence-two-to-king", "refuses")
@pytest.mark.clause("wild.sequence-two-to-ace", "refuses")
@pytest.mark.clause("wild.sequence-king-to-ace", "refuses")
def test_in_another_order_aces_are_not_wild_in_the_first_deal(crazy: Crazy) -> None:
    """What is laid with an ace as a king in deal one of the usual game is no meld there."""
    hand: dict[str, Any] = {"ann": "QD QH AS 3C"}
    assert crazy().given_deal(1, **hand).after(draw()).allows(lay("QD QH AS=Q"))
    for sequence in ("two_to_king", "two_to_ace", "king_to_ace"):
        game = crazy(wild_sequence=sequence).given_deal(1, **hand).after(draw())
        assert game.refuses(lay("QD QH AS=Q")).rule == "meld.shape"


@pytest.mark.clause("wild.sequence-ace-to-ace", "refuses")
def test_from_ace_to_ace_kings_are_not_the_last_wilds(crazy: Crazy) -> None:
    """In the fourteenth deal a king is a king."""
    game = crazy(wild_sequence="ace_to_ace").given_deal(14, ann="QD QH KS 3C").after(draw())
    assert game.refuses(lay("QD QH KS=Q")).rule == "meld.shape"


@pytest.mark.clause("wild.named-first", "allows")
def test_the_dealer_names_the_wild_rank_before_the_first_turn_where_a_rule_says_so(crazy: Crazy) -> None:
    """The dealer is on turn, names nines, and the starter begins."""
    game = crazy("dealer-names", plugins=[DealerNames()]).given_start()
    deal = game.table.deal
    assert (deal.turn.phase, deal.turn.seat) == ("naming_wild", deal.dealer)
    assert game.when(NameWild(rank="9")) == (
        WildNamed(deal.dealer, ("9",)),
        TurnPassed(deal.starter, None, "play"),
    )


@pytest.mark.clause("wild.named-first", "refuses")
def test_nothing_is_played_before_the_wild_rank_is_named_and_nobody_names_it_otherwise(crazy: Crazy) -> None:
    """The dealer cannot draw or discard first; in the plain game there is nothing to name."""
    game = crazy("dealer-names", plugins=[DealerNames()]).given_start()
    assert game.refuses(draw()).rule == "wild.named-first"
    assert game.refuses(discard(game.table.hand(game.table.deal.dealer)[0])).rule == "wild.named-first"
    plain = crazy().given_deal(2)
    assert plain.refuses(NameWild(rank="9")).rule == "wild.named-first"


@pytest.mark.clause("wild.rank", "allows")
@pytest.mark.parametrize("wild", ["9C", "9D", "9H", "9S"])
@pytest.mark.parametrize("text", ["5H 6H {}=7H", "5H {}=6H 7H", "{}=4H 5H 6H", "KC KD {}=K"])
def test_a_wild_of_any_suit_may_stand_for_any_card(crazy: Crazy, wild: str, text: str) -> None:
    """In the ninth deal each nine does for a heart in a run and for a king in a set."""
    game = crazy().given_deal(9, ann=f"5H 6H 7H KC KD {wild} 2C").after(draw())
    game.when(lay(text.format(wild)))
    assert game.melds == [text.format(wild)]


@pytest.mark.clause("wild.rank", "refuses")
def test_a_card_that_is_not_of_the_wild_rank_stands_for_itself_alone(crazy: Crazy) -> None:
    """In the ninth deal an eight cannot be said to be a seven."""
    game = crazy().given_deal(9, ann="5H 6H 8C 2C").after(draw())
    assert game.refuses(lay("5H 6H 8C=7H")).rule == "meld.shape"
    assert game.refuses(lay("8C=7H 6H 5H")).rule == "meld.shape"


# -- what they stand for -----------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.one-card", "allows")
def test_the_order_on_the_table_shows_what_a_wild_of_a_run_stands_for(crazy: Crazy) -> None:
    """Declared in any order, the run lies from low to high; a set's wild has no suit."""
    game = crazy().given_deal(9, ann="5H 6H 9C QS QH 9S 2C").after(draw())
    assert game.when(lay("9C=7H 6H 5H")) == (MeldLaid(0, 1, "run", cards("5H 6H 9C"), cards("5H 6H 7H")),)
    assert game.when(lay("9S=Q QH QS")) == (
        MeldLaid(0, 2, "set", cards("QH QS 9S"), meld_of("QH QS 9S=Q")[1]),
    )


@pytest.mark.clause("wild.one-card", "refuses")
def test_a_wild_of_a_run_stands_for_no_second_card_and_needs_its_suit(crazy: Crazy) -> None:
    """One wild does not fill two gaps, and "a seven" of no suit is no card of a run."""
    game = crazy().given_deal(9, ann="5H 8H 9C 6H 2C").after(draw())
    assert game.refuses(lay("5H 9C 8H")).rule == "meld.shape"
    assert game.refuses(lay("5H 6H 9C=7")).rule == "meld.shape"


@pytest.mark.clause("wild.fixed", "allows")
def test_a_wild_keeps_its_meaning_and_the_run_goes_on_from_there(crazy: Crazy) -> None:
    """The nine that stands for the seven of hearts is followed by the eight."""
    game = crazy().given_deal(9, ann="8H 3C KD", table=["ann: 5H 6H 9C=7H"]).after(draw(), lay_off(1, "8H"))
    assert game.melds == ["5H 6H 9C=7H 8H"]


@pytest.mark.clause("wild.fixed", "refuses")
def test_a_wild_on_the_table_never_comes_to_mean_another_card(crazy: Crazy) -> None:
    """It does not move up to make room for the seven, nor down so that the three fits."""
    game = crazy().given_deal(9, ann="7H 3H KD", table=["ann: 5H 6H 9C=7H"]).after(draw())
    assert game.refuses(lay_off(1, "7H")).rule == "layoff.fits"
    assert game.refuses(lay_off(1, "3H")).rule == "layoff.fits"


@pytest.mark.clause("wild.itself", "allows")
def test_a_card_of_the_wild_rank_in_its_own_place_is_natural(crazy: Crazy) -> None:
    """9C TC JC in the ninth deal is a run without wilds, so that even a game of no wilds would allow it."""
    game = crazy(min_naturals_per_meld=3).given_deal(9, ann="9C TC JC KD 2H").after(draw(), lay("9C TC JC"))
    assert game.melds == ["9C TC JC"]


@pytest.mark.clause("wild.itself", "refuses")
def test_a_card_of_the_wild_rank_in_its_own_place_is_not_taken_back(crazy: Crazy) -> None:
    """There is no natural card to give for it."""
    game = crazy().given_deal(9, ann="9D KD 2H", table=["ann: 9C TC JC"]).after(draw())
    assert game.refuses(take_back(1, "9C", "KD")).rule == "reclaim.wild"
    assert game.refuses(take_back(1, "9C", "9D")).rule == "reclaim.wild"


@pytest.mark.clause("wild.elsewhere", "allows")
def test_a_wild_may_stand_for_a_card_that_lies_elsewhere(crazy: Crazy) -> None:
    """The seven of hearts lies in bea's set, the eight is in the player's own hand."""
    game = crazy().given_deal(9, ann="5H 6H 9C 9D 8H 2C", table=["bea: 7C 7D 7H"]).after(draw())
    game.when(lay("5H 6H 9C=7H 9D=8H"))
    assert game.melds[1] == "5H 6H 9C=7H 9D=8H"


@pytest.mark.clause("wild.elsewhere", "refuses")
def test_a_wild_does_not_stand_for_a_card_that_the_same_meld_holds(crazy: Crazy) -> None:
    """A run holds no card twice, and a set of four kings has no place for a fifth."""
    game = crazy().given_deal(9, ann="5H 6H 7H 9C KC KD KH KS 2C").after(draw())
    assert game.refuses(lay("5H 6H 7H 9C=6H")).rule == "meld.shape"
    assert game.refuses(lay("KC KD KH KS 9C=K")).rule == "meld.shape"


# -- how many ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.any-number", "allows")
def test_a_meld_may_hold_any_number_of_wilds(crazy: Crazy) -> None:
    """One natural card among three wilds, in a run and in a set."""
    game = crazy(packs=2).given_deal(9, ann="5H 9C 9D 9H KC 9C 9S 9S 2C").after(draw())
    game.after(lay("5H 9C=6H 9D=7H 9H=8H"), lay("KC 9C=K 9S=K 9S=K"))
    assert game.melds == ["5H 9C=6H 9D=7H 9H=8H", "KC 9C=K 9S=K 9S=K"]


@pytest.mark.clause("wild.any-number", "refuses")
def test_any_number_of_wilds_does_not_make_a_set_larger_than_it_may_be(crazy: Crazy) -> None:
    """Two kings and three nines are five."""
    game = crazy().given_deal(9, ann="KC KD 9C 9D 9H 2C").after(draw())
    assert game.refuses(lay("KC KD 9C=K 9D=K 9H=K")).rule == "meld.shape"


@pytest.mark.clause("wild.alone", "allows")
@pytest.mark.parametrize("text", ["9C=K 9D=K 9H=K", "9C=2H 9D=3H 9H=4H", "9D=8C 9C 9H=TC"])
def test_a_meld_may_be_wilds_alone(crazy: Crazy, text: str) -> None:
    """A set of kings, a run of hearts, or a run in which one of them is itself."""
    game = crazy().given_deal(9, ann="9C 9D 9H 2C").after(draw())
    game.when(lay(text))
    assert game.melds == [text]


@pytest.mark.clause("wild.alone", "refuses")
def test_wilds_alone_are_not_laid_without_saying_what_they_are(crazy: Crazy) -> None:
    """They could be anything; and where natural cards are required they are nothing."""
    game = crazy().given_deal(9, ann="9C 9D 9H 2C").after(draw())
    assert game.refuses(lay("9C 9D 9H")).rule == "meld.declare"
    strict = crazy(min_naturals_per_meld=3).given_deal(9, ann="9C 9D 9H 2C").after(draw())
    assert strict.refuses(lay("9C=K 9D=K 9H=K")).rule == "meld.natural-limit"
    strict.when(lay("9C 9D 9H"))
    assert strict.melds == ["9C 9D 9H"]


@pytest.mark.clause("meld.wild-limit", "allows")
def test_a_game_may_limit_the_wilds_of_a_meld(crazy: Crazy) -> None:
    """With a limit of two, two are laid, one of them later; a card in its own place does not count."""
    game = crazy(max_wilds_per_meld=2).given_deal(9, ann="5H 6H 9C 9D 9S TS JS 9H 2C").after(draw())
    game.after(lay("5H 6H 9C=7H"), lay_off(1, "9D=8H"), lay("9H=8S 9S TS JS"))
    assert game.melds == ["5H 6H 9C=7H 9D=8H", "9H=8S 9S TS JS"]


@pytest.mark.clause("meld.wild-limit", "refuses")
def test_a_wild_over_the_limit_is_neither_laid_nor_laid_off(crazy: Crazy) -> None:
    """With a limit of one, a second wild is refused both ways."""
    game = crazy(max_wilds_per_meld=1).given_deal(9, ann="5H 6H 7H 9C 9D 2C").after(draw())
    assert game.refuses(lay("9C=4H 5H 6H 7H 9D=8H")).rule == "meld.wild-limit"
    game.when(lay("9C=4H 5H 6H 7H"))
    assert game.refuses(lay_off(1, "9D=8H")).rule == "meld.wild-limit"


@pytest.mark.clause("meld.natural-limit", "allows")
def test_a_game_may_require_natural_cards(crazy: Crazy) -> None:
    """Two naturals and two wilds, where two naturals are required."""
    game = crazy(min_naturals_per_meld=2).given_deal(9, ann="KC KD 9C 9D 2C").after(draw())
    game.when(lay("KC KD 9C 9D"))
    assert game.melds == ["KC KD 9C=K 9D=K"]


@pytest.mark.clause("meld.natural-limit", "refuses")
def test_a_meld_with_too_few_naturals_is_refused(crazy: Crazy) -> None:
    """One king and two nines, where two naturals are required."""
    game = crazy(min_naturals_per_meld=2).given_deal(9, ann="KC 9C 9D 2C").after(draw())
    assert game.refuses(lay("KC 9C=K 9D=K")).rule == "meld.natural-limit"
    with pytest.raises(Refused):
        crazy(min_naturals_per_meld=14)
