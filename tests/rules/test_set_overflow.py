"""Wild cards beyond a full set: they stand for no card that there is."""

from __future__ import annotations

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.problems import Refused
from meldlog_service.testing import draw, lay, lay_off, take_back

OVER = {"set_wild_overflow": True}


@pytest.mark.clause("set.overflow", "allows")
def test_a_wild_card_is_added_to_a_full_set(crazy: Crazy) -> None:
    """Laid off on four kings, or laid with them."""
    game = crazy(**OVER).given_deal(9, ann="9D 2C 3C", table=["ann: KS KC KD KH"], stock="4D").after(draw())
    game.when(lay_off(1, "9D"))
    assert game.melds == ["KC KD KH KS 9D=K"] or len(game.table.deal.melds[0].cards) == 5
    other = crazy(**OVER).given_deal(9, ann="KS KC KD KH 9D 9H 2C", stock="4D").after(draw())
    other.when(lay("KS KC KD KH 9D=K 9H=K"))
    assert len(other.table.deal.melds[0].cards) == 6


@pytest.mark.clause("set.overflow", "refuses")
def test_without_it_a_full_set_takes_nothing(crazy: Crazy) -> None:
    """Four cards, wild ones included."""
    game = crazy().given_deal(9, ann="9D 2C 3C", table=["ann: KS KC KD KH"], stock="4D").after(draw())
    assert game.refuses(lay_off(1, "9D")).rule == "layoff.fits"


@pytest.mark.clause("set.size-two-packs", "refuses")
@pytest.mark.clause("set.size", "refuses")
@pytest.mark.parametrize("packs", [1, 2])
def test_no_natural_card_goes_beyond_the_size_of_a_set(crazy: Crazy, packs: int) -> None:
    """Two copies of a card never lie in a set of one pack; with two packs eight do, and no ninth is there."""
    game = crazy(**OVER, packs=packs, max_set_size=3)
    game.given_deal(9, ann="KH 9D 2C 3C", table=["ann: KS KC KD"], stock="4D").after(draw())
    assert game.refuses(lay_off(1, "KH")).rule == "layoff.fits"
    game.when(lay_off(1, "9D"))


@pytest.mark.clause("set.size-limit", "allows")
def test_a_natural_card_may_still_take_the_place_of_a_wild_one(crazy: Crazy) -> None:
    """As long as the set holds no more natural cards than it may."""
    game = (
        crazy(**OVER)
        .given_deal(9, ann="KH 2C 3C", table=["ann: KS KC KD 9D=K 9H=K"], stock="4D")
        .after(draw())
    )
    game.when(take_back(1, "9D", "KH"))
    assert "9D" in game.hand("ann")


def test_where_sets_have_any_size_there_is_nothing_to_go_beyond(crazy: Crazy) -> None:
    """And the game says so."""
    with pytest.raises(Refused) as refused:
        crazy(**OVER, max_set_size=None)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/set_wild_overflow"]
