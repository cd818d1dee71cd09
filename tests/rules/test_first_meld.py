"""The first meld: nobody lays off before laying a new meld."""

import pytest
from tests.rules.support import Crazy

from meldlog_service.testing import all_of, discard, draw, lay, lay_off


@pytest.mark.clause("layoff.own-meld", "allows")
def test_after_a_new_meld_a_player_lays_off_in_the_same_turn_on_anybodys_melds(crazy: Crazy) -> None:
    """Ann's queens first, then the eight of clubs on bea's run and the fourth queen on her own: vector G2."""
    game = crazy().given_deal(2, ann="QC QD QH QS 8C KD", table=["bea: 5C 6C 7C"]).after(draw())
    game.after(lay("QC QD QH"), lay_off(1, "8C"), lay_off(2, "QS"))
    assert game.melds == ["5C 6C 7C 8C", "QC QD QH QS"]


@pytest.mark.clause("layoff.own-meld", "allows")
def test_in_later_turns_too_a_player_who_has_laid_lays_off(crazy: Crazy) -> None:
    """The meld was laid before; in this turn nothing new is laid."""
    game = crazy().given_deal(2, ann="8C KD", table=["bea: 5C 6C 7C", "ann: QC QD QH"])
    game.after(draw(), lay_off(1, "8C"))
    assert game.melds[0] == "5C 6C 7C 8C"


@pytest.mark.clause("layoff.own-meld", "refuses")
def test_a_player_without_a_meld_does_not_lay_off(crazy: Crazy) -> None:
    """The eight of clubs fits bea's run, and is refused: vector G2."""
    game = crazy().given_deal(2, ann="8C 9C KD", table=["bea: 5C 6C 7C"]).after(draw())
    assert game.refuses(lay_off(1, "8C")).rule == "layoff.own-meld"


@pytest.mark.clause("layoff.own-meld", "refuses")
def test_a_meld_of_the_deal_before_does_not_count(crazy: Crazy) -> None:
    """In each deal a player begins anew."""
    game = crazy(seats=2).given_deal(2, ann="9S TS", bea="3C", table=["ann: 6S 7S 8S"], stock="KD")
    game.after(draw(), lay_off(1, "9S TS"), discard("KD"))
    assert game.table.deal.number == 3
    assert game.table.deal.laid_at == (None, None)


@pytest.mark.clause("layoff.own-meld", "refuses")
def test_in_a_list_of_commands_the_meld_must_come_before_the_lay_off(crazy: Crazy) -> None:
    """The same two commands are refused in one order, with nothing done, and accepted in the other."""
    game = crazy().given_deal(2, ann="QC QD QH 8C KD", table=["bea: 5C 6C 7C"]).after(draw())
    assert game.refuses(all_of(lay_off(1, "8C"), lay("QC QD QH"))).rule == "layoff.own-meld"
    assert game.melds == ["5C 6C 7C"]
    game.when(all_of(lay("QC QD QH"), lay_off(1, "8C")))
    assert game.melds == ["5C 6C 7C 8C", "QC QD QH"]


@pytest.mark.clause("layoff.free", "allows")
def test_a_game_may_let_a_player_lay_off_without_a_meld(crazy: Crazy) -> None:
    """Ann has laid nothing, and her eight goes to bea's run."""
    game = crazy(layoff_requires_own_meld=False).given_deal(2, ann="8C KD", table=["bea: 5C 6C 7C"])
    game.after(draw(), lay_off(1, "8C"))
    assert game.melds == ["5C 6C 7C 8C"]


@pytest.mark.clause("layoff.free", "refuses")
def test_laying_off_is_no_meld_of_ones_own(crazy: Crazy) -> None:
    """A card that does not fit is refused all the same, and having laid off is not having laid a meld."""
    game = crazy(layoff_requires_own_meld=False).given_deal(2, ann="8C JD KD", table=["bea: 5C 6C 7C"])
    game.when(draw())
    assert game.refuses(lay_off(1, "JD")).rule == "layoff.fits"
    game.when(lay_off(1, "8C"))
    assert not game.table.has_laid(0)
