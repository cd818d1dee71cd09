"""The one-card rule: with one card left a player draws from the stock, and goes out or keeps what was drawn."""

import pytest
from tests.rules.support import Crazy, ended

from meldlog_contracts.commands import PlayCommand
from meldlog_contracts.events import DealEnded
from meldlog_service.testing import all_of, discard, draw, lay_off, take_back

QUEENS = "bea: QS QH QD"
OWN = "ann: 2S 3S 4S"


@pytest.mark.clause("one-card.stock", "allows")
def test_a_player_with_one_card_draws_from_the_stock(crazy: Crazy) -> None:
    """Two cards are in hand then."""
    game = crazy().given_deal(9, ann="KC", table=[OWN], stock="2H").after(draw())
    assert game.hand("ann") == "2H KC"


@pytest.mark.clause("one-card.stock", "refuses")
def test_a_player_with_one_card_does_not_take_the_discard(crazy: Crazy) -> None:
    """It is refused, and not among the moves; a player with two cards may take it: vector G5."""
    game = crazy().given_deal(9, ann="KC", table=[OWN], discards="5S")
    assert game.refuses(draw("discard")).rule == "one-card.stock"
    assert game.moves("ann") == (draw(),)
    assert crazy().given_deal(9, ann="KC KD", table=[OWN], discards="5S").allows(draw("discard"))


@pytest.mark.clause("one-card.out", "allows")
@pytest.mark.parametrize(("held", "drawn", "thrown"), [("QC", "2H", "2H"), ("2H", "QC", "2H")])
def test_a_player_with_one_card_goes_out_by_laying_either_card_off(
    crazy: Crazy, held: str, drawn: str, thrown: str
) -> None:
    """The queen joins the set, whether it was held or drawn, and the two is discarded: vectors G6 and G7."""
    game = crazy().given_deal(9, ann=held, table=[QUEENS, OWN], stock=drawn).after(draw(), lay_off(1, "QC"))
    assert ended(game.when(discard(thrown))) == DealEnded("went_out", 0)


@pytest.mark.clause("one-card.out", "refuses")
def test_a_player_with_one_card_does_not_go_out_with_cards_that_fit_nothing(crazy: Crazy) -> None:
    """Neither card fits a meld; and both together are not laid off."""
    game = crazy().given_deal(9, ann="QC", table=[QUEENS, OWN], stock="5S").after(draw())
    assert game.refuses(all_of(lay_off(1, "QC"), lay_off(2, "5S"))).rule == "final-discard"
    poor = crazy().given_deal(9, ann="KC", table=[QUEENS, OWN], stock="7D").after(draw())
    assert poor.refuses(lay_off(1, "KC")).rule == "layoff.fits"


@pytest.mark.clause("one-card.out", "allows")
def test_going_out_with_one_card_is_not_compulsory(crazy: Crazy) -> None:
    """Ann declines: she discards the queen that would fit, and keeps the two: vector G6."""
    game = crazy().given_deal(9, ann="QC", table=[QUEENS, OWN], stock="2H").after(draw(), discard("QC"))
    assert (game.hand("ann"), game.table.deal.number) == ("2H", 9)


@pytest.mark.clause("one-card.out-free", "allows")
@pytest.mark.parametrize("last", [lay_off(2, "5S"), discard("5S")])
def test_where_no_last_discard_is_needed_the_other_card_may_be_laid_off_too(
    crazy: Crazy, last: PlayCommand
) -> None:
    """The queen joins the queens, and the five goes on the run or on the discard pile."""
    game = crazy(final_discard_required=False).given_deal(9, ann="QC", table=[QUEENS, OWN], stock="5S")
    assert ended(game.after(draw(), lay_off(1, "QC")).when(last)) == DealEnded("went_out", 0)


@pytest.mark.clause("one-card.out-free", "refuses")
def test_where_no_last_discard_is_needed_the_drawn_card_is_not_thrown_back_either(crazy: Crazy) -> None:
    """Who lays nothing off keeps it."""
    game = crazy(final_discard_required=False).given_deal(9, ann="AD", table=[OWN], stock="KC").after(draw())
    assert game.refuses(discard("KC")).rule == "one-card.keep"
    assert game.refuses(lay_off(1, "KC")).rule == "layoff.fits"


@pytest.mark.clause("one-card.keep", "allows")
def test_who_does_not_go_out_with_one_card_keeps_the_drawn_one(crazy: Crazy) -> None:
    """The old card is discarded."""
    game = crazy().given_deal(9, ann="KC", table=[OWN], stock="AD").after(draw(), discard("KC"))
    assert game.hand("ann") == "AD"


@pytest.mark.clause("one-card.keep", "refuses")
def test_the_card_drawn_with_one_in_hand_is_not_thrown_back(crazy: Crazy) -> None:
    """An ace cannot be held while other cards are drawn and discarded: vector G6."""
    game = crazy().given_deal(9, ann="AD", table=[OWN], stock="KC").after(draw())
    assert game.refuses(discard("KC")).rule == "one-card.keep"
    assert set(game.moves("ann")) == {discard("AD")}


def test_a_copy_of_the_card_held_makes_no_difference(crazy: Crazy) -> None:
    """With two packs the drawn card may be the twin of the old one: either text is the same discard."""
    game = crazy(packs=2).given_deal(9, ann="KC", table=[OWN], stock="KC").after(draw(), discard("KC"))
    assert game.hand("ann") == "KC"


@pytest.mark.clause("one-card.exchange", "allows")
def test_a_player_with_one_card_may_exchange_on_the_way_out(crazy: Crazy) -> None:
    """5C for the nine, the nine laid off above, and the drawn card discarded: vector G8."""
    game = crazy().given_deal(9, ann="5C", table=["ann: 9D=5C 6C 7C"], stock="KH")
    game.after(draw(), take_back(1, "9D", "5C"))
    assert set(game.moves("ann")) == {lay_off(1, "9D", "low"), lay_off(1, "9D", "high")}
    game.when(lay_off(1, "9D=8C"))
    assert ended(game.when(discard("KH"))) == DealEnded("went_out", 0)


@pytest.mark.clause("one-card.exchange", "allows")
def test_the_drawn_card_may_be_the_one_exchanged(crazy: Crazy) -> None:
    """The five is drawn; the old card is discarded in the end, or laid off and the wild discarded."""
    game = crazy().given_deal(9, ann="KH", table=["ann: 9D=5C 6C 7C"], stock="5C")
    game.after(draw(), take_back(1, "9D", "5C"), lay_off(1, "9D=4C"))
    assert ended(game.when(discard("KH"))) == DealEnded("went_out", 0)
    other = crazy().given_deal(9, ann="8C", table=["ann: 9D=5C 6C 7C"], stock="5C")
    other.after(draw(), take_back(1, "9D", "5C"), lay_off(1, "8C"))
    assert ended(other.when(discard("9D"))) == DealEnded("went_out", 0)


@pytest.mark.clause("one-card.exchange", "allows")
def test_two_exchanges_may_be_the_way_out(crazy: Crazy) -> None:
    """The sets are full and the runs closed, until the second exchange opens a place for the first wild."""
    table = ["ann: KS KC KD 9H=K", "bea: 9D=5C 6C 7C"]
    game = crazy().given_deal(9, ann="KH", table=table, stock="5C")
    game.after(draw(), take_back(1, "9H", "KH"), take_back(2, "9D", "5C"), lay_off(2, "9D=8C"))
    assert ended(game.when(discard("9H"))) == DealEnded("went_out", 0)


@pytest.mark.clause("one-card.exchange", "refuses")
def test_an_exchange_that_leaves_no_way_out_is_refused(crazy: Crazy) -> None:
    """All sets are full: the wild would fit nowhere, and neither does the other card."""
    table = ["ann: KS KC KD 9H=K", "bea: JS JC JD JH"]
    game = crazy().given_deal(9, ann="KH", table=table, stock="2C").after(draw())
    assert game.refuses(take_back(1, "9H", "KH")).rule == "one-card.exchange"
    game.when(discard("KH"))
    two = crazy().given_deal(9, ann="KH 3C", table=table, stock="2C").after(draw())
    assert two.allows(take_back(1, "9H", "KH"))


@pytest.mark.clause("one-card.exchange", "refuses")
def test_after_the_exchange_nothing_is_discarded_before_a_card_is_laid_off(crazy: Crazy) -> None:
    """Neither the wild nor the drawn card; the one left after the lay-off is."""
    game = crazy().given_deal(9, ann="5C", table=["ann: 9D=5C 6C 7C"], stock="KH")
    game.after(draw(), take_back(1, "9D", "5C"))
    for card in ("9D", "KH"):
        assert game.refuses(discard(card)).rule == "one-card.exchange"


def test_the_rule_binds_only_who_begins_the_turn_with_one_card(crazy: Crazy) -> None:
    """Ann began with three, laid off two, and may discard the card just drawn or the other."""
    for card in ("2H", "KC"):
        game = crazy().given_deal(9, ann="5S 6S KC", table=[OWN], stock="2H", discards="7D")
        game.after(draw(), lay_off(1, "5S 6S"), discard(card))
        assert len(game.table.hand(0)) == 1


def test_without_the_one_card_rule_a_player_with_one_card_is_as_free_as_any(crazy: Crazy) -> None:
    """The discard is taken, the drawn card thrown back, a wild taken back and kept."""
    table = ["ann: KS KC KD 9H=K"]
    game = crazy(one_card_rule=False).given_deal(9, ann="KH", table=table, discards="5S")
    game.after(draw("discard"), discard("5S"))
    assert game.hand("ann") == "KH"
    other = crazy(one_card_rule=False).given_deal(9, ann="KH", table=table, stock="2C")
    other.after(draw(), take_back(1, "9H", "KH"), discard("2C"))
    assert other.hand("ann") == "9H"
    assert "one-card.stock" not in game.sheet()
