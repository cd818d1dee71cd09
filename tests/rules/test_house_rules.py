"""House rules: what a game may set, and what becomes of several of them together."""

import pytest
from tests.rules.support import Crazy, ended, is_over

from meldlog_contracts.commands import DeclineDiscard
from meldlog_contracts.events import DealEnded, TurnPassed
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.testing import all_of, discard, draw, lay, lay_off, take_back

OWN = "ann: 2S 3S 4S"


# -- what a game may set -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("packs", "two"),
        ("packs", True),
        ("ace_in_runs", "sometimes"),
        ("min_run_length", 5),
        ("min_run_length", 2),
        ("wild_penalty", -1),
        ("wild_penalty", 25.5),
        ("one_card_rule", 1),
        ("stock_exhaustion", None),
        ("max_wilds_per_meld", 0),
        ("no_progress_limit", 0),
        ("no_such_rule", True),
        ("one_card_rules", True),
    ],
)
def test_a_house_rule_that_there_is_not_or_with_a_value_that_makes_no_sense_is_refused(
    crazy: Crazy, name: str, value: HouseValue
) -> None:
    """With a pointer to it."""
    with pytest.raises(Refused) as refused:
        crazy(**{name: value})
    assert refused.value.code == "invalid"
    assert [fault.pointer for fault in refused.value.faults] == [f"/house_rules/{name}"]


def test_a_game_records_every_house_rule_that_it_is_played_by(crazy: Crazy) -> None:
    """The ones asked for, and the others as they are by default."""
    recorded = crazy(packs=2, wild_penalty=20).table.house_rules
    assert (recorded["packs"], recorded["wild_penalty"], recorded["one_card_rule"]) == (2, 20, True)
    assert recorded.keys() == crazy().table.house_rules.keys()


# -- several together --------------------------------------------------------------------------------------------------


def test_with_one_card_a_wild_that_must_be_used_is_laid_off_and_not_discarded(crazy: Crazy) -> None:
    """The eight may not take the only way out: the nine would have to be discarded."""
    game = crazy(wild_reclaim_use="same_turn").given_deal(9, ann="8C", table=["ann: 9D=5C 6C 7C"], stock="5C")
    game.after(draw(), take_back(1, "9D", "5C"))
    assert game.refuses(lay_off(1, "8C")).rule == "reclaim.use"
    game.when(lay_off(1, "9D=8C"))
    assert ended(game.when(discard("8C"))) == DealEnded("went_out", 0)


def test_with_one_card_and_no_last_discard_a_list_may_lay_both_cards_off(crazy: Crazy) -> None:
    """The queen and the five: the hand is empty."""
    game = crazy(final_discard_required=False)
    game.given_deal(9, ann="QC", table=["bea: QS QH QD", OWN], stock="5S").after(draw())
    events = game.when(all_of(lay_off(1, "QC"), lay_off(2, "5S")))
    assert ended(events) == DealEnded("went_out", 0)


def test_a_taken_discard_that_may_not_go_back_can_be_the_natural_given_for_a_wild(crazy: Crazy) -> None:
    """It is on the table then, and any card may be discarded, the wild included."""
    game = crazy(may_return_taken_discard=False)
    game.given_deal(9, ann="KD 3C", table=["ann: 5H 6H 9C=7H"], discards="7H")
    game.after(draw("discard"), take_back(1, "9C", "7H"), discard("9C"))
    assert game.hand("ann") == "3C KD"


def test_an_empty_stock_a_taken_discard_and_a_wild_to_be_used_leave_no_dead_end(crazy: Crazy) -> None:
    """Of two cards one must be laid and the other may not be thrown: the exchange is refused."""
    game = crazy(stock_exhaustion="until_discard_refused", wild_reclaim_use="same_turn", one_card_rule=False)
    game.given_deal(9, ann="KH", table=["ann: KS KC KD 9H=K", OWN], stock="|", discards="7D").after(
        draw("discard")
    )
    assert game.refuses(take_back(1, "9H", "KH")).rule in ("reclaim.use", "stock.until-refused")
    game.when(discard("KH"))
    assert game.hand("ann") == "7D"


def test_with_two_packs_a_wild_of_a_set_is_freed_by_the_copy_of_a_card_that_lies_there(crazy: Crazy) -> None:
    """And the wild, used at once, joins the set again as a fifth card."""
    game = crazy(packs=2, wild_reclaim_use="same_turn")
    game.given_deal(9, ann="QS KD 3C", table=["ann: QS QH QD 9S=Q"]).after(draw(), take_back(1, "9S", "QS"))
    game.when(lay_off(1, "9S"))
    assert len(game.table.deal.melds[0].cards) == 5


def test_runs_of_four_are_needed_for_a_meld_and_not_for_a_lay_off(crazy: Crazy) -> None:
    """A single card goes on a run of four."""
    game = (
        crazy(min_run_length=4).given_deal(2, ann="9C 3H 4H 5H KD", table=["ann: 5C 6C 7C 8C"]).after(draw())
    )
    game.when(lay_off(1, "9C"))
    assert game.refuses(lay("3H 4H 5H")).rule == "meld.shape"


def test_counter_clockwise_the_player_after_the_dealer_sits_on_the_right(crazy: Crazy) -> None:
    """He has the extra card and starts, and the next dealer is he as well."""
    game = crazy(direction="ccw").given_start()
    dealer = game.table.deal.dealer
    starter = (dealer - 1) % 3
    assert (len(game.table.hand(starter)), game.table.deal.turn.seat) == (8, starter)
    ended_deal = crazy(direction="ccw").given_deal(2, ann="7H KD", stock="3C |").after(draw())
    before = ended_deal.table.deal.dealer
    ended_deal.when(discard("KD"))
    assert ended_deal.table.deal.dealer == (before - 1) % 3


def test_a_starter_who_only_discards_with_an_upcard_leaves_two_cards_to_choose_from_the_top(
    crazy: Crazy,
) -> None:
    """The next player may take the starter's discard, which lies on the upcard."""
    game = crazy(initial_upcard=True, starter_first_turn="discard_only")
    game.given_deal(2, first_turn=True, ann="8C 8D 8H KD", bea="3C 3D", discards="5C")
    assert game.when(discard("KD"))[-1] == TurnPassed(1, None)
    game.after(draw("discard"), discard("3C"))
    assert (game.discards, game.hand("bea")) == ("5C 3C", "3D KD")


def test_the_winner_deals_and_starts_where_the_dealer_has_the_extra_card(crazy: Crazy) -> None:
    """Ann goes out, deals, holds eight cards and is on turn."""
    game = crazy(dealer_rotation="winner_deals", extra_card_to="dealer")
    game.given_deal(2, ann="9S TS", table=["bea: 3H 4H 5H", "ann: 6S 7S 8S"], stock="KD")
    game.after(draw(), lay_off(2, "9S TS"), discard("KD"))
    assert (game.table.deal.dealer, game.on_turn, len(game.table.hand(0))) == (0, "ann", 8)


def test_the_idle_turns_of_a_game_that_goes_on_with_the_discards_end_it_too(crazy: Crazy) -> None:
    """Nobody declines, and nobody plays: after three turns the deal is over."""
    game = crazy(stock_exhaustion="until_discard_refused", no_progress_limit=3)
    game.given_deal(
        2, ann="8C KD", bea="3C 3D", cyd="4C 4D", table=["bea: JS QS KS"], stock="|", discards="5C"
    )
    game.after(draw("discard"), discard("8C"), draw("discard"), discard("3C"), draw("discard"))
    assert game.allows(discard("4C"))
    assert is_over(game.when(discard("4C")))
    assert not game.allows(DeclineDiscard())
