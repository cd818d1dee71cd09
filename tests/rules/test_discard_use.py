"""What discards may be taken for: with and without a meld of one's own, free, to be melded, or for the next turn."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play, all_of, discard, draw, lay, lay_off, take_back

OWN = "ann: 5S 6S 7S 8S"
AFTER = {"discard_take_before_meld": "free", "discard_take_after_meld": "must_meld"}
BEFORE = {"discard_take_before_meld": "must_meld", "discard_take_after_meld": "free"}
NEXT_TURN = {"discard_take_after_meld": "not_this_turn"}
NEW_MELD = {"taken_discard_use": "new_meld_only"}


@pytest.fixture
def treize(play: Play) -> Crazy:
    """Treize Brasses, with these house rules."""
    return partial(play, "treize-brasses")


# -- to be melded at once ----------------------------------------------------------------------------------------------


@pytest.mark.clause("discard.use", "allows")
def test_a_discard_is_taken_where_it_can_be_melded(treize: Crazy) -> None:
    """In a set with what ann holds, alone or with a wild."""
    assert treize().given_deal(5, ann="QC QD KH 2H", discards="3H QH").allows(draw("discard"))
    assert treize().given_deal(5, ann="QC 5D KH 2H", discards="3H QH").allows(draw("discard"))


@pytest.mark.clause("discard.use", "refuses")
def test_a_discard_to_be_melded_is_not_given_for_a_wild(treize: Crazy) -> None:
    """Neither taken for that, nor, with a copy of it in hand, put down so: vector V6."""
    table = [OWN, "bea: 6H 5C=7H 8H 9H"]
    game = treize().given_deal(5, ann="2C KC", table=table, discards="3H 7H")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = treize().given_deal(5, ann="7H 7D 7C 2C KC", table=table, discards="3H 7H").after(draw("discard"))
    assert game.refuses(take_back(2, "5C", "7H")).rule == "discard.use"
    game.after(lay("7H 7D 7C"), take_back(2, "5C", "7H"), discard("KC"))
    assert game.hand("ann") == "2C 5C"


@pytest.mark.clause("discard.use", "refuses")
def test_a_discard_is_not_taken_where_melding_it_would_leave_nothing_to_discard(treize: Crazy) -> None:
    """Two queens in hand and the third on the pile: no card would be left."""
    game = treize().given_deal(5, ann="QC QD", discards="3H QH")
    assert game.refuses(draw("discard")).code == "illegal_move"
    assert game.moves("ann") == (draw(),)


@pytest.mark.clause("discard.use-layoff", "allows")
def test_a_discard_may_be_laid_off_by_who_has_a_meld(treize: Crazy) -> None:
    """Before this turn, or in it: first the sevens, then the nine of spades."""
    game = treize().given_deal(5, ann="2C KC", table=[OWN], discards="3H 9S").after(draw("discard"))
    game.after(lay_off(1, "9S"), discard("KC"))
    game = treize().given_deal(5, ann="7H 7D 7C 2C KC", table=["bea: 5S 6S 7S 8S"], discards="3H 9S")
    game.after(draw("discard"), lay("7H 7D 7C"), lay_off(1, "9S"), discard("KC"))
    assert game.hand("ann") == "2C"


@pytest.mark.clause("discard.use-layoff", "refuses")
def test_a_discard_is_not_taken_to_be_laid_off_by_who_has_no_meld(treize: Crazy) -> None:
    """Bea's run would take the nine; ann has laid nothing and can lay nothing."""
    game = treize().given_deal(5, ann="2C KC", table=["bea: 5S 6S 7S 8S"], discards="3H 9S")
    assert game.refuses(draw("discard")).rule == "discard.use"


@pytest.mark.clause("discard.use-new", "allows")
def test_where_it_must_lie_in_a_new_meld_it_may(treize: Crazy) -> None:
    """Three nines, though the nine would also continue the run."""
    game = treize(**NEW_MELD).given_deal(5, ann="9C 9D 2C KC", table=[OWN], discards="3H 9S")
    game.after(draw("discard"), lay("9C 9D 9S"), discard("KC"))
    assert game.hand("ann") == "2C"


@pytest.mark.clause("discard.use-new", "refuses")
def test_where_it_must_lie_in_a_new_meld_laying_it_off_is_not_enough(treize: Crazy) -> None:
    """Not taken for that; and not laid off when the three nines are in hand."""
    game = treize(**NEW_MELD).given_deal(5, ann="2C KC", table=[OWN], discards="3H 9S")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = treize(**NEW_MELD).given_deal(5, ann="9C 9D 2C KC", table=[OWN], discards="3H 9S")
    game.when(draw("discard"))
    assert game.refuses(lay_off(1, "9S")).rule == "discard.use-new"


@pytest.mark.clause("discard.use", "allows")
def test_other_melds_may_be_laid_before_the_card_taken(treize: Crazy) -> None:
    """Kings first, queens then; all in one list as well."""
    hand = "QC QD KC KD KH 2H 3D"
    game = treize().given_deal(5, ann=hand, discards="3H QH").after(draw("discard"), lay("KC KD KH"))
    game.after(lay("QC QD QH"), discard("3D"))
    listed = treize().given_deal(5, ann=hand, discards="3H QH").after(draw("discard"))
    listed.when(all_of(lay("KC KD KH"), lay("QC QD QH"), discard("3D")))
    assert game.hand("ann") == listed.hand("ann") == "2H"


# -- without a meld of one's own ---------------------------------------------------------------------------------------


@pytest.mark.clause("discard.before-meld", "allows")
def test_without_a_meld_a_discard_may_be_taken_to_meld_it(treize: Crazy) -> None:
    """The third queen."""
    game = treize(**BEFORE).given_deal(5, ann="QC QD KH 2H", discards="3H QH")
    game.after(draw("discard"), lay("QC QD QH"), discard("KH"))
    assert game.hand("ann") == "2H"


@pytest.mark.clause("discard.before-meld", "refuses")
def test_without_a_meld_a_discard_is_not_taken_to_keep_it(treize: Crazy) -> None:
    """It is not taken at all where it fits nothing, and must be melded where it does."""
    game = treize(**BEFORE).given_deal(5, ann="QC QD KH 2H", discards="3H 7H")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = treize(**BEFORE).given_deal(5, ann="QC QD KH 2H", discards="3H QH").after(draw("discard"))
    assert game.refuses(discard("KH")).rule == "discard.use"


@pytest.mark.clause("discard.before-free", "allows")
@pytest.mark.parametrize("house", [AFTER, {**NEXT_TURN, "discard_take_before_meld": "free"}])
def test_a_game_may_leave_discards_free_to_who_has_no_meld(treize: Crazy, house: dict[str, Any]) -> None:
    """The seven is kept."""
    game = treize(**house).given_deal(5, ann="QC QD KH 2H", discards="3H 7H").after(draw("discard"))
    game.when(discard("KH"))
    assert game.hand("ann") == "2H 7H QC QD"


@pytest.mark.clause("discard.before-free", "refuses")
def test_discards_that_are_free_to_who_has_no_meld_are_not_free_to_who_has_one(treize: Crazy) -> None:
    """The seven fits nothing: with a meld it is not taken."""
    game = treize(**AFTER).given_deal(5, ann="QC QD KH 2H", table=["ann: JC JD JH"], discards="3H 7H")
    assert game.refuses(draw("discard")).rule == "discard.use"


# -- with a meld of one's own ------------------------------------------------------------------------------------------


@pytest.mark.clause("discard.after-meld", "allows")
def test_with_a_meld_a_discard_may_be_taken_to_play_it(treize: Crazy) -> None:
    """It continues the run."""
    game = treize(**AFTER).given_deal(5, ann="2C KC", table=[OWN], discards="3H 9S").after(draw("discard"))
    game.after(lay_off(1, "9S"), discard("KC"))
    assert game.hand("ann") == "2C"


@pytest.mark.clause("discard.after-meld", "refuses")
def test_with_a_meld_a_discard_is_not_taken_to_keep_it(treize: Crazy) -> None:
    """The turn does not end with it in hand."""
    game = treize(**AFTER).given_deal(5, ann="2C KC", table=[OWN], discards="3H 9S").after(draw("discard"))
    assert game.refuses(discard("KC")).rule == "discard.use"
    assert game.refuses(discard("9S")).rule == "discard.use"


@pytest.mark.clause("discard.after-free", "allows")
def test_a_game_may_leave_discards_free_to_who_has_a_meld(treize: Crazy) -> None:
    """The seven is kept, or played."""
    game = treize(**BEFORE).given_deal(5, ann="QC QD KH 2H", table=[OWN], discards="3H 7H")
    game.after(draw("discard"), discard("KH"))
    assert game.hand("ann") == "2H 7H QC QD"


@pytest.mark.clause("discard.after-free", "refuses")
def test_a_meld_laid_in_this_turn_does_not_free_the_discard_taken_before_it(treize: Crazy) -> None:
    """Ann had no meld when she took the queen: the kings are laid, and the queen must be melded all the same."""
    game = treize(**BEFORE).given_deal(5, ann="QC QD KC KD KH 2H 3D", discards="3H QH")
    game.after(draw("discard"), lay("KC KD KH"))
    assert game.refuses(discard("3D")).rule == "discard.use"


@pytest.mark.clause("discard.return", "allows")
@pytest.mark.clause("discard.taken-free", "allows")
def test_a_discard_that_need_not_be_melded_may_be_thrown_back(treize: Crazy) -> None:
    """Free before and after melding, it is a card like any other."""
    house = {"discard_take_before_meld": "free", "discard_take_after_meld": "free"}
    game = treize(**house).given_deal(5, ann="QC KH", discards="3H 7H").after(draw("discard"), discard("7H"))
    assert game.hand("ann") == "KH QC"


# -- games that make no sense ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["treize-brasses", "ace-to-ace"])
def test_no_discard_is_taken_to_open_where_there_is_no_opening(play: Play, variant: str) -> None:
    """The game is refused, with a pointer and a reason."""
    with pytest.raises(Refused) as refused:
        play(variant, discard_take_before_meld="must_open")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/discard_take_before_meld"]
    assert "opening" in refused.value.detail


def test_any_number_of_discards_is_not_taken_to_be_melded_at_once(play: Play) -> None:
    """Nobody plays that: the game is refused, however it comes about."""
    with pytest.raises(Refused) as refused:
        play("ace-to-ace", discard_take_after_meld="must_meld")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/discard_take_after_meld"]
    with pytest.raises(Refused):
        play("treize-brasses", discard_take_count="any")


@pytest.mark.parametrize("variant", ["crazy-rummy", "biddies", "beanie", "basic-rummy"])
def test_games_that_leave_discards_free_can_be_played_otherwise(play: Play, variant: str) -> None:
    """A discard is taken freely, unless the game is told to ask for a meld."""
    table: dict[str, Any] = {"discards": "5H", "ann": "7H JD 2C", "stock": "3S"}
    number = 1 if variant == "basic-rummy" else 13
    play(variant).given_deal(number, **table).when(draw("discard"))
    asking = play(variant, discard_take_before_meld="must_meld").given_deal(number, **table)
    assert asking.refuses(draw("discard")).rule == "discard.use"


def test_a_game_without_an_opening_takes_no_discard_to_open_with(play: Play) -> None:
    """That is known where the first lay is an opening."""
    with pytest.raises(Refused) as refused:
        play("crazy-rummy", discard_take_before_meld="must_open")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/discard_take_before_meld"]
