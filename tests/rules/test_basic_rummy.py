"""Basic Rummy: the deal, the turn and the three ways of going out; vectors R1, R4 and R6."""

from typing import Any

import pytest
from tests.rules.support import ended, is_over, scored

from meldlog_contracts.commands import NameWild, Reclaim
from meldlog_contracts.events import DealEnded, StockRenewed
from meldlog_contracts.problems import Refused
from meldlog_contracts.sealed import cards_of
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off

OWN = "ann: 6S 7S 8S"


def basic(play: Play, seats: int = 3, **house_rules: Any) -> Game:
    """A game of Basic Rummy."""
    return play("basic-rummy", seats=seats, **house_rules)


# -- the table and the deal --------------------------------------------------------------------------------------------


@pytest.mark.clause("table.players", "allows")
@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_play(play: Play, seats: int) -> None:
    """Each for oneself."""
    assert basic(play, seats).given_start().table.sides == seats


@pytest.mark.clause("table.players", "refuses")
@pytest.mark.parametrize("seats", [1, 7])
def test_neither_one_nor_seven_play(play: Play, seats: int) -> None:
    """With a pointer to the seats."""
    with pytest.raises(Refused) as refused:
        basic(play, seats)
    assert [fault.pointer for fault in refused.value.faults] == ["/seats"]


@pytest.mark.clause("deal.by-players", "allows")
@pytest.mark.clause("deal.extra-card-none", "allows")
@pytest.mark.parametrize(
    ("seats", "size"),
    [
        pytest.param(seats, size, id=f"R1 {seats}")
        for seats, size in ((2, 10), (3, 7), (4, 7), (5, 6), (6, 6))
    ],
)
def test_the_number_of_cards_depends_on_the_number_of_players(play: Play, seats: int, size: int) -> None:
    """Ten, seven or six each, nobody one more; the rest is the stock, its top card turned up."""
    deal = basic(play, seats).given_start().table.deal
    assert [len(hand) for hand in deal.hands] == [size] * seats
    assert (len(deal.discard_pile), len(deal.stock)) == (1, 52 - seats * size - 1)


@pytest.mark.clause("deal.by-players", "refuses")
def test_a_game_may_deal_another_number_of_cards_but_not_more_than_there_are(play: Play) -> None:
    """Eight each by a house rule; six times nine leaves no stock."""
    assert [len(hand) for hand in basic(play, hand_size=8).given_start().table.deal.hands] == [8, 8, 8]
    with pytest.raises(Refused) as refused:
        basic(play, 6, hand_size=9)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/hand_size"]


@pytest.mark.clause("deal.turned-up", "allows")
@pytest.mark.clause("deal.starter-draws", "allows")
def test_the_starter_may_take_the_card_turned_up(play: Play) -> None:
    """The first turn is like any other."""
    game = basic(play).given_deal(1, first_turn=True, ann="7H 8H KD", discards="9H")
    game.after(draw("discard"), lay("7H 8H 9H"))
    assert game.melds == ["7H 8H 9H"]


@pytest.mark.clause("deal.turned-up", "refuses")
@pytest.mark.clause("deal.starter-draws", "refuses")
def test_the_starter_does_not_play_without_a_draw(play: Play) -> None:
    """Neither to the table nor a discard; where no card is turned up there is none to take."""
    game = basic(play).given_deal(1, first_turn=True, ann="7H 8H 9H KD", discards="5C")
    assert game.refuses(lay("7H 8H 9H")).rule == "turn.draw-first"
    assert game.refuses(discard("KD")).rule == "turn.draw-first"
    closed = basic(play, initial_upcard=False).given_deal(1, first_turn=True, ann="7H 8H 9H KD")
    assert closed.refuses(draw("discard")).rule == "draw.discard"


@pytest.mark.clause("deal.rotation-winner", "allows")
@pytest.mark.clause("deal.rotation-winner", "refuses")
def test_with_two_the_winner_may_deal_next(play: Play) -> None:
    """Ann goes out and deals; as a rule the other one would after her deal."""
    for rotation, dealer in (("winner_deals", 0), ("next", 0)):
        game = basic(play, 2, dealer_rotation=rotation)
        game.given_deal(1, ann="9S", bea="2C", table=[OWN], stock="KD")
        before = game.table.deal.dealer
        game.after(draw(), lay_off(1, "9S"), discard("KD"))
        assert game.table.deal.dealer == (dealer if rotation == "winner_deals" else 1 - before)


@pytest.mark.clause("wild.named-first", "allows")
def test_no_card_is_wild(play: Play) -> None:
    """In no deal: a set wants three cards of its rank."""
    game = basic(play).given_deal(2, ann="2S 2H 2D KD")
    assert game.table.deal.wild == ()
    game.after(draw(), lay("2S 2H 2D"))
    assert game.melds == ["2D 2H 2S"]


@pytest.mark.clause("wild.named-first", "refuses")
def test_nobody_names_a_wild_rank(play: Play) -> None:
    """The two of the second deal stands for nothing else either."""
    game = basic(play).given_deal(2, ann="QS QH 2D KD")
    assert game.refuses(NameWild("2")).rule == "wild.named-first"
    game.when(draw())
    assert game.refuses(lay("QS QH 2D")).rule == "meld.shape"
    assert game.refuses(lay("QS QH 2D=Q")).rule == "meld.shape"


# -- the card taken ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("discard.taken-free", "allows")
@pytest.mark.clause("discard.no-return", "allows")
def test_a_discard_may_be_taken_and_kept_and_a_card_from_the_stock_thrown(play: Play) -> None:
    """It need not be used."""
    game = basic(play).given_deal(1, ann="7H KD", discards="5C", stock="9D 9H 9C")
    game.after(draw("discard"), discard("KD"), draw(), discard("9D"))
    assert game.hand("ann") == "5C 7H"


@pytest.mark.clause("discard.no-return", "refuses")
def test_the_card_taken_is_not_thrown_in_the_same_turn(play: Play) -> None:
    """Vector R4; nor may it be the only card left, unless it can be laid."""
    game = basic(play).given_deal(1, ann="7H 9S KD", table=[OWN], discards="5C")
    game.when(draw("discard"))
    assert game.refuses(discard("5C")).rule == "discard.no-return"
    stuck = basic(play).given_deal(1, ann="9S", table=[OWN], discards="5C").after(draw("discard"))
    assert stuck.refuses(lay_off(1, "9S")).rule == "discard.no-return"
    fits = basic(play).given_deal(1, ann="9S", bea="2C", table=[OWN], discards="TS").after(draw("discard"))
    fits.when(lay_off(1, "9S"))
    assert is_over(fits.when(lay_off(1, "TS")))


# -- going out ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("final-discard.free", "allows")
@pytest.mark.clause("discard.unless-out", "allows")
@pytest.mark.parametrize(
    ("hand", "drawn", "last"),
    [
        pytest.param("7H 8H", "9H", [lay("7H 8H 9H")], id="the last cards melded"),
        pytest.param("9S", "TS", [lay_off(1, "9S"), lay_off(1, "TS")], id="the last card laid off"),
        pytest.param("9S", "KD", [lay_off(1, "9S"), discard("KD")], id="the last card discarded"),
    ],
)
def test_there_are_three_ways_of_going_out(play: Play, hand: str, drawn: str, last: list[Any]) -> None:
    """The hand is empty, and the deal is over."""
    game = basic(play).given_deal(1, ann=hand, table=[OWN], stock=drawn).after(draw(), *last[:-1])
    assert ended(game.when(last[-1])) == DealEnded("went_out", 0)


@pytest.mark.clause("final-discard.free", "refuses")
@pytest.mark.clause("discard.unless-out", "refuses")
def test_as_long_as_a_card_is_left_nobody_is_out_and_the_turn_wants_a_discard(play: Play) -> None:
    """After the lay-off ann still holds a king, and bea is not on turn yet; two cards are never thrown."""
    game = basic(play).given_deal(1, ann="9S 2D", table=[OWN], stock="KD").after(draw())
    assert not is_over(game.when(lay_off(1, "9S")))
    assert game.refuses(draw(), by="bea").rule == "turn.order"
    assert not is_over(game.when(discard("KD")))
    assert game.refuses(discard("2D"), by="ann").rule == "turn.order"


def test_a_game_may_ask_for_a_last_discard(play: Play) -> None:
    """Then three cards are not all melded."""
    game = basic(play, final_discard_required=True).given_deal(1, ann="7H 8H", stock="9H").after(draw())
    assert game.refuses(lay("7H 8H 9H")).rule == "final-discard"


# -- the stock ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("stock.reshuffle", "allows")
def test_when_the_stock_is_empty_the_discards_are_shuffled_and_the_top_one_stays(play: Play) -> None:
    """Vector R6: of nine discards eight are the new stock."""
    pile = "2C 3C 4C 5D 6D 7D 8H 9H TH"
    game = basic(play, 2).given_deal(1, ann="KD KH QS", bea=rest(pile, "KD KH QS"), discards=pile, stock="|")
    events = game.when(draw())
    (renewed,) = (event for event in events if isinstance(event, StockRenewed))
    assert len(cards_of(renewed.stock)) == 8
    assert (game.discards, len(game.stock)) == ("TH", 7)


def rest(*elsewhere: str) -> str:
    """Every card of the pack that does not lie elsewhere."""
    there = " ".join(elsewhere).split()
    return " ".join(rank + suit for rank in "A23456789TJQK" for suit in "CDHS" if rank + suit not in there)


@pytest.mark.clause("layoff.free", "allows")
@pytest.mark.clause("layoff.meld", "allows")
def test_cards_are_laid_off_on_anybodys_melds_without_a_meld_of_ones_own(play: Play) -> None:
    """Ann has laid nothing."""
    game = basic(play).given_deal(1, ann="5H 2D KD", table=["bea: 5C 5D 5S"], stock="9C")
    game.after(draw(), lay_off(1, "5H"))
    assert game.melds == ["5C 5D 5S 5H"]


@pytest.mark.clause("layoff.meld", "refuses")
def test_a_card_is_not_laid_off_where_no_meld_lies(play: Play) -> None:
    """There is one meld on the table, not two."""
    game = basic(play).given_deal(1, ann="5H KD", table=["bea: 5C 5D 5S"], stock="9C").after(draw())
    assert game.refuses(lay_off(2, "5H")).rule == "layoff.meld"


@pytest.mark.clause("layoff.fits", "allows")
def test_a_fourth_five_joins_three_and_a_two_goes_below_a_three(play: Play) -> None:
    """Vector R2."""
    game = basic(play).given_deal(1, ann="5H 2D KD", table=["bea: 5C 5S 5D"])
    game.after(draw(), lay_off(1, "5H"))
    run = basic(play).given_deal(1, ann="2D KD", table=["cyd: 3D 4D 5D 6D"]).after(draw(), lay_off(1, "2D"))
    assert (game.melds, run.melds) == (["5C 5D 5S 5H"], ["2D 3D 4D 5D 6D"])


@pytest.mark.clause("layoff.fits", "refuses")
def test_a_card_that_continues_nothing_is_not_laid_off(play: Play) -> None:
    """Two places away from the run; of another rank than the set."""
    game = (
        basic(play).given_deal(1, ann="8D 6H KC", table=["bea: 5C 5H 5S", "cyd: 3D 4D 5D 6D"]).after(draw())
    )
    assert game.refuses(lay_off(2, "8D")).rule == "layoff.fits"
    assert game.refuses(lay_off(1, "6H")).rule == "layoff.fits"


@pytest.mark.clause("reclaim.wild", "allows")
def test_cards_on_the_table_stay_there(play: Play) -> None:
    """A run grows, and nothing of it is listed to be taken."""
    game = basic(play).given_deal(1, ann="5H 2D KD", table=["bea: 3D 4D 5D"]).after(draw())
    game.when(lay_off(1, "2D"))
    assert game.melds == ["2D 3D 4D 5D"]
    assert not any(isinstance(move, Reclaim) for move in game.moves("ann"))


@pytest.mark.clause("reclaim.wild", "refuses")
def test_no_card_is_taken_back_from_the_table(play: Play) -> None:
    """Not in exchange for the same rank, nor in a list after a meld of one's own."""
    game = basic(play).given_deal(1, ann="5H 5S 7C 8C 9C KD", table=["bea: 3D 4D 5D"]).after(draw())
    exchange = Reclaim(1, game.table.hand(0)[0], game.table.deal.melds[0].cards[2])
    assert game.refuses(exchange).rule == "reclaim.wild"
    assert game.refuses(all_of(lay("7C 8C 9C"), exchange)).rule == "reclaim.wild"


def test_the_deal_is_scored_for_whoever_is_out(play: Play) -> None:
    """Bea's king and ace are ann's."""
    game = basic(play, 2).given_deal(1, ann="9S", bea="KD AC", table=[OWN], stock="KH")
    game.after(draw(), lay_off(1, "9S"))
    assert scored(game.when(discard("KH"))).points == (11, 0)
