"""Souifi and tria, jokers in them, adding to them and taking jokers back; vectors A2 to A9."""

from typing import Any

import pytest

from meldlog_contracts.commands import DeclineDiscard, ReturnDraw
from meldlog_contracts.melds import any_of
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off, take_back

RAMI = ("rami-simple", "rami-51", "rami-71")
every_rami = pytest.mark.parametrize("variant", RAMI)
PROGRESSIVE = pytest.mark.parametrize("variant", RAMI[1:])
OWN = "ann: 2S 3S 4S"


def opened(play: Play, variant: str, ann: str, *table: str, seats: int = 2, **house_rules: Any) -> Game:
    """Ann has opened with meld 1, has drawn a two of hearts, and these melds lie there as well."""
    game = play(variant, seats=seats, **house_rules)
    return game.given_deal(1, ann=ann, table=[OWN, *table], stock="2H").after(draw())


# -- souifi and tria ---------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("meld.shape", "allows")
@pytest.mark.clause("run.suit", "allows")
@pytest.mark.clause("run.length", "allows")
@pytest.mark.clause("set.suits", "allows")
@pytest.mark.clause("set.size-limit", "allows")
def test_a_souifi_and_a_tria(play: Play, variant: str) -> None:
    """Vector A2; four suits of a rank as well."""
    game = opened(play, variant, "5C 6C 7C JS JH JD 9C 9D 9H 9S KD")
    game.after(lay("5C 6C 7C"), lay("JS JH JD"), lay("9C 9D 9H 9S"))
    assert game.melds[1:] == ["5C 6C 7C", "JD JH JS", "9C 9D 9H 9S"]


@PROGRESSIVE
@pytest.mark.clause("meld.shape", "refuses")
@pytest.mark.clause("run.suit", "refuses")
@pytest.mark.clause("run.length", "refuses")
@pytest.mark.clause("set.suits", "refuses")
@pytest.mark.clause("set.size-limit", "refuses")
def test_what_is_neither(play: Play, variant: str) -> None:
    """Two cards; mixed suits; a gap; the same card twice (vector A3), also as a fifth card."""
    game = opened(play, variant, "5C 6C 7C 7H 7H 7S 7D 8C 9D KD")
    for text in ("5C 6C", "5C 6C 7H", "6C 8C 9D", "7H 7H 7S", "7C 7D 7H 7H 7S"):
        assert game.refuses(lay(text)).rule == "meld.shape", text


@every_rami
@pytest.mark.clause("meld.declare", "refuses")
@pytest.mark.clause("meld.unambiguous", "refuses")
def test_a_joker_with_two_meanings_wants_a_word(play: Play, variant: str) -> None:
    """Below or above the run, told in the closing as well."""
    game = play(variant, seats=2).given_deal(1, ann="5H 6H JK 9C 9D 9S", stock="KD").after(draw())
    assert game.refuses(all_of(lay("9C 9D 9S"), lay("5H 6H JK"), discard("KD"))).rule == "meld.declare"


@every_rami
@pytest.mark.clause("meld.unambiguous", "allows")
@pytest.mark.clause("wild.joker", "allows")
@pytest.mark.clause("close.joker", "allows")
def test_a_joker_with_one_meaning_wants_none(play: Play, variant: str) -> None:
    """Beside two of a rank, in a gap, at the end of the ranks: any of these closes where no clean melds are asked."""
    clean = {"close_required_melds": "none"} if variant == "rami-71" else {}
    for text, meaning in (("5H JK 7H", "6H"), ("AH 2H JK", "3H"), ("QH JK AH", "KH")):
        game = play(variant, seats=2, **clean).given_deal(1, ann=f"{text} 9C 9D JK", stock="KD").after(draw())
        game.when(all_of(lay("9C 9D JK"), lay(text)))
        assert game.table.deal.melds[0].reads_as[2] == any_of("9")
        assert meaning in game.table.deal.melds[1].reads_as


@PROGRESSIVE
@pytest.mark.clause("wild.one-card", "allows")
@pytest.mark.clause("wild.elsewhere", "allows")
@pytest.mark.clause("wild.fixed", "allows")
def test_a_joker_stands_for_one_card_even_if_both_copies_are_elsewhere(play: Play, variant: str) -> None:
    """The six lies on the table and in ann's hand, and the joker is a third; the run goes on from its meaning."""
    game = opened(play, variant, "4C 5C JK 6C 7C KD", "bea: 6C 6D 6H").after(
        lay("4C 5C JK=6C"), lay_off(3, "7C")
    )
    assert game.melds[2] == "4C 5C JK=6C 7C"


@PROGRESSIVE
@pytest.mark.clause("wild.one-card", "refuses")
@pytest.mark.clause("wild.elsewhere", "refuses")
@pytest.mark.clause("wild.fixed", "refuses")
@pytest.mark.clause("wild.joker", "refuses")
def test_a_joker_changes_its_meaning_no_more_and_is_no_seventh_suit(play: Play, variant: str) -> None:
    """A six is not added where a joker is the six; nor does a joker fill a tria of four; a king stands for nothing."""
    game = opened(play, variant, "4C 5C JK JK 6C KD KH", "bea: 9C 9D 9H 9S").after(lay("4C 5C JK=6C"))
    assert game.refuses(lay_off(3, "6C")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "JK=9")).rule == "layoff.fits"
    assert game.refuses(lay_off(3, "KD=7C")).rule == "layoff.fits"


@PROGRESSIVE
@pytest.mark.clause("meld.wild-limit", "allows")
@pytest.mark.clause("meld.natural-limit", "allows")
def test_one_joker_and_two_naturals_make_a_meld(play: Play, variant: str) -> None:
    """More jokers are possible where a game has no limit."""
    opened(play, variant, "4C 5C JK KD").when(lay("4C 5C JK=6C"))
    free = opened(play, variant, "4C 5C JK JK KD", max_wilds_per_meld=None)
    free.when(lay("4C 5C JK=6C JK=7C"))


@PROGRESSIVE
@pytest.mark.clause("meld.wild-limit", "refuses")
@pytest.mark.clause("meld.natural-limit", "refuses")
@pytest.mark.clause("wild.any-number", "refuses")
@pytest.mark.clause("wild.alone", "refuses")
def test_two_jokers_in_a_meld_are_one_too_many(play: Play, variant: str) -> None:
    """In a new one, and laid off; without the limit two naturals are still wanted."""
    game = opened(play, variant, "4C 5C JK JK 6C KD", "bea: TC JC QC")
    assert game.refuses(lay("4C 5C JK=6C JK=7C")).rule == "meld.wild-limit"
    game.when(lay("4C 5C JK=6C"))
    assert game.refuses(lay_off(3, "JK=7C")).rule == "meld.wild-limit"
    free = opened(play, variant, "4C JK JK KD", max_wilds_per_meld=None)
    assert free.refuses(lay("4C JK=5C JK=6C")).rule == "meld.natural-limit"


@pytest.mark.clause("wild.any-number", "allows")
@pytest.mark.clause("wild.alone", "allows")
def test_a_game_may_let_jokers_lie_alone(play: Play) -> None:
    """Three kings, none of them a king."""
    game = opened(play, "rami-51", "JK JK JK KD", max_wilds_per_meld=None, min_naturals_per_meld=0)
    game.when(lay("JK=K JK=K JK=K"))
    assert {"wild.any-number", "wild.alone"} <= game.sheet().keys()


@PROGRESSIVE
@pytest.mark.clause("run.ace-both", "allows")
@pytest.mark.clause("run.ace-both", "refuses")
def test_an_ace_is_low_or_high_and_no_run_turns_the_corner(play: Play, variant: str) -> None:
    """Unless a game says so."""
    game = opened(play, variant, "AH 2H 3H QH KH AH KD")
    assert game.refuses(lay("KH AH 2H")).rule == "meld.shape"
    game.after(lay("AH 2H 3H"), lay("QH KH AH"))
    opened(play, variant, "KH AH KD", ace_in_runs="around_corner").when(lay("KH AH 2H"))


# -- adding to melds ---------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("layoff.meld", "allows")
@pytest.mark.clause("layoff.fits", "allows")
def test_cards_are_added_to_any_meld(play: Play, variant: str) -> None:
    """Vector A4; the partner's, an opponent's, and one's own."""
    game = opened(play, variant, "TS KC 5S KD", "bea: 7S 8S 9S", "cyd: KS KH KD", seats=4).after(
        lay_off(1, "5S"), lay_off(2, "TS"), lay_off(3, "KC")
    )
    assert game.melds == ["2S 3S 4S 5S", "7S 8S 9S TS", "KD KH KS KC"]


@PROGRESSIVE
@pytest.mark.clause("layoff.meld", "refuses")
@pytest.mark.clause("layoff.fits", "refuses")
def test_what_fits_no_meld_is_not_added(play: Play, variant: str) -> None:
    """The second copy of a king; a card two places away; a meld that is not there."""
    game = opened(play, variant, "JS KH 7D KD", "bea: 7S 8S 9S", "bea: KS KH KD")
    assert game.refuses(lay_off(3, "KH")).rule == "layoff.fits"
    assert game.refuses(lay_off(2, "JS")).rule == "layoff.fits"
    assert game.refuses(lay_off(4, "7D")).rule == "layoff.meld"


@PROGRESSIVE
@pytest.mark.clause("layoff.own-meld", "allows")
def test_a_side_that_has_laid_may_add_and_so_may_who_opens_in_this_turn(play: Play, variant: str) -> None:
    """Cyd has laid for ann; alone, ann opens and adds in one list."""
    pair = (
        play(variant, seats=4).given_deal(1, ann="TS KD", table=["cyd: 7S 8S 9S"], stock="2H").after(draw())
    )
    pair.when(lay_off(1, "TS"))
    alone = play(variant, seats=2).given_deal(
        1, ann="QS KS AS KH KD KC TC JC QC TS 4D", table=["bea: 7S 8S 9S"], stock="2H"
    )
    alone.when(draw())
    alone.when(all_of(lay("QS KS AS"), lay("KH KD KC"), lay("TC JC QC"), lay_off(1, "TS")))
    assert alone.hand("ann") == "2H 4D"


@PROGRESSIVE
@pytest.mark.clause("layoff.own-meld", "refuses")
def test_a_side_that_has_laid_nothing_adds_nothing(play: Play, variant: str) -> None:
    """An opponent's meld is not enough."""
    game = (
        play(variant, seats=4).given_deal(1, ann="TS KD", table=["bea: 7S 8S 9S"], stock="2H").after(draw())
    )
    assert game.refuses(lay_off(1, "TS")).rule == "layoff.own-meld"


@PROGRESSIVE
@pytest.mark.clause("layoff.free", "allows")
@pytest.mark.clause("layoff.free", "refuses")
def test_a_game_may_let_anybody_add(play: Play, variant: str) -> None:
    """Ann has not opened; laying off is no opening, and a meld below the threshold is refused all the same."""
    game = play(variant, seats=2, layoff_requires_own_meld=False)
    game.given_deal(1, ann="TS 2C 3C 4C KD", table=["bea: 7S 8S 9S"], stock="2H").after(
        draw(), lay_off(1, "TS")
    )
    assert game.refuses(lay("2C 3C 4C")).rule in ("open.threshold", "open.required")
    game.when(discard("KD"))


# -- taking jokers back ------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("reclaim.who", "allows")
@pytest.mark.clause("reclaim.fits", "allows")
@pytest.mark.clause("reclaim.run", "allows")
@pytest.mark.clause("reclaim.place", "allows")
@pytest.mark.clause("reclaim.free-use", "allows")
@pytest.mark.clause("reclaim.wild", "allows")
@pytest.mark.clause("reclaim.natural", "allows")
def test_the_card_that_a_joker_stands_for_frees_it(play: Play, variant: str) -> None:
    """Vector A5: six, seven, eight, and the joker in ann's hand, where it stays as long as she likes."""
    game = opened(play, variant, "7D KD", "bea: 6D JK=7D 8D").after(take_back(2, "JK", "7D"))
    assert (game.melds[1], game.hand("ann")) == ("6D 7D 8D", "2H JK KD")
    game.when(discard("KD"))


@PROGRESSIVE
@pytest.mark.clause("reclaim.run", "refuses")
@pytest.mark.clause("reclaim.fits", "refuses")
@pytest.mark.clause("reclaim.wild", "refuses")
@pytest.mark.clause("reclaim.natural", "refuses")
@pytest.mark.clause("reclaim.place", "refuses")
def test_no_other_card_frees_it_and_nothing_else_is_taken_back(play: Play, variant: str) -> None:
    """The seven of hearts, the six, another joker; a natural card for its copy; the run grows by none of this."""
    game = opened(play, variant, "7H 6D 9D JK KD", "bea: 6D JK=7D 8D")
    assert game.refuses(take_back(2, "JK", "7H")).rule == "reclaim.fits"
    assert game.refuses(take_back(2, "JK", "9D")).rule == "reclaim.fits"
    assert game.refuses(take_back(2, "JK", "JK")).rule == "reclaim.natural"
    assert game.refuses(take_back(2, "6D", "6D")).rule == "reclaim.wild"
    assert game.melds[1] == "6D JK=7D 8D"


@PROGRESSIVE
def test_either_copy_of_the_card_frees_a_joker_in_a_run(play: Play, variant: str) -> None:
    """The other seven of diamonds lies in a tria."""
    game = opened(play, variant, "7D KD", "bea: 6D JK=7D 8D", "bea: 7C 7D 7H").after(take_back(2, "JK", "7D"))
    assert game.melds[1] == "6D 7D 8D"


@PROGRESSIVE
@pytest.mark.clause("reclaim.set", "allows")
@pytest.mark.clause("reclaim.set-fourth", "allows")
def test_the_missing_suit_frees_a_joker_that_is_the_fourth_card(play: Play, variant: str) -> None:
    """Vector A6."""
    game = opened(play, variant, "6C KD", "bea: 6S 6H 6D JK=6").after(take_back(2, "JK", "6C"))
    assert sorted(game.melds[1].split()) == ["6C", "6D", "6H", "6S"]


@PROGRESSIVE
@pytest.mark.clause("reclaim.set", "refuses")
@pytest.mark.clause("reclaim.set-fourth", "refuses")
def test_a_suit_that_lies_there_does_not_nor_any_card_where_three_lie(play: Play, variant: str) -> None:
    """Vectors A6 and A7: the other six of spades; and the six is added, the joker stays."""
    full = opened(play, variant, "6S KD", "bea: 6S 6H 6D JK=6")
    assert full.refuses(take_back(2, "JK", "6S")).rule == "reclaim.fits"
    three = opened(play, variant, "6C KD", "bea: 6S JK=6 6D")
    assert three.refuses(take_back(2, "JK", "6C")).rule == "reclaim.fits"
    three.when(lay_off(2, "6C"))
    assert sorted(three.melds[1].split()) == ["6C", "6D", "6S", "JK=6"]


@PROGRESSIVE
@pytest.mark.clause("reclaim.set-grown", "allows")
@pytest.mark.clause("reclaim.set-grown", "refuses")
def test_a_tria_that_was_completed_later_frees_its_joker_or_by_a_house_rule_does_not(
    play: Play, variant: str
) -> None:
    """Vector A8; a tria laid with four cards frees it under either rule."""
    for swap, frees in (("by_content", True), ("by_history", False)):
        game = opened(play, variant, "6C 6H KD", "bea: 6S JK=6 6D", joker_set_swap=swap)
        game.when(lay_off(2, "6C"))
        assert game.allows(take_back(2, "JK", "6H")) is frees
        assert game.allows(lay_off(2, "6H")) is False
        if not frees:
            assert game.refuses(take_back(2, "JK", "6H")).rule == "reclaim.fits"
    laid = opened(play, variant, "6C KD", "bea: 6S JK=6 6D 6H", joker_set_swap="by_history")
    laid.when(take_back(2, "JK", "6C"))


@PROGRESSIVE
@pytest.mark.clause("reclaim.who", "refuses")
@pytest.mark.parametrize("seats", [2, 4])
def test_who_has_not_laid_takes_no_joker_even_if_the_partner_has(
    play: Play, variant: str, seats: int
) -> None:
    """Vector A9."""
    table = ["bea: 6D JK=7D 8D"] + (["cyd: 2S 3S 4S"] if seats == 4 else [])
    game = play(variant, seats=seats).given_deal(1, ann="7D KD", table=table, stock="2H").after(draw())
    assert game.refuses(take_back(1, "JK", "7D")).rule == "reclaim.who"


@PROGRESSIVE
@pytest.mark.clause("reclaim.who", "refuses")
def test_what_lies_so_far_must_stand_before_a_joker_is_taken_for_it(play: Play, variant: str) -> None:
    """Three kings are no opening, and do not become one by bea's joker."""
    game = play(variant, seats=2).given_deal(
        1, ann="7D KS KH KD JH QH 9C 9H", table=["bea: 7S 8S 9S", "bea: 6D JK=7D 8D"], stock="2H"
    )
    game.when(draw())
    refusal = game.refuses(all_of(lay("KS KH KD"), take_back(2, "JK", "7D"), lay("JH QH JK=KH")))
    assert refusal.rule == ("open.threshold" if variant == "rami-51" else "open.required")


@PROGRESSIVE
@pytest.mark.clause("reclaim.when", "allows")
@pytest.mark.clause("reclaim.when", "refuses")
def test_jokers_are_taken_between_the_draw_and_the_discard(play: Play, variant: str) -> None:
    """Neither before the draw nor in somebody else's turn."""
    game = play(variant, seats=2).given_deal(1, ann="7D KD", table=[OWN, "bea: 6D JK=7D 8D"], stock="2H")
    exchange = take_back(2, "JK", "7D")
    assert game.refuses(exchange).rule == "turn.draw-first"
    game.after(draw(), exchange, discard("KD"))
    assert game.refuses(exchange, by="ann").rule == "turn.order"


@PROGRESSIVE
@pytest.mark.clause("reclaim.use", "allows")
@pytest.mark.clause("reclaim.use", "refuses")
@pytest.mark.clause("reclaim.free-use", "refuses")
def test_a_game_may_want_the_joker_played_at_once(play: Play, variant: str) -> None:
    """It goes to ann's own run; without a place for it it is not taken."""
    table = "bea: 6D JK=7D 8D"
    game = opened(play, variant, "7D KD", table, wild_reclaim_use="same_turn").after(take_back(2, "JK", "7D"))
    assert game.refuses(discard("KD")).rule == "reclaim.use"
    game.after(lay_off(1, "JK=5S"), discard("KD"))
    full = play(variant, seats=2, wild_reclaim_use="same_turn", max_wilds_per_meld=1)
    full.given_deal(
        1, ann="7D KD", table=["ann: 2S 3S JK=4S", "bea: 6D JK=7D 8D", "bea: 9C 9D 9H 9S"], stock="2H"
    )
    full.when(draw())
    full.when(take_back(2, "JK", "7D"))  # the run that it left has room
    assert full.refuses(discard("JK")).rule == "reclaim.use"


@pytest.mark.clause("reclaim.off", "allows")
@pytest.mark.clause("reclaim.off", "refuses")
def test_in_simple_and_by_a_house_rule_jokers_stay(play: Play) -> None:
    """Ann holds the seven, and throws it."""
    game = opened(play, "rami-51", "7D KD", "bea: 6D JK=7D 8D", wild_reclaim=False)
    assert game.refuses(take_back(2, "JK", "7D")).rule == "reclaim.off"
    game.when(discard("7D"))
    assert "reclaim.off" in play("rami-simple", seats=2).sheet()


@PROGRESSIVE
@pytest.mark.clause("turn.return-draw", "refuses")
@pytest.mark.clause("draw.decline", "refuses")
def test_who_has_opened_puts_no_draw_back(play: Play, variant: str) -> None:
    """Neither a stock card nor a discard; and nobody declines."""
    game = play(variant, seats=2).given_deal(1, ann="7D KD", table=[OWN], stock="2H", discards="9C")
    assert game.refuses(DeclineDiscard()).rule == "draw.decline"
    game.when(draw("discard"))
    assert game.refuses(ReturnDraw()).rule == "turn.return-draw"
