"""Deals that nobody wins, in basic Rummy and in Rami; vector A26."""

from typing import Any

import pytest
from tests.rules.support import ended, is_over, scored

from meldlog_contracts.cards import cards
from meldlog_contracts.commands import DeclineDiscard
from meldlog_contracts.events import DealEnded, DealScored, GameEnded
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off

GAMES = ("basic-rummy", "rami-simple", "rami-51", "rami-71")
every_game = pytest.mark.parametrize("variant", GAMES)


def nothing_left(play: Play, variant: str, **given: Any) -> Game:
    """No stock, and ann's own discard is the whole pile: bea holds every other card."""
    totals = given.pop("totals", None)
    table = given.pop("table", [])
    game = play(variant, seats=2, **given)
    rest = list(game.rules.pack())
    for card in (*cards("7H KD 5C"), *cards(" ".join(text.partition(":")[2] for text in table))):
        rest.remove(card)
    return game.given_deal(
        1 if totals is None else 2,
        ann="7H KD",
        bea=" ".join(rest),
        discards="5C",
        stock="|",
        totals=totals,
        table=table,
    )


def pass_round(game: Game, turns: int) -> list[bool]:
    """Let the players take the discard and throw another card, so many turns: after which the deal was over."""
    over = []
    for _ in range(turns):
        game.when(draw("discard"))
        turn = game.table.deal.turn
        card = next(card for card in game.table.hand(turn.seat) if card not in turn.taken)
        over.append(is_over(game.when(discard(card))))
    return over


def free_discards(variant: str) -> dict[str, Any]:
    """House rules by which anybody takes discards."""
    return {} if variant == "basic-rummy" else {"discard_take_before_meld": "free"}


@every_game
@pytest.mark.clause("deal.void", "allows")
@pytest.mark.clause("stock.nothing-left", "allows")
def test_with_stock_and_discards_used_up_the_deal_is_void(play: Play, variant: str) -> None:
    """Vector A26: whoever wants to draw ends it; no points, and the next dealer deals."""
    game = nothing_left(play, variant, totals=(30, 20))
    dealer = game.table.deal.dealer
    events = game.when(draw())
    assert ended(events) == DealEnded("void", None)
    assert scored(events).points == (0, 0)
    assert (game.table.totals, game.table.deal.dealer) == ((30, 20), 1 - dealer)


@every_game
@pytest.mark.clause("deal.void", "refuses")
@pytest.mark.clause("stock.nothing-left", "refuses")
def test_a_deal_that_somebody_wins_is_not_void_and_one_card_under_the_top_is_enough(
    play: Play, variant: str
) -> None:
    """Ann draws the card that lay under the top discard, and goes out by throwing it."""
    game = play(variant, seats=2)
    rest = list(game.rules.pack())
    for card in cards("3C 4C 5C 9D 9H 9S KD"):
        rest.remove(card)
    game.given_deal(1, ann="3C 4C 5C 9D 9H 9S", bea=" ".join(rest[1:]), discards=f"KD {rest[0]}", stock="|")
    game.when(draw())
    game.when(all_of(lay("3C 4C 5C"), lay("9D 9H 9S")))
    assert ended(game.when(discard(game.hand("ann")))) == DealEnded("went_out", 0)


@every_game
@pytest.mark.clause("deal.void-limit", "allows")
@pytest.mark.clause("deal.void-limit", "refuses")
def test_so_many_void_deals_in_a_row_end_the_game(play: Play, variant: str) -> None:
    """The prelude's deal and this one are two: with a limit of two the game is over, with three it goes on."""
    assert (
        nothing_left(play, variant, totals=(30, 20), void_deals_limit=3).after(draw()).table.status
        == "playing"
    )
    over = nothing_left(play, variant, totals=(30, 20), void_deals_limit=2).after(draw())
    (end,) = (event for event in over.log[-1].events if isinstance(event, GameEnded))
    assert end.winners == ((0,) if variant == "basic-rummy" else (1,))


@every_game
@pytest.mark.clause("score.tie", "allows")
@pytest.mark.clause("score.tie", "refuses")
def test_those_who_are_level_then_win_together(play: Play, variant: str) -> None:
    """And only they: one point makes the difference."""
    for totals, winners in (((20, 20), (0, 1)), ((20, 21), (1,) if variant == "basic-rummy" else (0,))):
        game = nothing_left(play, variant, totals=totals, void_deals_limit=1).after(draw())
        (end,) = (event for event in game.log[-1].events if isinstance(event, GameEnded))
        assert end.winners == winners


@every_game
@pytest.mark.clause("stock.end", "allows")
@pytest.mark.clause("stock.end", "refuses")
def test_a_game_may_end_a_deal_with_the_last_card_of_the_stock(play: Play, variant: str) -> None:
    """Void, if the hand is not empty then; not before the turn is finished."""
    game = play(variant, seats=2, stock_exhaustion="finish_turn_end").given_deal(1, ann="7H KD", stock="9C |")
    assert not is_over(game.when(draw()))
    assert ended(game.when(discard("KD"))) == DealEnded("void", None)
    assert game.table.totals == (0, 0)


@every_game
@pytest.mark.clause("stock.no-progress", "allows")
@pytest.mark.clause("stock.no-progress", "refuses")
def test_a_deal_in_which_nothing_happens_any_more_is_void(play: Play, variant: str) -> None:
    """Eight turns of two players; a draw from the stock begins the count anew."""
    game = play(variant, seats=2, **free_discards(variant))
    game.given_deal(1, ann="7H KD QC 8C JD", bea="2C 2D 5H 6C", discards="8D 9C")
    assert pass_round(game, 8) == [False] * 7 + [True]
    assert game.table.totals == (0, 0)
    again = play(variant, seats=2, **free_discards(variant))
    again.given_deal(1, ann="7H KD QC 8C JD", bea="2C 2D 5H 6C", discards="8D 9C", stock="3H")
    pass_round(again, 4)
    again.after(draw(), discard("3H"))
    assert pass_round(again, 7) == [False] * 7


@every_game
@pytest.mark.clause("stock.no-progress-limit", "allows")
@pytest.mark.clause("stock.no-progress-limit", "refuses")
def test_a_game_may_set_another_number_of_such_turns(play: Play, variant: str) -> None:
    """Three: the third ends the deal, the second does not."""
    game = play(variant, seats=2, no_progress_limit=3, **free_discards(variant))
    game.given_deal(1, ann="7H KD QC 8C JD", bea="2C 2D 5H 6C", discards="8D 9C", stock="3H")
    game.after(draw(), discard("7H"))
    assert pass_round(game, 3) == [False, False, True]


@every_game
@pytest.mark.clause("stock.until-refused", "allows")
@pytest.mark.clause("stock.until-refused", "refuses")
def test_a_game_may_go_on_with_the_discards_alone_until_somebody_declines(play: Play, variant: str) -> None:
    """Taking goes on, declining ends the deal, which is void; there is no stock to draw from."""
    house = {"stock_exhaustion": "until_discard_refused", **free_discards(variant)}
    game = play(variant, seats=2, **house).given_deal(1, ann="7H KD", bea="2C 2D", discards="9C", stock="|")
    assert game.refuses(draw()).rule == "stock.until-refused"
    assert not is_over(game.after(draw("discard")).when(discard("KD")))
    events = game.when(DeclineDiscard())
    assert (ended(events), scored(events).points) == (DealEnded("void", None), (0, 0))
    assert game.table.outs == (None,)


@every_game
@pytest.mark.clause("stock.idle-renewals", "allows")
@pytest.mark.clause("stock.idle-renewals", "refuses")
def test_after_three_renewals_without_a_play_the_deal_is_void(play: Play, variant: str) -> None:
    """The fourth time that the stock is empty; with one card laid off in between it would be renewed again."""
    for laid, void in ((False, True), (True, False)):
        house: dict[str, Any] = {"packs": 1, "printed_jokers": 0}
        if variant == "rami-simple":
            house["lay_mode"] = "progressive"
        game = play(variant, seats=2, **house)
        rest = list(game.rules.pack())
        for card in cards("2S 3S 4S 5S 7H 9C TC"):
            rest.remove(card)
        game.given_deal(
            1, ann="5S 7H", bea=" ".join(rest), discards="9C TC", table=["ann: 2S 3S 4S"], stock="|"
        )
        ends: list[DealScored] = []
        for renewals in range(4):
            events = game.when(draw())
            ends = [event for event in events if isinstance(event, DealScored)]
            if ends:
                break
            if laid and renewals == 2:
                game.when(lay_off(1, "5S"))
            game.when(discard(throw(game)))
        assert bool(ends) is void


def throw(game: Game) -> str:
    """A card of the hand of whoever is on turn, but the five of spades."""
    return next(card for card in game.table.hand(game.table.deal.turn.seat) if card != "5S")
