"""Ace to Ace: fourteen deals, discards taken by the handful, cards that count for whoever laid them."""

from __future__ import annotations

from functools import partial

import pytest
from tests.rules.support import Crazy, ended, go_out, scored

from meldlog_contracts.events import DealEnded
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.testing import Game, Play, discard, draw, lay, lay_off, take_back

OWN = "ann: 6S 7S 8S"


@pytest.fixture
def ace(play: Play) -> Crazy:
    """Ace to Ace, with these house rules."""
    return partial(play, "ace-to-ace")


def at_the_end(game: Game, number: int = 5, throws: str = "KD", **others: object) -> Game:
    """Ann has drawn the last card of the stock, and throws the king of diamonds: the deal is scored."""
    hand = others.pop("ann", "")
    game.given_deal(number, ann=f"{hand} {throws}", stock="3D |", **others)  # type: ignore[arg-type]
    return game.after(draw())


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("table.players", "allows")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_may_play(ace: Crazy, seats: int) -> None:
    """Seven cards each, the starter eight."""
    game = ace(seats=seats).given_start()
    assert sorted(len(hand) for hand in game.table.deal.hands) == [7] * (seats - 1) + [8]


@pytest.mark.clause("table.players", "refuses")
@pytest.mark.parametrize("seats", [1, 5])
def test_neither_one_nor_five_may_play(ace: Crazy, seats: int) -> None:
    """The game is refused."""
    with pytest.raises(Refused) as refused:
        ace(seats=seats)
    assert [fault.pointer for fault in refused.value.faults] == ["/seats"]


@pytest.mark.clause("wild.sequence-ace-to-ace", "allows")
@pytest.mark.clause("game.deals-fourteen", "allows")
def test_there_are_fourteen_deals_from_ace_to_ace(ace: Crazy) -> None:
    """Aces are wild in the first and in the last, which ends the game."""
    game = at_the_end(ace(), 14)
    assert "".join(rank for (rank,) in game.table.wilds) == "A23456789TJQKA"
    game.when(discard("KD"))
    assert game.table.status == "finished"


@pytest.mark.clause("run.ace-both", "allows")
def test_an_ace_is_low_or_high(ace: Crazy) -> None:
    """A-2-3 and Q-K-A; K-A-2 is no run."""
    game = ace().given_deal(9, ann="AC 2C 3C QH KH AH 2H 5D", stock="6D").after(draw())
    assert game.refuses(lay("KH AH 2H")).rule == "meld.shape"
    game.after(lay("AC 2C 3C"), lay("QH KH AH"))


# -- discards without a meld -------------------------------------------------------------------------------------------


def test_g21_what_may_be_taken_from_the_discard_pile(ace: Crazy) -> None:
    """Without a meld only a card that makes one; with a meld the top cards, which wait for the next turn."""
    game = ace().given_deal(5, ann="QC 2H KH", discards="4C 7D")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = ace().given_deal(5, ann="QC 2H KH", table=[OWN], discards="3H QD QH").after(draw("discard", 2))
    assert game.hand("ann") == "2H KH QC QD QH"
    assert game.refuses(lay("QC QD QH")).rule == "discard.after"
    game.when(discard("KH"))
    assert game.discards == "3H KH"


@pytest.mark.clause("discard.before", "allows")
@pytest.mark.clause("discard.before-meld", "allows")
def test_a_player_without_a_meld_takes_the_top_discard_to_meld_it(ace: Crazy) -> None:
    """The third queen, laid in the same turn."""
    game = ace().given_deal(5, ann="QC QD 2H KH", discards="4C QH").after(draw("discard"), lay("QC QD QH"))
    game.when(discard("KH"))
    assert game.hand("ann") == "2H"


@pytest.mark.clause("discard.use-new", "allows")
@pytest.mark.clause("discard.use-new", "refuses")
def test_the_discard_of_a_player_without_a_meld_lies_in_a_new_meld(ace: Crazy) -> None:
    """With three queens to lay the nine is not taken to be laid off; three nines are laid."""
    game = ace().given_deal(5, ann="QC QD QH KH 2C", table=["bea: 6S 7S 8S"], discards="4C 9S")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = ace().given_deal(5, ann="9C 9D QC QD QH KH 2C", table=["bea: 6S 7S 8S"], discards="4C 9S")
    game.after(draw("discard"), lay("QC QD QH"))
    assert game.refuses(lay_off(1, "9S")).rule == "discard.use-new"
    game.after(lay("9C 9D 9S"), discard("KH"))


@pytest.mark.clause("discard.before", "refuses")
def test_a_player_without_a_meld_takes_no_second_card(ace: Crazy) -> None:
    """Though both would make a meld."""
    game = ace().given_deal(5, ann="QC 2H KH", discards="4C QD QH")
    assert game.refuses(draw("discard", 2)).rule == "discard.before"
    assert draw("discard", 2) not in game.moves("ann")


@pytest.mark.clause("discard.before-meld", "refuses")
def test_a_player_without_a_meld_takes_no_card_that_makes_none(ace: Crazy) -> None:
    """A lay-off on another's run is not to be had before; and the turn does not end with the card in hand."""
    game = ace().given_deal(5, ann="QC 2H KH", table=["bea: 6S 7S 8S"], discards="4C 9S")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = ace().given_deal(5, ann="QC QD 2H KH", discards="4C QH").after(draw("discard"))
    assert game.refuses(discard("KH")).rule == "discard.use"


# -- discards with a meld ----------------------------------------------------------------------------------------------


@pytest.mark.clause("draw.discard-any", "allows")
@pytest.mark.parametrize(("count", "left"), [(1, "3C 4C 9D KH"), (2, "3C 4C KH"), (3, "3C KH"), (4, "KH")])
def test_a_player_with_a_meld_takes_any_number_of_discards(ace: Crazy, count: int, left: str) -> None:
    """From the top down, the whole pile as well."""
    game = ace().given_deal(5, ann="QC KH", table=[OWN], discards="3C 4C 9D 2H")
    game.after(draw("discard", count), discard("KH"))
    assert game.discards == left


@pytest.mark.clause("draw.discard-any", "refuses")
def test_no_more_discards_are_taken_than_there_are_and_only_one_card_of_the_stock(ace: Crazy) -> None:
    """Four lie there."""
    game = ace().given_deal(5, ann="QC KH", table=[OWN], discards="3C 4C 9D 2H")
    assert game.refuses(draw("discard", 5)).code == "illegal_move"
    assert game.refuses(draw("stock", 2)).rule == "draw.stock"


@pytest.mark.clause("discard.after", "allows")
def test_cards_taken_are_played_in_the_next_turn_and_others_in_this_one(ace: Crazy) -> None:
    """Ann lays her jacks now, and the queens when her turn comes again."""
    game = ace(seats=2).given_deal(
        5, ann="QC JC JD JH KH 2H", bea="3C 3D", table=[OWN], discards="4C QD QH", stock="7C 8C"
    )
    game.after(
        draw("discard", 2), lay("JC JD JH"), discard("KH"), draw(), discard("3C"), draw(), lay("QC QD QH")
    )
    assert game.melds[-1] == "QC QD QH"


@pytest.mark.clause("discard.after", "refuses")
def test_a_card_taken_is_neither_melded_nor_laid_off_nor_given_for_a_wild_in_this_turn(ace: Crazy) -> None:
    """9S would continue the run, QH make a set, 4H free the wild."""
    game = (
        ace()
        .given_deal(5, ann="QC QD KH 2C", table=[OWN, "bea: 2H 3H 5D=4H"], discards="4C QH 9S 4H")
        .after(draw("discard", 3))
    )
    assert game.refuses(lay("QC QD QH")).rule == "discard.after"
    assert game.refuses(lay_off(1, "9S")).rule == "discard.after"
    assert game.refuses(take_back(2, "5D", "4H")).rule == "discard.after"
    assert all(isinstance(move, type(discard("KH"))) for move in game.moves("ann"))


@pytest.mark.clause("discard.after", "refuses")
def test_a_meld_laid_in_this_turn_does_not_make_a_player_one_who_had_it(ace: Crazy) -> None:
    """The queen was taken to be melded, and is; the others of the hand are free."""
    game = ace().given_deal(5, ann="QC QD 9S KH 2C", table=["bea: 6S 7S 8S"], discards="4C QH")
    game.after(draw("discard"), lay("QC QD QH"), lay_off(1, "9S"), discard("KH"))
    assert game.hand("ann") == "2C"


@pytest.mark.clause("discard.no-return", "allows")
def test_of_several_cards_taken_together_any_may_be_thrown(ace: Crazy) -> None:
    """And a card from the stock, too."""
    for card in ("QD", "QH", "KH"):
        game = ace().given_deal(5, ann="QC KH", table=[OWN], discards="4C QD QH").after(draw("discard", 2))
        game.when(discard(card))
    stock = ace().given_deal(5, ann="QC KH", table=[OWN], stock="TD").after(draw(), discard("TD"))
    assert stock.hand("ann") == "KH QC"


@pytest.mark.clause("discard.no-return", "refuses")
def test_a_single_card_taken_is_not_thrown_back_nor_left_as_the_only_one(ace: Crazy) -> None:
    """With a last discard or without."""
    game = ace().given_deal(5, ann="QC KH", table=[OWN], discards="4C QH").after(draw("discard"))
    assert game.refuses(discard("QH")).rule == "discard.no-return"
    house: dict[str, HouseValue] = {"final_discard_required": False, "one_card_rule": False}
    game = ace(**house).given_deal(5, ann="9S", table=[OWN], discards="KH TS").after(draw("discard"))
    assert game.refuses(lay_off(1, "9S")).rule == "discard.after"
    assert game.moves("ann") == (discard("9S"),)


# -- whose card it is --------------------------------------------------------------------------------------------------


@pytest.mark.clause("layoff.owner", "allows")
@pytest.mark.clause("score.laid", "allows")
def test_every_card_counts_for_the_player_who_laid_it(ace: Crazy) -> None:
    """Ann has six, seven, eight; bea laid off nine and ten, and ann the jack: 31 and 19, less what they hold."""
    game = ace(seats=2)
    game.given_deal(
        5, ann="JS KD", bea="9S TS 2C 2D", table=[OWN, "bea: QC QD QH"], stock="3D 4D 3C |", to_move="bea"
    )
    game.after(draw(), lay_off(1, "9S TS"), discard("2D"), draw(), lay_off(1, "JS"), discard("KD"), draw())
    score = scored(game.when(discard("2C")))
    assert score.points == (21 + 10 - 4, 30 + 19 - 3 - 3)


@pytest.mark.clause("layoff.owner", "refuses")
def test_a_card_laid_off_does_not_count_for_the_owner_of_the_meld(ace: Crazy) -> None:
    """Bea's nine on ann's run: twenty-one for ann, nine for bea."""
    game = ace(seats=2)
    game.given_deal(5, ann="KD", bea="9S 2D", table=[OWN, "bea: QC QD QH"], stock="3D |", to_move="bea")
    game.after(draw(), lay_off(1, "9S"))
    assert [meld.by for meld in game.table.deal.melds] == [(0, 0, 0, 1), (1, 1, 1)]
    assert scored(game.when(discard("2D"))).points == (21 - 10, 30 + 9 - 3)


def test_g19_laid_cards_less_the_hand(ace: Crazy) -> None:
    """In the fifth deal: QS QH and a wild laid, AC and 7D in hand: 10 + 10 + 25 - 15 - 7."""
    game = ace().given_deal(5, ann="AC 7D", table=["ann: QS QH 5D=Q"], stock="3D |").after(draw())
    assert scored(game.when(discard("3D"))).points[0] == 23


@pytest.mark.clause("score.laid", "refuses")
def test_a_laid_wild_does_not_count_as_the_card_that_it_stands_for(ace: Crazy) -> None:
    """Twenty-five as a two and as a queen; an ace fifteen, low and high."""
    low = at_the_end(ace(), ann="7D", table=["ann: AC 5D=2C 3C"])
    assert scored(low.when(discard("KD"))).points[0] == 15 + 25 + 3 - 7 - 3
    high = at_the_end(ace(), ann="7D", table=["ann: QC 5D=KC AC"])
    assert scored(high.when(discard("KD"))).points[0] == 10 + 25 + 15 - 7 - 3


@pytest.mark.clause("score.hand", "refuses")
@pytest.mark.clause("score.total", "allows")
def test_a_hand_may_cost_more_than_was_laid(ace: Crazy) -> None:
    """Nothing laid, and twenty-five, fifteen, ten and three in hand: the total falls below nothing."""
    game = at_the_end(ace(), ann="5C AC QC", totals=(10, 20, 30))
    assert scored(game.when(discard("KD"))).points[0] == -53
    assert game.table.totals[0] == -43


@pytest.mark.clause("score.total", "refuses")
def test_a_total_does_not_change_before_the_deal_is_over(ace: Crazy) -> None:
    """Thirty laid by ann count only then."""
    game = ace().given_deal(5, ann="QC QD QH KD 3C", totals=(10, 20, 30)).after(draw(), lay("QC QD QH"))
    assert game.table.totals == (10, 20, 30)


# -- wilds taken back --------------------------------------------------------------------------------------------------


def test_g20_the_natural_given_for_a_wild_belongs_to_who_had_laid_the_wild(ace: Crazy) -> None:
    """Bea gives QD for ann's 5D: ann's 45 become 30, and bea holds a wild."""
    game = ace(seats=2)
    table = ["ann: QS QH 5D=Q", "bea: 2C 3C 4C"]
    game.given_deal(5, ann="AC 7D", bea="QD TD", table=table, stock="3D |", to_move="bea")
    game.after(draw(), take_back(1, "5D", "QD"))
    assert scored(game.when(discard("TD"))).points == (30 - 15 - 7, 9 - 25 - 3)


@pytest.mark.clause("reclaim.owner", "allows")
@pytest.mark.clause("score.exchange", "allows")
def test_the_natural_lies_before_the_player_who_had_laid_the_wild(ace: Crazy) -> None:
    """Cyd had laid the wild off on ann's run: bea's jack is cyd's now."""
    game = ace().given_deal(
        5,
        ann="TD",
        bea="9S 2D TH",
        cyd="5D 5C 3H",
        table=[OWN, "bea: QC QD QH", "cyd: 2H 2C 2S"],
        to_move="cyd",
    )
    game.after(
        draw(), lay_off(1, "5D=9S"), discard("3H"), draw(), discard("TD"), draw(), take_back(1, "5D", "9S")
    )
    assert game.table.deal.melds[0].by == (0, 0, 0, 2)
    assert "5D" in game.hand("bea")


@pytest.mark.clause("reclaim.owner", "refuses")
@pytest.mark.clause("score.exchange", "refuses")
def test_the_player_who_gives_the_natural_gets_no_points_for_it(ace: Crazy) -> None:
    """Bea has nine laid before and after, and the wild against her."""
    game = ace(seats=2)
    table = ["ann: QS QH 5D=Q", "bea: 2C 3C 4C"]
    game.given_deal(5, ann="AC 7D", bea="QD TD", table=table, stock="3D |", to_move="bea")
    game.after(draw(), take_back(1, "5D", "QD"))
    assert game.table.deal.melds[0].by == (0, 0, 0)
    assert scored(game.when(discard("TD"))).points[1] == 9 - 28


@pytest.mark.clause("reclaim.set-any", "allows")
@pytest.mark.clause("reclaim.set-limit", "allows")
@pytest.mark.parametrize("text", ["QS QH 5D=Q", "QS 5C=Q 5D=Q", "QS QH 5C=Q 5D=Q"])
def test_any_queen_frees_a_wild_of_a_set_with_one_or_two(ace: Crazy, text: str) -> None:
    """The queen of clubs."""
    game = (
        ace().given_deal(5, ann="QC KD", table=[f"bea: {text}", OWN]).after(draw(), take_back(1, "5D", "QC"))
    )
    assert "5D" in game.hand("ann")


@pytest.mark.clause("reclaim.set-limit", "refuses")
def test_a_set_with_three_wilds_frees_none(ace: Crazy) -> None:
    """More than two; where the game has no limit it frees one."""
    table = ["bea: QS 5C=Q 5D=Q 5H=Q", OWN]
    game = ace().given_deal(5, ann="QC KD", table=table).after(draw())
    assert game.refuses(take_back(1, "5D", "QC")).rule == "reclaim.fits"
    free = ace(set_swap_max_wilds=None).given_deal(5, ann="QC KD", table=table).after(draw())
    assert free.allows(take_back(1, "5D", "QC"))


# -- going out, and the end --------------------------------------------------------------------------------------------


@pytest.mark.clause("score.out", "allows")
def test_who_goes_out_has_nothing_against(ace: Crazy) -> None:
    """Forty laid; the others pay what they hold."""
    game = ace().given_deal(5, ann="9S TS", bea="AC", cyd="5C", table=[OWN], stock="KD")
    assert go_out(game).points == (40, -15, -25)
    assert game.table.outs[-1] == 0


@pytest.mark.clause("score.out", "refuses")
def test_going_out_is_worth_nothing_by_itself(ace: Crazy) -> None:
    """Ann has what she laid, and bea what she laid less her hand."""
    game = ace().given_deal(5, ann="9S TS", bea="3C", cyd="5C", table=[OWN, "bea: KC KH KS"], stock="KD")
    game.after(draw(), lay_off(1, "9S TS"))
    events = game.when(discard("KD"))
    assert ended(events) == DealEnded("went_out", 0)
    assert scored(events).points == (40, 27, -25)


@pytest.mark.clause("score.bonus", "allows")
def test_a_bonus_for_going_out_is_won_here(ace: Crazy) -> None:
    """Fifteen more, as points are good."""
    game = ace(going_out_bonus=15).given_deal(5, ann="9S TS", bea="AC", cyd="5C", table=[OWN], stock="KD")
    assert go_out(game).points[0] == 55


@pytest.mark.clause("score.bonus", "refuses")
def test_nobody_else_gets_the_bonus(ace: Crazy) -> None:
    """Where the stock runs out nobody does."""
    game = at_the_end(ace(going_out_bonus=15), ann="3C", table=[OWN])
    assert scored(game.when(discard("KD"))).points[0] == 21 - 6


@pytest.mark.clause("score.double", "allows")
@pytest.mark.parametrize("number", [7, 13])
def test_laid_cards_and_hands_may_count_double_when_sevens_or_kings_are_wild(ace: Crazy, number: int) -> None:
    """Thirty laid less eight in hand, twice."""
    game = at_the_end(ace(double_when_7_or_K_wild=True), number, "9D", ann="5H", table=["ann: QC QD QH"])
    assert scored(game.when(discard("9D"))).points[0] == 2 * (30 - 8)


@pytest.mark.clause("score.double", "refuses")
def test_in_other_deals_nothing_counts_double(ace: Crazy) -> None:
    """The sixth."""
    game = at_the_end(ace(double_when_7_or_K_wild=True), 6, "9D", ann="5H", table=["ann: QC QD QH"])
    assert scored(game.when(discard("9D"))).points[0] == 30 - 8


@pytest.mark.clause("score.partner", "allows")
@pytest.mark.clause("score.partner", "refuses")
def test_partners_add_their_points_and_the_hand_of_the_other_counts_against_them(ace: Crazy) -> None:
    """Ann goes out with forty; cyd, her partner, holds an ace: twenty-five for them."""
    game = ace(seats=4, teams="pairs")
    game.given_deal(5, ann="9S TS", bea="3C", cyd="AC", dan="4C", table=[OWN], stock="KD")
    assert go_out(game).points == (25, -7)


@pytest.mark.clause("score.winner", "allows")
@pytest.mark.clause("score.winner", "refuses")
def test_the_most_points_win(ace: Crazy) -> None:
    """Not the fewest: ann has 140, bea 85, cyd -25."""
    game = ace().given_deal(
        14, ann="9S TS", bea="AC 5H", cyd="5C", table=[OWN], stock="KD", totals=(100, 115, -20)
    )
    go_out(game)
    assert game.table.totals == (140, 85, -25)
    assert game.table.result is not None
    assert (game.table.result.winners, game.table.result.ranking) == ((0,), (0, 1, 2))


@pytest.mark.clause("score.tie", "allows")
@pytest.mark.clause("score.tie", "refuses")
def test_equal_highest_totals_win_together(ace: Crazy) -> None:
    """Ann and bea; two who share the lowest win nothing."""
    game = ace().given_deal(14, ann="9S TS", bea="3C", cyd="4C", table=[OWN], stock="KD", totals=(60, 103, 0))
    go_out(game)
    assert game.table.totals[:2] == (100, 100)
    assert game.table.result is not None
    assert game.table.result.winners == (0, 1)
    low = ace().given_deal(14, ann="9S TS", bea="3C", cyd="4C", table=[OWN], stock="KD", totals=(60, 3, 4))
    go_out(low)
    assert low.table.result is not None
    assert low.table.result.winners == (0,)
