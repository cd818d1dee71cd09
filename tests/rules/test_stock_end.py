"""The end of the stock, and the end of a deal in which nothing happens any more."""

from typing import Any

import pytest
from tests.rules.support import Crazy, about_to_go_out, ended, go_out, is_over, scored

from meldlog_contracts.cards import cards
from meldlog_contracts.commands import DeclineDiscard
from meldlog_contracts.events import CardDrawn, DealEnded, StockRenewed
from meldlog_contracts.sealed import cards_of
from meldlog_service.testing import Game, discard, draw, lay, lay_off


def renewal(events: tuple[object, ...]) -> StockRenewed:
    """The stock's renewal among these events."""
    (found,) = (event for event in events if isinstance(event, StockRenewed))
    return found


def pass_round(game: Game, turns: int) -> bool:
    """Let the players take the discard and put it back, so many turns: whether that ended the deal."""
    for turn in range(turns):
        game.when(draw("discard"))
        over = is_over(game.when(discard(game.table.deal.turn.taken[0])))
        if over:
            assert turn == turns - 1, f"the deal ended after {turn + 1} turns"
            return True
    return False


# -- the turn is finished, and the deal ends ---------------------------------------------------------------------------


@pytest.mark.clause("stock.end", "allows")
def test_whoever_draws_the_last_card_finishes_the_turn_and_then_the_deal_ends(crazy: Crazy) -> None:
    """Ann melds and discards; all hands are scored, and nobody went out: vector G10."""
    game = crazy().given_deal(2, ann="8C 8D KD 5S", bea="3C", cyd="4C", stock="8H |")
    game.after(draw(), lay("8C 8D 8H"))
    events = game.when(discard("KD"))
    assert ended(events) == DealEnded("stock_empty", None)
    assert scored(events).points == (5, 3, 4)
    assert game.table.outs[-1] is None


@pytest.mark.clause("stock.end", "allows")
def test_with_the_last_card_of_the_stock_a_player_may_still_go_out(crazy: Crazy) -> None:
    """The hand is empty, so somebody did go out."""
    game = crazy().given_deal(2, ann="9S TS", bea="3C", cyd="4C", table=["ann: 6S 7S 8S"], stock="KD |")
    assert go_out(game).points == (0, 3, 4)
    assert game.table.outs[-1] == 0


@pytest.mark.clause("stock.end", "refuses")
def test_the_deal_does_not_end_before_the_turn_is_finished_nor_while_a_card_is_left(crazy: Crazy) -> None:
    """Drawing the last card ends nothing; with one card left in the stock play goes on."""
    game = crazy().given_deal(2, ann="8C KD", stock="8H |")
    assert not is_over(game.when(draw()))
    more = crazy().given_deal(2, ann="8C KD", stock="8H 9H |").after(draw())
    assert not is_over(more.when(discard("KD")))


@pytest.mark.clause("stock.end", "refuses")
def test_the_discards_do_not_become_the_stock_unless_a_game_says_so(crazy: Crazy) -> None:
    """The deal ends with a full discard pile."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C 4C 5C", stock="8H |").after(draw())
    events = game.when(discard("KD"))
    assert not any(isinstance(event, StockRenewed) for event in events)


# -- the discards become the stock -------------------------------------------------------------------------------------


@pytest.mark.clause("stock.turn-over", "allows")
def test_the_discards_may_be_turned_over_to_be_the_stock(crazy: Crazy) -> None:
    """The bottom card is drawn first, the top card stays, and nothing is shuffled."""
    game = crazy(stock_exhaustion="turn_over").given_deal(
        2, ann="8C KD", bea="7H", stock="8H |", discards="4C"
    )
    game.after(draw(), discard("KD"))
    pile = game.table.deal.discard_pile
    events = game.when(draw())
    assert renewal(events) == StockRenewed(1, False, cards("KD"), renewal(events).stock, None)
    assert cards_of(renewal(events).stock) == pile[:-1]
    assert cards_of(next(event.card for event in events if isinstance(event, CardDrawn))) == pile[:1]
    assert game.discards == "KD"


@pytest.mark.clause("stock.turn-over", "refuses")
def test_the_discards_are_not_turned_over_before_a_card_is_needed(crazy: Crazy) -> None:
    """The stock may stay empty for a turn in which the discard is taken; and the deal does not end."""
    game = crazy(stock_exhaustion="turn_over").given_deal(
        2, ann="8C KD", bea="7H 3S", stock="8H |", discards="4C"
    )
    game.after(draw(), discard("KD"), draw("discard"), discard("3S"))
    assert (game.stock, game.table.deal.number, game.table.deal.renewals) == ((), 2, 0)


@pytest.mark.clause("stock.reshuffle", "allows")
def test_the_discards_may_be_shuffled_to_be_the_stock(crazy: Crazy) -> None:
    """The same cards in another order; the shuffle is committed to."""
    game = crazy(stock_exhaustion="reshuffle_keep_top").given_deal(
        2, ann="8C KD", stock="8H |", discards="4C"
    )
    game.after(draw(), discard("KD"))
    pile = game.table.deal.discard_pile
    made = renewal(game.when(draw()))
    assert made.shuffled
    assert made.commitment is not None
    assert sorted(cards_of(made.stock)) == sorted(pile[:-1])
    assert cards_of(made.stock) != pile[:-1]


@pytest.mark.clause("stock.reshuffle", "refuses")
def test_the_top_discard_is_not_shuffled_in(crazy: Crazy) -> None:
    """It lies where it lay, to be taken by the next player."""
    game = crazy(stock_exhaustion="reshuffle_keep_top").given_deal(
        2, ann="8C KD", stock="8H |", discards="4C"
    )
    made = renewal(game.after(draw(), discard("KD")).when(draw()))
    assert made.kept == ("KD",)
    assert "KD" not in cards_of(made.stock)


EVERYTHING_HELD: dict[str, Any] = {
    "ann": "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D",
    "bea": "5D 6D 7D 8D 9D TD JD QD KD AH 2H 3H 4H 5H 6H 7H 8H",
    "cyd": "9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS",
}
"""51 cards; the last one, KS, lies on the discard pile."""


@pytest.mark.clause("stock.nothing-left", "allows")
@pytest.mark.parametrize("how", ["turn_over", "reshuffle_keep_top"])
def test_where_nothing_lies_under_the_top_discard_the_deal_ends(crazy: Crazy, how: str) -> None:
    """Nobody has gone out, and all hands are scored."""
    game = crazy(stock_exhaustion=how).given_deal(2, discards="KS", stock="|", **EVERYTHING_HELD)
    events = game.when(draw())
    assert ended(events) == DealEnded("stock_empty", None)
    assert min(scored(events).points) > 0


@pytest.mark.clause("stock.nothing-left", "refuses")
@pytest.mark.parametrize("how", ["turn_over", "reshuffle_keep_top"])
def test_with_one_card_to_turn_over_the_deal_goes_on_and_the_last_discard_may_be_taken(
    crazy: Crazy, how: str
) -> None:
    """One card under the top one is a stock; and the lone discard is taken rather than ending the deal."""
    hands = {**EVERYTHING_HELD, "cyd": EVERYTHING_HELD["cyd"].removesuffix(" QS")}
    game = crazy(stock_exhaustion=how).given_deal(2, discards="QS KS", stock="|", **hands)
    assert cards_of(next(event.card for event in game.when(draw()) if isinstance(event, CardDrawn))) == (
        "QS",
    )
    lone = crazy(stock_exhaustion=how).given_deal(2, discards="KS", stock="|", **EVERYTHING_HELD)
    assert not is_over(lone.after(draw("discard")).when(discard("AC")))


@pytest.mark.clause("stock.idle-renewals", "allows")
@pytest.mark.parametrize("how", ["turn_over", "reshuffle_keep_top"])
def test_a_stock_renewed_three_times_for_nothing_ends_the_deal(crazy: Crazy, how: str) -> None:
    """Everybody draws and throws the card away; the fourth time the stock runs out the deal is over."""
    game = crazy(stock_exhaustion=how, seats=2).given_deal(2, discards="QS KS", stock="|", **_idle_hands())
    while not is_over(events := game.when(draw())):
        drawn = game.table.deal.turn.drawn
        assert drawn is not None
        assert not is_over(game.when(discard(drawn))), "ended by a discard"
    assert (ended(events), game.table.deal.number) == (DealEnded("no_progress", None), 3)
    renewed = [event for commit in game.log for event in commit.events if isinstance(event, StockRenewed)]
    assert [event.number for event in renewed] == [1, 2, 3]


@pytest.mark.clause("stock.idle-renewals", "refuses")
def test_a_card_played_to_the_table_lets_the_stock_be_renewed_again(crazy: Crazy) -> None:
    """After two renewals for nothing ann lays a meld: the count begins anew."""
    game = crazy(stock_exhaustion="turn_over", seats=2)
    game.given_deal(2, discards="QS KS", stock="|", **_idle_hands())
    while game.table.deal.renewals < 2:
        game.when(draw())
        drawn = game.table.deal.turn.drawn
        assert drawn is not None
        game.when(discard(drawn))
    while game.on_turn != "ann":
        game.after(draw(), discard(game.table.hand(1)[0]))
    assert game.table.deal.idle_renewals == 2
    game.after(draw(), lay("8C 8D 8H"))
    assert game.table.deal.idle_renewals == 0


def _idle_hands() -> dict[str, Any]:
    """Two hands that leave only the discards to draw from; ann could lay three eights."""
    return {
        "ann": "8C 8D 8H AC 3C 4C 5C 6C 7C 9C TC JC QC KC AD 3D 4D 5D 6D 7D 9D TD JD QD KD",
        "bea": "AH 3H 4H 5H 6H 7H 9H TH JH QH KH AS 3S 4S 5S 6S 7S 8S 9S TS JS 2C 2D 2H 2S",
    }


# -- play goes on with the discards ------------------------------------------------------------------------------------


@pytest.mark.clause("stock.until-refused", "allows")
def test_play_may_go_on_with_the_discards_until_somebody_declines(crazy: Crazy) -> None:
    """Ann takes the discard and throws another; bea does not want it, and that is the end."""
    game = crazy(stock_exhaustion="until_discard_refused")
    game.given_deal(2, ann="8C KD", bea="3C", cyd="4C", stock="|", discards="5C")
    game.after(draw("discard"), discard("KD"))
    assert game.on_turn == "bea"
    events = game.when(DeclineDiscard())
    assert ended(events) == DealEnded("discard_refused", 1)
    assert scored(events).points == (13, 3, 4)


@pytest.mark.clause("stock.until-refused", "refuses")
def test_with_an_empty_stock_nothing_is_drawn_from_it_and_the_taken_card_does_not_go_back(
    crazy: Crazy,
) -> None:
    """Nor may a player be left with that card alone; a copy that was in the hand before may be thrown."""
    game = crazy(stock_exhaustion="until_discard_refused")
    game.given_deal(2, ann="8C KD", stock="|", discards="5C")
    assert game.refuses(draw()).rule == "stock.until-refused"
    game.when(draw("discard"))
    assert game.refuses(discard("5C")).rule == "stock.until-refused"
    alone = crazy(stock_exhaustion="until_discard_refused", one_card_rule=False)
    alone.given_deal(2, ann="8C", table=["ann: 5H 6H 7H", "bea: 9C TC JC"], stock="|", discards="5C")
    alone.when(draw("discard"))
    assert alone.refuses(lay_off(2, "8C")).rule == "stock.until-refused"
    alone.when(discard("8C"))
    copies = crazy(stock_exhaustion="until_discard_refused", packs=2)
    copies.given_deal(2, ann="5C KD", stock="|", discards="5C").after(draw("discard"), discard("5C"))
    assert copies.hand("ann") == "5C KD"


@pytest.mark.clause("stock.until-refused", "refuses")
def test_a_player_with_one_card_can_only_decline_when_the_stock_is_empty(crazy: Crazy) -> None:
    """The one-card rule forbids the discard."""
    game = crazy(stock_exhaustion="until_discard_refused")
    game.given_deal(2, ann="8C", table=["ann: 5H 6H 7H"], stock="|", discards="5C")
    assert game.refuses(draw("discard")).rule == "one-card.stock"
    assert game.moves("ann") == (DeclineDiscard(),)


def test_until_the_stock_is_empty_a_game_that_goes_on_with_the_discards_is_like_any_other(
    crazy: Crazy,
) -> None:
    """The last card is drawn and the turn ended, and the deal goes on."""
    game = crazy(stock_exhaustion="until_discard_refused").given_deal(2, ann="8C KD", stock="3C |")
    assert not is_over(game.after(draw()).when(discard("KD")))
    assert game.on_turn == "bea"


# -- nothing happens any more ------------------------------------------------------------------------------------------


@pytest.mark.clause("stock.no-progress", "allows")
@pytest.mark.parametrize("seats", [2, 3])
def test_four_idle_turns_of_everybody_end_the_deal(crazy: Crazy, seats: int) -> None:
    """Everybody takes the discard and puts it back."""
    game = idle_from_here(crazy(seats=seats))
    assert pass_round(game, 4 * seats)
    assert game.table.outs[-1] is None


@pytest.mark.clause("stock.no-progress", "refuses")
def test_one_idle_turn_less_ends_nothing_and_a_draw_from_the_stock_begins_the_count_anew(
    crazy: Crazy,
) -> None:
    """Eleven idle turns, one draw, and again twelve are needed."""
    game = idle_from_here(crazy())
    assert not pass_round(game, 11)
    game.when(draw())
    assert not is_over(game.when(discard(game.table.hand(game.table.deal.turn.seat)[-1])))
    assert pass_round(game, 12)


@pytest.mark.clause("stock.no-progress", "refuses")
def test_a_card_played_to_the_table_is_progress(crazy: Crazy) -> None:
    """Ann takes the discard for a meld: the idle turns before it do not count any more."""
    game = idle_from_here(crazy())
    assert not pass_round(game, 9)
    assert game.on_turn == "ann"
    game.after(draw("discard"), lay("8C 8D 8H"), discard("3D"))
    assert game.table.deal.idle + game.table.deal.turn.is_progress == 0
    assert pass_round(game, 12)


@pytest.mark.clause("stock.no-progress-limit", "allows")
@pytest.mark.parametrize("limit", [1, 5])
def test_a_game_may_say_how_many_idle_turns_end_a_deal(crazy: Crazy, limit: int) -> None:
    """One is enough, or five."""
    assert pass_round(idle_from_here(crazy(no_progress_limit=limit)), limit)


@pytest.mark.clause("stock.no-progress-limit", "refuses")
def test_one_turn_less_than_the_limit_ends_nothing(crazy: Crazy) -> None:
    """Four of five."""
    assert not pass_round(idle_from_here(crazy(no_progress_limit=5)), 4)


def idle_from_here(game: Game) -> Game:
    """A turn was just ended that drew from the stock; ann, who is next, holds three eights and a three."""
    game.given_deal(2, to_move="bea", ann="8C 8D 8H 3D KD", bea="4C 4D", discards="5C", stock="JS QD TH")
    while game.on_turn != "ann":
        game.after(draw(), discard(game.table.hand(game.table.deal.turn.seat)[0]))
    return game


def test_a_deal_ended_by_the_stock_is_followed_by_the_next(crazy: Crazy) -> None:
    """The wild rank climbs, and the dealer moves on."""
    game = crazy().given_deal(2, ann="8C KD", stock="8H |").after(draw(), discard("KD"))
    assert (game.table.deal.number, game.table.deal.wild) == (3, ("3",))
    assert about_to_go_out(crazy()).table.deal.number == 2
