"""One-Eyed Jacks, rule by rule: given a table written as text, when a command, then what follows."""

from random import Random

import pytest
from meldlog_service.testing import Play, discard, draw, lay

VARIANT = "one-eyed-jacks"


@pytest.mark.clause("one-eyed-jacks.wild", "allows")
def test_a_one_eyed_jack_stands_for_any_card(play: Play) -> None:
    game = play(VARIANT).given_deal(3, ann="7H JS 9H KD", stock="2C")
    game.after(draw()).when(lay("7H JS=8H 9H"))
    assert game.melds == ["7H JS=8H 9H"]


@pytest.mark.clause("one-eyed-jacks.wild", "refuses")
def test_a_jack_with_two_eyes_stands_for_itself(play: Play) -> None:
    game = play(VARIANT).given_deal(3, ann="7H JC 9H KD", stock="2C").after(draw())
    assert game.refuses(lay("7H JC 9H")).rule == "meld.shape"


@pytest.mark.clause("one-eyed-jacks.clean", "allows")
def test_going_out_without_a_wild_is_worth_twenty(play: Play) -> None:
    game = play(VARIANT).given_deal(3, ann="7H 8H 9H", stock="KD")
    game.after(draw(), lay("7H 8H 9H"), discard("KD"))
    assert game.table.scores[-1][0] == -20


@pytest.mark.clause("one-eyed-jacks.clean", "refuses")
def test_going_out_with_a_wild_is_worth_nothing(play: Play) -> None:
    game = play(VARIANT).given_deal(3, ann="7H JS 9H", stock="KD")
    game.after(draw(), lay("7H JS=8H 9H"), discard("KD"))
    assert game.table.scores[-1][0] == 0


def test_the_wilds_of_others_take_nothing_away(play: Play) -> None:
    game = play(VARIANT).given_deal(3, ann="7H 8H 9H", table=["bea: QC QD JS=Q"], stock="KD")
    game.after(draw(), lay("7H 8H 9H"), discard("KD"))
    assert game.table.scores[-1][0] == -20


def test_how_much_it_is_worth_is_a_house_rule(play: Play) -> None:
    game = play(VARIANT, one_eyed_jacks_clean=50).given_deal(3, ann="7H 8H 9H", stock="KD")
    game.after(draw(), lay("7H 8H 9H"), discard("KD"))
    assert game.table.scores[-1][0] == -50


def test_where_it_is_worth_nothing_the_sheet_does_not_speak_of_it(play: Play) -> None:
    assert "one-eyed-jacks.clean" in play(VARIANT).sheet()
    assert "one-eyed-jacks.clean" not in play(VARIANT, one_eyed_jacks_clean=0).sheet()


def test_the_sheet_is_written_in_four_languages(play: Play) -> None:
    game = play(VARIANT)
    for language in ("en", "fr", "fa", "ar"):
        assert all(game.sheet(language).values())


# -- whole deals -------------------------------------------------------------------------------------------
# One deal of moves chosen at random; `meldlog check one-eyed-jacks` plays whole games, many of them.


def test_a_deal_of_players_who_choose_at_random_comes_to_its_end(play: Play) -> None:
    game = play(VARIANT).given_start()
    chance = Random(1)
    while not game.table.scores:
        game.when(chance.choice(game.moves(game.on_turn)))
    assert len(game.table.scores) == 1
