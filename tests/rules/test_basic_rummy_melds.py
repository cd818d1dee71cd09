"""Basic Rummy's melds: natural cards alone, and what a joker is where a game adds some; vector R3."""

from typing import Any

import pytest

from meldlog_contracts.commands import Reclaim
from meldlog_contracts.melds import any_of
from meldlog_service.testing import Game, Play, discard, draw, lay, lay_off, take_back

JOKERS: dict[str, Any] = {"printed_jokers": 2}


def basic(play: Play, ann: str, *table: str, **house_rules: Any) -> Game:
    """Ann has drawn, and these melds lie there."""
    return play("basic-rummy", **house_rules).given_deal(1, ann=ann, table=table).after(draw())


@pytest.mark.clause("set.size", "allows")
def test_three_or_four_of_a_rank_are_a_set(play: Play) -> None:
    """And nothing else is needed."""
    game = basic(play, "5C 5D 5S 9C 9D 9H 9S KD").after(lay("5C 5D 5S"), lay("9C 9D 9H 9S"))
    assert game.melds == ["5C 5D 5S", "9C 9D 9H 9S"]


@pytest.mark.clause("set.size", "refuses")
def test_two_of_a_rank_are_none(play: Play) -> None:
    """Nor is a fourth card of another rank welcome."""
    game = basic(play, "5C 5D 5S 6C KD")
    assert game.refuses(lay("5C 5D")).rule == "meld.shape"
    assert game.refuses(lay("5C 5D 5S 6C")).rule == "meld.shape"


@pytest.mark.clause("set.size-two-packs", "allows")
@pytest.mark.clause("set.size-two-packs", "refuses")
def test_with_two_packs_a_set_grows_to_eight(play: Play) -> None:
    """Of one rank there are no more."""
    game = basic(play, "5C 5C 5D 5D 5H 5H 5S 5S 6S KD", packs=2)
    assert game.refuses(lay("5C 5C 5D 5D 5H 5H 5S 5S 6S")).rule == "meld.shape"
    game.when(lay("5C 5C 5D 5D 5H 5H 5S 5S"))


@pytest.mark.clause("set.size-limit", "allows")
@pytest.mark.clause("set.size-limit", "refuses")
def test_a_game_may_limit_a_set_to_three(play: Play) -> None:
    """A fourth five is refused, in the meld and laid off."""
    game = basic(play, "5C 5D 5H 5S KD", max_set_size=3)
    assert game.refuses(lay("5C 5D 5H 5S")).rule == "meld.shape"
    game.when(lay("5C 5D 5H"))
    assert game.refuses(lay_off(1, "5S")).rule == "layoff.fits"


@pytest.mark.clause("set.size-free", "allows")
@pytest.mark.clause("set.size-free", "refuses")
def test_a_game_may_leave_a_set_without_a_limit(play: Play) -> None:
    """With two packs eight are all there are; three are still the fewest."""
    game = basic(play, "5C 5C 5D 5D 5H 5H 5S 5S KD", packs=2, max_set_size=None)
    assert game.refuses(lay("5C 5C")).rule == "meld.shape"
    game.when(lay("5C 5C 5D 5D 5H 5H 5S 5S"))


@pytest.mark.clause("set.suits", "allows")
@pytest.mark.clause("set.suits", "refuses")
def test_the_suits_of_a_set_differ(play: Play) -> None:
    """Also with two packs, where a game says so."""
    game = basic(play, "5C 5C 5D 5S KD", packs=2, set_identical_cards=False)
    assert game.refuses(lay("5C 5C 5D")).rule == "meld.shape"
    game.when(lay("5C 5D 5S"))


@pytest.mark.clause("run.ace", "allows")
def test_ace_two_three_is_a_run(play: Play) -> None:
    """Vector R3."""
    assert basic(play, "AH 2H 3H KD").after(lay("AH 2H 3H")).melds == ["AH 2H 3H"]


@pytest.mark.clause("run.ace", "refuses")
def test_queen_king_ace_is_none(play: Play) -> None:
    """Vector R3; king-ace-two neither."""
    game = basic(play, "QH KH AH 2H KD")
    assert game.refuses(lay("QH KH AH")).rule == "meld.shape"
    assert game.refuses(lay("KH AH 2H")).rule == "meld.shape"


@pytest.mark.clause("run.mixed", "allows")
@pytest.mark.clause("run.mixed", "refuses")
def test_a_game_may_allow_runs_of_mixed_suits(play: Play) -> None:
    """As a rule a run is of one suit; ranks follow one another in any case."""
    assert basic(play, "5H 6C 7D KD").refuses(lay("5H 6C 7D")).rule == "meld.shape"
    mixed = basic(play, "5H 6C 7D 9D KD", runs_any_suit=True)
    assert mixed.refuses(lay("6C 7D 9D")).rule == "meld.shape"
    mixed.when(lay("5H 6C 7D"))


@pytest.mark.clause("meld.unambiguous", "allows")
def test_natural_cards_are_laid_without_a_word(play: Play) -> None:
    """In any order."""
    assert basic(play, "7C 5C 6C KD").after(lay("7C 5C 6C")).melds == ["5C 6C 7C"]


@pytest.mark.clause("meld.unambiguous", "refuses")
def test_a_natural_card_is_not_declared_to_be_another(play: Play) -> None:
    """And of a meld with two places to go on, the end is named."""
    game = basic(play, "7C 5C KC 8D KD", "bea: 5D 6D 7D")
    assert game.refuses(lay("5C KC=6C 7C")).rule == "meld.shape"
    assert game.refuses(lay_off(1, "8D", end="low")).rule == "layoff.fits"


# -- where a game adds jokers ------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.joker", "allows")
@pytest.mark.clause("wild.one-card", "allows")
@pytest.mark.clause("wild.fixed", "allows")
@pytest.mark.clause("wild.elsewhere", "allows")
def test_a_joker_stands_for_a_card_even_for_one_that_ann_holds(play: Play) -> None:
    """For the six, which stays in her hand, and for a king without a suit; the run goes on from there."""
    game = basic(play, "5C 6C 7C KD KH 8C 2S JK JK", **JOKERS).after(lay("5C JK=6C 7C"), lay("KD KH JK=K"))
    game.when(lay_off(1, "8C"))
    assert game.melds == ["5C JK=6C 7C 8C", "KD KH JK=K"]
    assert game.table.deal.melds[1].reads_as[2] == any_of("K")


@pytest.mark.clause("wild.joker", "refuses")
@pytest.mark.clause("wild.one-card", "refuses")
@pytest.mark.clause("wild.fixed", "refuses")
@pytest.mark.clause("wild.elsewhere", "refuses")
def test_no_other_card_is_wild_and_a_joker_keeps_the_meaning_it_was_laid_with(play: Play) -> None:
    """A two stands for nothing else; two meanings want a word; the joker that is an eight leaves no room for one."""
    game = basic(play, "6C 7C 2C 8C KD JK", **JOKERS)
    assert game.refuses(lay("6C 7C 2C")).rule == "meld.shape"
    assert game.refuses(lay("6C 7C JK")).rule == "meld.declare"
    game.when(lay("6C 7C JK=8C"))
    assert game.refuses(lay_off(1, "8C")).rule == "layoff.fits"


@pytest.mark.clause("wild.any-number", "allows")
@pytest.mark.clause("wild.alone", "allows")
def test_a_meld_may_hold_jokers_and_nothing_else(play: Play) -> None:
    """Two beside one natural, or three by themselves."""
    game = basic(play, "5C 6D JK JK JK JK KD", printed_jokers=4)
    game.after(lay("JK=K JK=K JK=K"))
    assert game.melds == ["JK=K JK=K JK=K"]
    two = basic(play, "5C JK JK KD", **JOKERS).after(lay("5C JK=6C JK=7C"))
    assert two.melds == ["5C JK=6C JK=7C"]


@pytest.mark.clause("wild.any-number", "refuses")
@pytest.mark.clause("wild.alone", "refuses")
def test_a_game_may_limit_them(play: Play) -> None:
    """One in a meld, or one natural at least."""
    one = basic(play, "5C 6C JK JK KD", max_wilds_per_meld=1, **JOKERS)
    assert one.refuses(lay("5C JK=6C JK=7C")).rule == "meld.wild-limit"
    natural = basic(play, "5C JK JK JK KD", min_naturals_per_meld=1, packs=2, printed_jokers=4)
    assert natural.refuses(lay("JK=K JK=K JK=K")).rule == "meld.natural-limit"


@pytest.mark.clause("reclaim.fits", "allows")
@pytest.mark.clause("reclaim.natural", "allows")
def test_a_joker_stays_where_it_lies(play: Play) -> None:
    """Ann holds the six that it stands for, and no exchange is listed."""
    game = basic(play, "6C KD KH", "ann: 5C JK=6C 7C", **JOKERS)
    assert not any(isinstance(move, Reclaim) for move in game.moves("ann"))
    game.when(discard("KD"))
    assert game.melds == ["5C JK=6C 7C"]


@pytest.mark.clause("reclaim.fits", "refuses")
@pytest.mark.clause("reclaim.natural", "refuses")
def test_no_card_frees_a_joker(play: Play) -> None:
    """Neither the card it stands for nor another joker."""
    game = basic(play, "6C JK KD", "ann: 5C JK=6C 7C", **JOKERS)
    assert game.refuses(take_back(1, "JK", "6C")).rule == "reclaim.fits"
    assert game.refuses(take_back(1, "JK", "JK")).rule == "reclaim.natural"
