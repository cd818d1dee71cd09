"""Beanie: nobody melds in the first round unless with the whole hand, and an empty stock leaves the discards."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from tests.rules.support import Crazy, about_to_go_out, ended, go_out, scored

from meldlog_contracts.commands import Batch, Decline, DeclineDiscard, NameWild, ReturnDraw
from meldlog_contracts.events import DealEnded
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off, take_back

OTHERS = ["bea: 6S 7S 8S", "cyd: 8H 9H TH", "ann: JC JD JH"]
"""Melds that show that the first round is over."""
WHOLE_HAND = "TC TD TH 2C 3C 4C 5C KD"
"""Three tens, a run of four, and a king to discard."""


@pytest.fixture
def beanie(play: Play) -> Crazy:
    """Beanie, with these house rules."""
    return partial(play, "beanie")


def starting(game: Game, ann: str = WHOLE_HAND, **others: Any) -> Game:
    """Ann is the starter of the twelfth deal, in which queens are wild."""
    return game.given_deal(12, first_turn=True, ann=ann, **others)


def beanied(game: Game, bea: str = "5D TS 9H", cyd: str = "6C 9D 8S") -> Game:
    """Ann has gone out with her whole hand in the first turn; bea and cyd hold these cards."""
    starting(game, bea=bea, cyd=cyd).when(all_of(lay("TC TD TH"), lay("2C 3C 4C 5C")))
    return game.after(discard("KD"))


# -- the first round ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("first-round.wait", "allows")
@pytest.mark.clause("deal.starter-melds", "allows")
def test_in_the_first_round_players_draw_and_discard(beanie: Crazy) -> None:
    """The starter discards only; the fourth turn is the first in which ann may meld."""
    game = starting(beanie(), "TC TD TH 2C 3C 4C 9S KD", bea="5D 5H 5S 9H", cyd="6C 9D 8S JD")
    game.after(discard("KD"), draw(), discard("9H"), draw(), discard("JD"), draw(), lay("TC TD TH"))
    assert game.melds == ["TC TD TH"]
    assert "discards" in game.sheet()["deal.starter-melds"]


@pytest.mark.clause("first-round.wait", "refuses")
@pytest.mark.clause("deal.starter-melds", "refuses")
def test_nobody_melds_before_everybody_has_had_a_turn(beanie: Crazy) -> None:
    """Neither the starter, nor the second, nor the last player."""
    game = starting(beanie(), "TC TD TH 2C 3C 4C 9S KD", bea="5D 5H 5S 9H 8H", cyd="6C 6D 6S 9C 8S")
    assert game.refuses(lay("TC TD TH")).rule == "first-round.wait"
    game.after(discard("KD"), draw())
    assert game.refuses(lay("5D 5H 5S")).rule == "first-round.wait"
    game.after(discard("9H"), draw())
    assert game.refuses(lay("6C 6D 6S")).rule == "first-round.wait"
    game.after(discard("8S"), draw())
    assert game.allows(lay("TC TD TH"))


def test_the_first_round_is_as_long_as_there_are_players(beanie: Crazy) -> None:
    """Two players: the third turn is free; a new deal has a first round of its own."""
    game = starting(beanie(seats=2), "TC TD TH 2C 3C 4C 9S KD", bea="5D 5H 5S 9H")
    game.after(discard("KD"), draw(), discard("9H"), draw(), lay("TC TD TH"))
    assert game.melds == ["TC TD TH"]


def test_a_game_may_do_without_the_waiting(beanie: Crazy) -> None:
    """The starter melds three tens; and going out in the first round gives nobody a lay-off."""
    game = starting(beanie(no_meld_first_round=False))
    game.after(lay("TC TD TH"), lay("2C 3C 4C 5C"))
    assert ended(game.when(discard("KD"))) == DealEnded("went_out", 0)
    assert "first-round.wait" not in game.sheet()


# -- the whole hand ----------------------------------------------------------------------------------------------------


def test_g16_three_tens_wait_and_the_whole_hand_goes_out(beanie: Crazy) -> None:
    """Of eight cards three tens are refused; seven in melds and the last discarded, and the others lay off."""
    game = starting(beanie(), bea="5D TS 9H", cyd="6C 9D 8S")
    assert game.refuses(lay("TC TD TH")).rule == "first-round.wait"
    game.when(all_of(lay("TC TD TH"), lay("2C 3C 4C 5C")))
    game.after(discard("KD"))
    assert (game.on_turn, game.table.deal.turn.phase) == ("bea", "lay_off")
    game.after(lay_off(1, "TS"), Decline(), lay_off(2, "6C"))
    events = game.when(Decline())
    assert ended(events) == DealEnded("went_out", 0)
    assert scored(events).points == (0, 14, 17)


@pytest.mark.clause("first-round.whole-hand", "allows")
def test_the_whole_hand_may_be_laid_in_the_first_turn(beanie: Crazy) -> None:
    """In one list, which is also among the moves; by the second player as well, after a draw, and with a wild."""
    game = starting(beanie())
    whole = [move for move in game.moves("ann") if isinstance(move, Batch)]
    assert whole
    game.when(whole[0])
    assert game.hand("ann") in ("KD", "2C", "5C")
    second = starting(beanie(), "6C 6D 6H 7S 8D 9D JS KD", bea="TC TD QH 2C 3C 4C 5C", cyd="6S 9H 8S")
    second.after(discard("KD"), draw()).when(all_of(lay("TC TD QH=T"), lay("2C 3C 4C 5C")))
    assert len(second.hand("bea").split()) == 1


@pytest.mark.clause("first-round.whole-hand", "allows")
def test_one_meld_may_be_the_whole_hand(beanie: Crazy) -> None:
    """A run of seven: no list is needed."""
    game = starting(beanie(), "2C 3C 4C 5C 6C 7C 8C KD").after(lay("2C 3C 4C 5C 6C 7C 8C"))
    assert game.hand("ann") == "KD"


@pytest.mark.clause("first-round.whole-hand", "refuses")
def test_a_part_of_the_hand_may_not(beanie: Crazy) -> None:
    """Two cards left are one too many; and nothing is laid that leaves no card at all."""
    game = starting(beanie(), "TC TD TH 2C 3C 4C 9S KD")
    assert game.refuses(all_of(lay("TC TD TH"), lay("2C 3C 4C"))).rule == "first-round.wait"
    assert not [move for move in game.moves("ann") if isinstance(move, Batch)]
    full = starting(beanie(), "TC TD TH 2C 3C 4C 5C TS")
    assert full.refuses(all_of(lay("TC TD TH TS"), lay("2C 3C 4C 5C"))).rule == "final-discard"


@pytest.mark.clause("first-round.whole-hand", "refuses")
def test_a_game_may_do_without_the_exception(beanie: Crazy) -> None:
    """Not even the whole hand, then."""
    game = starting(beanie(first_round_whole_hand_out=False))
    assert game.refuses(all_of(lay("TC TD TH"), lay("2C 3C 4C 5C"))).rule == "first-round.wait"
    assert "first-round.whole-hand" not in game.sheet()


# -- after it ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("first-round.after", "allows")
def test_after_a_whole_hand_the_others_lay_off_in_turn_without_melds_of_their_own(beanie: Crazy) -> None:
    """Bea a ten, cyd the six and the seven behind it; several cards, one after the other."""
    game = beanied(beanie(), "TS 9H", "6C 7C 9D").after(
        lay_off(1, "TS"), Decline(), lay_off(2, "6C"), lay_off(2, "7C")
    )
    assert scored(game.when(Decline())).points == (0, 9, 9)


@pytest.mark.clause("turn.after-out", "allows")
@pytest.mark.clause("first-round.after", "allows")
def test_who_lays_the_last_card_off_then_has_nothing_to_count(beanie: Crazy) -> None:
    """Ann alone has gone out."""
    game = beanied(beanie(), "TS 6C", "9D 8S").after(lay_off(1, "TS"), lay_off(2, "6C"))
    assert game.on_turn == "cyd"
    game.when(Decline())
    assert game.table.scores[-1] == (0, 0, 17)
    assert game.table.outs[-1] == 0


@pytest.mark.clause("turn.after-out", "refuses")
@pytest.mark.clause("first-round.after", "refuses")
def test_after_a_whole_hand_nobody_draws_discards_or_takes_back_a_wild(beanie: Crazy) -> None:
    """Bea holds the ten that the wild queen stands for."""
    game = starting(beanie(), "TC TD QH 2C 3C 4C 5C KD", bea="TS 9H", cyd="9D 8S")
    game.when(all_of(lay("TC TD QH=T"), lay("2C 3C 4C 5C")))
    game.after(discard("KD"))
    assert game.refuses(take_back(1, "QH", "TS")).rule == "first-round.after"
    for command in (draw(), draw("discard"), discard("9H"), ReturnDraw(), DeclineDiscard(), NameWild("5")):
        refusal = game.refuses(command)
        assert (refusal.code, refusal.rule) == ("wrong_phase", "turn.after-out")
        assert refusal.detail == "somebody has gone out: lay cards on the table, or decline"
    assert game.refuses(lay_off(1, "9H")).rule == "layoff.fits"
    assert game.refuses(Decline(), by="cyd").rule == "turn.order"


@pytest.mark.clause("first-round.after", "refuses")
def test_after_the_first_round_going_out_ends_the_deal_at_once(beanie: Crazy) -> None:
    """Nobody lays off any more; nor where the game knows no such lay-off."""
    game = about_to_go_out(beanie(), 5, bea="5S 3C", cyd="4C")
    go_out(game)
    assert game.table.scores[-1] == (0, 28, 4)
    none = starting(beanie(beanie_after_out_layoff="none"), bea="TS", cyd="6C")
    none.when(all_of(lay("TC TD TH"), lay("2C 3C 4C 5C")))
    assert scored(none.when(discard("KD"))).points == (0, 10, 6)


@pytest.mark.clause("first-round.after-only", "allows")
def test_what_fits_is_laid_off_and_nothing_need_be(beanie: Crazy) -> None:
    """Bea declines though her ten would fit."""
    game = beanied(beanie(), "TS 9H", "9D 8S")
    assert set(game.moves("bea")) == {lay_off(1, "TS"), Decline()}
    assert scored(game.after(Decline()).when(Decline())).points == (0, 19, 17)


@pytest.mark.clause("first-round.after-only", "refuses")
def test_no_new_meld_is_laid_after_a_whole_hand(beanie: Crazy) -> None:
    """Three nines stay in bea's hand."""
    game = beanied(beanie(), "9C 9D 9H TS", "6D 8S")
    assert game.refuses(lay("9C 9D 9H")).rule == "first-round.after"


@pytest.mark.clause("first-round.after-meld", "allows")
def test_a_game_may_let_the_others_meld_as_well(beanie: Crazy) -> None:
    """Three nines, and the ten laid off."""
    game = beanied(beanie(beanie_after_out_layoff="layoff_and_meld"), "9C 9D 9H TS 8H", "6D 8S")
    game.after(lay("9C 9D 9H"), lay_off(1, "TS"), Decline())
    assert scored(game.when(Decline())).points == (0, 8, 14)


@pytest.mark.clause("first-round.after-meld", "refuses")
def test_where_the_others_may_meld_they_still_take_back_no_wild(beanie: Crazy) -> None:
    """Even with a meld of their own."""
    game = starting(
        beanie(beanie_after_out_layoff="layoff_and_meld"), "TC TD QH 2C 3C 4C 5C KD", bea="9C 9D 9H TS 8H"
    )
    game.when(all_of(lay("TC TD QH=T"), lay("2C 3C 4C 5C")))
    game.after(discard("KD"), lay("9C 9D 9H"))
    assert game.refuses(take_back(1, "QH", "TS")).rule == "first-round.after"


# -- the stock ---------------------------------------------------------------------------------------------------------


def test_when_the_stock_is_empty_play_goes_on_until_a_discard_is_declined(beanie: Crazy) -> None:
    """Ann takes the three, bea does not want the eight."""
    game = beanie().given_deal(
        2, ann="8C KD", bea="3C 4D", cyd="4C", table=["bea: JS QS KS"], stock="|", discards="3D"
    )
    game.after(draw("discard"), discard("8C"))
    assert game.refuses(draw()).rule == "stock.until-refused"
    events = game.when(DeclineDiscard())
    assert ended(events).reason != "went_out"
    assert scored(events).points == (13, 7, 4)


@pytest.mark.clause("stock.until-one-card", "allows")
def test_when_the_stock_is_empty_a_player_with_one_card_ends_the_deal(beanie: Crazy) -> None:
    """Ann can do nothing but decline; without the one-card rule she may take the discard."""
    place: dict[str, Any] = {
        "ann": "8C",
        "bea": "3C 4D",
        "cyd": "4C",
        "table": ["ann: JS QS KS"],
        "stock": "|",
        "discards": "3D",
    }
    game = beanie().given_deal(2, **place)
    assert game.moves("ann") == (DeclineDiscard(),)
    assert scored(game.when(DeclineDiscard())).points == (8, 7, 4)
    free = beanie(one_card_rule=False).given_deal(2, **place)
    assert "stock.until-one-card" not in free.sheet()
    free.when(draw("discard"))


@pytest.mark.clause("stock.until-one-card", "refuses")
def test_when_the_stock_is_empty_a_player_with_one_card_does_not_take_the_discard(beanie: Crazy) -> None:
    """Nor draw from nothing."""
    game = beanie().given_deal(2, ann="8C", table=["ann: JS QS KS"], stock="|", discards="3D")
    assert game.refuses(draw("discard")).rule == "one-card.stock"
    assert game.refuses(draw()).rule == "stock.until-refused"


# -- names and values --------------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.rank", "allows")
@pytest.mark.clause("final-discard", "allows")
def test_wilds_are_beanies_and_to_go_out_is_to_beanie(beanie: Crazy) -> None:
    """In the game's own words."""
    sheet = beanie().sheet()
    assert "beanies" in sheet["wild.rank"]
    assert "to beanie" in sheet["final-discard"]
    assert "to beanie" in beanie(final_discard_required=False).sheet()["final-discard.free"]


@pytest.mark.clause("wild.rank", "refuses")
def test_another_card_is_no_beanie(beanie: Crazy) -> None:
    """In the fifth deal a six is a six."""
    game = beanie().given_deal(5, ann="QC QD 6H KD", table=OTHERS, stock="3D").after(draw())
    assert game.refuses(lay("QC QD 6H=Q")).rule == "meld.shape"


@pytest.mark.clause("final-discard", "refuses")
@pytest.mark.clause("final-discard.free", "refuses")
def test_nobody_beanies_without_a_last_discard_nor_with_a_card_left(beanie: Crazy) -> None:
    """Queens and a king: the king is thrown, and may be kept by nobody who wants to be out."""
    hand: dict[str, Any] = {"ann": "QC QD", "stock": "QH", "table": OTHERS}
    game = beanie().given_deal(5, **hand).after(draw())
    assert game.refuses(lay("QC QD QH")).rule == "final-discard"
    hand["ann"] = "QC QD KD 2C"
    free = beanie(final_discard_required=False).given_deal(5, **hand).after(draw(), lay("QC QD QH"))
    free.when(discard("KD"))
    assert (free.hand("ann"), free.table.deal.number) == ("2C", 5)


@pytest.mark.clause("final-discard.free", "allows")
def test_where_no_last_discard_is_needed_the_whole_hand_may_go_down(beanie: Crazy) -> None:
    """Eight cards in two melds, in the first turn."""
    game = starting(beanie(final_discard_required=False), "TC TD TH TS 2C 3C 4C 5C", bea="6C", cyd="9D 8S")
    game.when(all_of(lay("TC TD TH TS"), lay("2C 3C 4C 5C")))
    assert (game.on_turn, game.table.deal.turn.phase) == ("bea", "lay_off")


@pytest.mark.clause("wild.sequence-king-to-ace", "allows")
def test_kings_may_be_wild_first(beanie: Crazy) -> None:
    """Down to aces."""
    game = beanie(wild_sequence="king_to_ace").given_deal(13)
    assert "".join(rank for (rank,) in game.table.wilds) == "KQJT98765432A"


def test_g17_simple_values(beanie: Crazy) -> None:
    """A 8 9 K and a wild: 5, 5, 10, 10 and 25."""
    game = about_to_go_out(beanie(value_table="five_ten"), 5, bea="AC 8C 9C KC 5C")
    assert go_out(game).points[1] == 55


def test_everything_else_is_as_in_crazy_rummy(play: Play, beanie: Crazy) -> None:
    """Four house rules differ."""
    own, base = beanie().table.house_rules, play("crazy-rummy").table.house_rules
    assert {name for name in own if own[name] != base[name]} == {
        "stock_exhaustion",
        "no_meld_first_round",
        "first_round_whole_hand_out",
        "beanie_after_out_layoff",
    }
    assert own.keys() == base.keys()
