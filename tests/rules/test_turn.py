"""A turn: draw, play to the table, discard."""

import pytest
from tests.rules.options_for_tests import PutBack
from tests.rules.support import Crazy, is_over

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import AddPenalty, Decline, DeclineDiscard, ReturnDraw
from meldlog_contracts.events import CardDiscarded, CardDrawn, DiscardsTaken, DrawReturned, TurnPassed
from meldlog_contracts.sealed import unsealed_card
from meldlog_service.core.views import SPECTATOR, redact
from meldlog_service.testing import all_of, discard, draw, lay, lay_off, take_back

# -- whose turn, and what it is made of --------------------------------------------------------------------------------


@pytest.mark.clause("turn.order", "allows")
def test_after_the_discard_it_is_the_next_players_turn(crazy: Crazy) -> None:
    """Round the table and back to ann."""
    game = crazy().given_deal(2, ann="7H KD", bea="3C 3D", cyd="4C 4D", stock="8S TS QS")
    for player, card in (("ann", "KD"), ("bea", "3C"), ("cyd", "4C")):
        assert game.on_turn == player
        game.after(draw(), discard(card))
    assert game.on_turn == "ann"


@pytest.mark.clause("turn.order", "refuses")
def test_nobody_acts_out_of_turn(crazy: Crazy) -> None:
    """It is ann's turn: bea neither draws nor lays nor discards, and has no moves."""
    game = crazy().given_deal(2, ann="7H KD", bea="8C 8D 8H 3C")
    for command in (draw(), draw("discard"), lay("8C 8D 8H"), discard("3C")):
        refused = game.refuses(command, by="bea")
        assert (refused.rule, refused.code) == ("turn.order", "not_your_turn")
    assert game.moves("bea") == ()


@pytest.mark.clause("turn.phases", "allows")
def test_table_play_is_free_in_order_and_number(crazy: Crazy) -> None:
    """Two melds, a lay-off, an exchange and another meld, and then the discard."""
    game = crazy().given_deal(
        9, ann="8C 8D 8H 5D 6D 7D 7H TC JC QC 2S 3S", table=["bea: 5H 6H 9C=7H"], stock="KD"
    )
    game.after(draw(), lay("8C 8D 8H"), lay("5D 6D 7D"), take_back(1, "9C", "7H"))
    game.after(lay_off(2, "9C"), lay("TC JC QC"))
    assert game.when(discard("KD")) == (CardDiscarded(0, Card("KD")), TurnPassed(1, None))
    assert game.melds == ["5H 6H 7H", "8C 8D 8H 9C=8", "5D 6D 7D", "TC JC QC"]


@pytest.mark.clause("turn.phases", "refuses")
def test_the_discard_ends_the_turn(crazy: Crazy) -> None:
    """After it ann lays nothing more and discards no second card."""
    game = crazy().given_deal(2, ann="8C 8D 8H KD 3C").after(draw(), discard("KD"))
    assert game.refuses(lay("8C 8D 8H"), by="ann").rule == "turn.order"
    assert game.refuses(discard("3C"), by="ann").rule == "turn.order"


@pytest.mark.clause("turn.melding-free", "allows")
def test_a_player_may_keep_a_meld_in_hand(crazy: Crazy) -> None:
    """Three eights are kept and a king discarded."""
    game = crazy().given_deal(2, ann="8C 8D 8H KD", stock="3C").after(draw(), discard("KD"))
    assert game.hand("ann") == "3C 8C 8D 8H"


@pytest.mark.clause("turn.melding-free", "refuses")
def test_nothing_is_melded_for_a_player(crazy: Crazy) -> None:
    """The table is empty as long as nobody lays anything, and a meld in hand costs its points."""
    game = crazy(seats=2).given_deal(2, ann="KD", bea="8C 8D 8H", table=["ann: 6S 7S 8S"], stock="9S")
    events = game.after(draw(), lay_off(1, "9S")).when(discard("KD"))
    assert is_over(events)
    assert game.table.totals == (0, 24)


@pytest.mark.clause("card.held", "allows")
def test_a_player_plays_the_cards_of_the_hand(crazy: Crazy) -> None:
    """Also the card just drawn, and both copies where there are two."""
    game = crazy(packs=2).given_deal(2, ann="8C 8C KD", stock="8D").after(draw(), lay("8C 8C 8D"))
    assert game.hand("ann") == "KD"


@pytest.mark.clause("card.held", "refuses")
def test_nobody_plays_a_card_that_is_not_in_the_hand_or_one_card_twice(crazy: Crazy) -> None:
    """Not the stock's next card, not another's, not one laid a moment ago, not one copy for two."""
    game = crazy().given_deal(
        9, ann="8C 8D 8H 7S KD", bea="QC QD QH", table=["ann: 5H 6H 9C=7H"], stock="3C 4C"
    )
    game.when(draw())
    for command in (
        discard("4C"),
        lay("QC QD QH"),
        lay_off(1, "8S"),
        take_back(1, "9C", "7H"),
        lay("8C 8C 8D"),
    ):
        assert game.refuses(command).rule == "card.held"
    game.when(lay("8C 8D 8H"))
    assert game.refuses(discard("8C")).rule == "card.held"
    assert game.refuses(all_of(lay_off(2, "8S"), discard("KD"))).rule == "card.held"


# -- the draw ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("turn.draw-first", "allows")
def test_having_drawn_a_player_melds_and_discards(crazy: Crazy) -> None:
    """From either pile."""
    for source in (draw(), draw("discard")):
        game = crazy().given_deal(2, ann="8C 8D 8H KD", discards="3C").after(source, lay("8C 8D 8H"))
        game.when(discard("KD"))
        assert game.on_turn == "bea"


@pytest.mark.clause("turn.draw-first", "refuses")
def test_nothing_is_played_before_the_draw(crazy: Crazy) -> None:
    """No meld, no lay-off, no discard, and nothing is put back."""
    game = crazy().given_deal(2, ann="8C 8D 8H 9S KD", table=["ann: 6S 7S 8S"])
    for command in (lay("8C 8D 8H"), lay_off(1, "9S"), discard("KD")):
        refused = game.refuses(command)
        assert (refused.rule, refused.code) == ("turn.draw-first", "wrong_phase")


@pytest.mark.clause("turn.draw-once", "allows")
def test_a_player_draws_once_from_the_stock_or_from_the_discards(crazy: Crazy) -> None:
    """One card more in hand."""
    for source in (draw(), draw("discard")):
        game = crazy().given_deal(2, ann="8C KD", discards="3C").after(source)
        assert len(game.table.hand(0)) == 3


@pytest.mark.clause("turn.draw-once", "refuses")
def test_nobody_draws_twice(crazy: Crazy) -> None:
    """Neither again from the same pile nor from the other."""
    for source in (draw(), draw("discard")):
        game = crazy().given_deal(2, ann="8C KD", discards="3C 4C").after(source)
        assert game.refuses(draw()).rule == "turn.draw-once"
        assert game.refuses(draw("discard")).rule == "turn.draw-once"


@pytest.mark.clause("draw.stock", "allows")
def test_the_top_card_of_the_stock_is_drawn_unseen(crazy: Crazy) -> None:
    """Ann gets the front card; bea and a spectator are told that a card was drawn, and not which."""
    game = crazy().given_deal(2, ann="8C KD", stock="3C 4C")
    assert game.when(draw()) == (CardDrawn(0, unsealed_card(Card("3C"))),)
    for viewer in (1, SPECTATOR):
        (event,) = redact(game.log[-1], viewer).events
        assert isinstance(event, CardDrawn)
        assert not event.card.is_open
    assert game.stock[0] == "4C"


@pytest.mark.clause("draw.stock", "refuses")
def test_one_card_alone_is_drawn_from_the_stock(crazy: Crazy) -> None:
    """Two are refused, in every game."""
    assert crazy().given_deal(2).refuses(draw("stock", 2)).rule == "draw.stock"
    assert crazy(discard_take_count="any").given_deal(2).refuses(draw("stock", 2)).rule == "draw.stock"


@pytest.mark.clause("draw.discard", "allows")
def test_the_top_discard_may_be_taken(crazy: Crazy) -> None:
    """The last card discarded, for all to see."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C 4C")
    assert game.when(draw("discard")) == (DiscardsTaken(0, cards("4C")),)
    assert (game.discards, game.hand("ann")) == ("3C", "4C 8C KD")


@pytest.mark.clause("draw.discard", "refuses")
def test_nothing_is_taken_from_an_empty_discard_pile(crazy: Crazy) -> None:
    """It is empty before the first discard; and more cards than lie there are not taken either."""
    game = crazy(extra_card_to="none", starter_first_turn="normal")
    game.given_deal(2, first_turn=True, ann="8C KD")
    assert game.refuses(draw("discard")).rule == "draw.discard"
    many = crazy(discard_take_count="any").given_deal(2, ann="8C KD", discards="3C 4C")
    assert many.refuses(draw("discard", 3)).rule == "draw.discard"


@pytest.mark.clause("draw.discard-one", "allows")
def test_the_top_discard_is_taken_alone(crazy: Crazy) -> None:
    """The cards under it stay."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C 4C 5C").after(draw("discard"))
    assert game.discards == "3C 4C"


@pytest.mark.clause("draw.discard-one", "refuses")
def test_several_discards_are_not_taken_at_once(crazy: Crazy) -> None:
    """Two lie there, and two are refused."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C 4C 5C")
    assert game.refuses(draw("discard", 2)).rule == "draw.discard-one"


@pytest.mark.clause("draw.discard-any", "allows")
def test_several_discards_may_be_taken_where_a_game_says_so(crazy: Crazy) -> None:
    """From the top down: the two that were discarded last."""
    game = crazy(discard_take_count="any").given_deal(2, ann="8C KD", discards="3C 4C 5C")
    assert game.when(draw("discard", 2)) == (DiscardsTaken(0, cards("4C 5C")),)
    assert game.discards == "3C"


@pytest.mark.clause("draw.discard-any", "refuses")
def test_discards_are_not_picked_from_the_middle(crazy: Crazy) -> None:
    """Taking two brings both top cards, whichever of them is wanted."""
    game = crazy(discard_take_count="any").given_deal(2, ann="8C KD", discards="3C 4C 5C")
    game.when(draw("discard", 2))
    assert game.hand("ann") == "4C 5C 8C KD"


@pytest.mark.clause("draw.decline", "allows")
def test_a_rule_may_let_a_player_go_without_a_draw(crazy: Crazy) -> None:
    """Where play goes on with the discards alone, declining one ends the deal."""
    game = crazy(stock_exhaustion="until_discard_refused").given_deal(2, ann="8C KD", stock="|")
    assert is_over(game.when(DeclineDiscard()))


@pytest.mark.clause("draw.decline", "refuses")
def test_nobody_goes_without_a_draw(crazy: Crazy) -> None:
    """Not in the plain game, and not while there is a stock."""
    assert crazy().given_deal(2).refuses(DeclineDiscard()).rule == "draw.decline"
    game = crazy(stock_exhaustion="until_discard_refused").given_deal(2, ann="8C KD", stock="3C |")
    assert game.refuses(DeclineDiscard()).rule == "draw.decline"


@pytest.mark.clause("turn.return-draw", "allows")
def test_a_rule_may_let_a_player_put_a_discard_back_and_draw_anew(crazy: Crazy) -> None:
    """The discard lies where it lay, and the stock's card is drawn instead."""
    game = crazy("put-back", plugins=[PutBack()]).given_deal(2, ann="8C KD", discards="3C 4C", stock="5C")
    game.when(draw("discard"))
    assert game.when(ReturnDraw()) == (DrawReturned(0, cards("4C")),)
    game.when(draw())
    assert (game.discards, game.hand("ann")) == ("3C 4C", "5C 8C KD")


@pytest.mark.clause("turn.return-draw", "refuses")
def test_what_was_drawn_is_not_put_back(crazy: Crazy) -> None:
    """Neither a discard taken nor a card of the stock, nor before anything was drawn."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C 4C")
    before = game.refuses(ReturnDraw())
    assert (before.code, before.rule) == ("wrong_phase", "turn.draw-first")
    game.when(draw("discard"))
    stock = crazy("put-back", plugins=[PutBack()]).given_deal(2, ann="8C KD").after(draw())
    for after in (game.refuses(ReturnDraw()), stock.refuses(ReturnDraw())):
        assert (after.code, after.rule) == ("illegal_move", "turn.return-draw")


@pytest.mark.clause("turn.offer", "allows")
def test_after_a_deal_the_next_begins_with_nothing_offered(crazy: Crazy) -> None:
    """No player is asked anything between two deals."""
    game = crazy().given_deal(2, ann="8C KD", stock="3C |").after(draw())
    assert is_over(game.when(discard("KD")))
    assert (game.table.offer, game.table.deal.number, game.table.deal.turn.phase) == (None, 3, "play")


@pytest.mark.clause("turn.offer", "refuses")
def test_nobody_adds_points_or_declines_what_was_not_offered(crazy: Crazy) -> None:
    """In the draw as well as in the play."""
    game = crazy().given_deal(2, ann="8C KD")
    for _ in range(2):
        assert game.refuses(AddPenalty(2)).rule == "turn.offer"
        assert game.refuses(Decline()).rule == "turn.offer"
        if game.table.deal.turn.phase == "draw":
            game.when(draw())


# -- the discard -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("discard.compulsory", "allows")
def test_any_card_of_the_hand_may_be_discarded(crazy: Crazy) -> None:
    """Every one of three, the wild included."""
    for card in ("8C", "2D", "3C"):
        game = crazy().given_deal(2, ann="8C 2D", stock="3C").after(draw(), discard(card))
        assert game.discards.endswith(card)


@pytest.mark.clause("discard.compulsory", "refuses")
def test_the_turn_does_not_pass_without_a_discard(crazy: Crazy) -> None:
    """After drawing and melding it is still ann's turn, and bea must wait."""
    game = crazy().given_deal(2, ann="8C 8D 8H KD").after(draw(), lay("8C 8D 8H"))
    assert game.on_turn == "ann"
    assert game.refuses(draw(), by="bea").rule == "turn.order"


@pytest.mark.clause("discard.taken-free", "allows")
def test_a_discard_may_be_taken_to_be_kept(crazy: Crazy) -> None:
    """By a player without a meld, who has no use for it in this turn."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C").after(draw("discard"), discard("KD"))
    assert game.hand("ann") == "3C 8C"


@pytest.mark.clause("discard.taken-free", "refuses")
def test_taking_a_discard_obliges_to_nothing(crazy: Crazy) -> None:
    """Every discard is still among the moves."""
    game = crazy().given_deal(2, ann="8C KD", discards="3C").after(draw("discard"))
    assert set(game.moves("ann")) == {discard("8C"), discard("KD"), discard("3C")}


@pytest.mark.clause("discard.return", "allows")
def test_the_card_just_drawn_may_be_discarded(crazy: Crazy) -> None:
    """From the stock or from the pile."""
    for source in (draw(), draw("discard")):
        game = crazy().given_deal(2, ann="8C KD", discards="3C", stock="4C").after(source)
        game.when(discard("3C" if source == draw("discard") else "4C"))
        assert game.hand("ann") == "8C KD"


@pytest.mark.clause("discard.return", "refuses")
def test_the_card_just_drawn_is_not_discarded_twice(crazy: Crazy) -> None:
    """It went to the pile; the turn is over."""
    game = crazy().given_deal(2, ann="8C KD", stock="4C").after(draw(), discard("4C"))
    assert game.refuses(discard("4C"), by="ann").rule == "turn.order"


@pytest.mark.clause("discard.no-return", "allows")
def test_where_a_taken_discard_may_not_go_back_other_cards_may(crazy: Crazy) -> None:
    """A card of the hand; the card drawn from the stock; the copy that was in the hand before."""
    game = (
        crazy(may_return_taken_discard=False).given_deal(2, ann="8C KD", discards="3C").after(draw("discard"))
    )
    game.when(discard("KD"))
    stock = crazy(may_return_taken_discard=False).given_deal(2, ann="8C KD", stock="4C").after(draw())
    stock.when(discard("4C"))
    copies = crazy(may_return_taken_discard=False, packs=2).given_deal(2, ann="3C KD", discards="3C")
    copies.after(draw("discard"), discard("3C"))
    assert copies.hand("ann") == "3C KD"


@pytest.mark.clause("discard.no-return", "refuses")
def test_a_taken_discard_may_not_go_back_where_a_game_says_so(crazy: Crazy) -> None:
    """Nor may a player be left with nothing else to discard."""
    game = crazy(may_return_taken_discard=False, one_card_rule=False)
    game.given_deal(2, ann="8C 8S", table=["ann: 5C 6C 7C"], discards="3D").after(draw("discard"))
    assert game.refuses(discard("3D")).rule == "discard.no-return"
    game.when(lay_off(1, "8C"))
    alone = crazy(may_return_taken_discard=False, one_card_rule=False)
    alone.given_deal(2, ann="8C", table=["ann: 5C 6C 7C"], discards="3D").after(draw("discard"))
    assert alone.refuses(lay_off(1, "8C")).rule == "discard.no-return"
    alone.when(discard("8C"))


# -- lists of commands -------------------------------------------------------------------------------------------------


@pytest.mark.clause("turn.list", "allows")
def test_a_list_of_commands_is_one_move(crazy: Crazy) -> None:
    """Taking the discard, a meld and the discard in one; the draw from the stock may be the last of a list."""
    game = crazy().given_deal(2, ann="8C 8D KD 3C", discards="8H", bea="QC QD", stock="QH")
    game.when(all_of(draw("discard"), lay("8C 8D 8H"), discard("KD")))
    assert (game.melds, game.on_turn) == (["8C 8D 8H"], "bea")
    game.when(all_of(draw()))
    assert game.hand("bea") == "QC QD QH"


@pytest.mark.clause("turn.list", "refuses")
def test_a_list_of_commands_does_not_go_on_after_a_draw_from_the_stock(crazy: Crazy) -> None:
    """Whoever sends one could try until it fits, and learn the card without drawing it."""
    game = crazy().given_deal(2, ann="8C 8D KD 3C", stock="8H")
    assert game.refuses(all_of(draw(), lay("8C 8D 8H"))).rule == "turn.list"
    assert game.refuses(all_of(draw(), discard("KD"))).rule == "turn.list"


def test_a_list_is_all_or_nothing(crazy: Crazy) -> None:
    """The meld is good and the discard is not: nothing is laid."""
    game = crazy().given_deal(2, ann="8C 8D 8H KD 3C").after(draw())
    version = game.table.version
    assert game.refuses(all_of(lay("8C 8D 8H"), discard("8C"))).rule == "card.held"
    assert (game.table.version, game.melds) == (version, [])
