"""Biddies: Crazy Rummy with high aces that cost ten, the lone two, and a winner who is paid."""

from __future__ import annotations

from functools import partial

import pytest
from tests.rules.support import Crazy, about_to_go_out, ended, go_out, is_over, scored

from meldlog_contracts.cards import RANKS, cards
from meldlog_contracts.commands import StartGame
from meldlog_contracts.events import DealEnded, GameStarted
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play, discard, draw, lay, lay_off

OWN = "ann: 6S 7S 8S"


@pytest.fixture
def biddies(play: Play) -> Crazy:
    """Biddies, with these house rules."""
    return partial(play, "biddies")


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("table.players", "allows")
@pytest.mark.parametrize("seats", [3, 4])
def test_three_or_four_may_play(biddies: Crazy, seats: int) -> None:
    """Each is dealt seven cards, the starter eight."""
    game = biddies(seats=seats).given_start()
    assert sorted(len(hand) for hand in game.table.deal.hands) == [7] * (seats - 1) + [8]


@pytest.mark.clause("table.players", "refuses")
@pytest.mark.parametrize("seats", [2, 5])
def test_neither_two_nor_five_may_play(biddies: Crazy, seats: int) -> None:
    """The game is refused, with a pointer to the seats."""
    with pytest.raises(Refused) as refused:
        biddies(seats=seats)
    assert [fault.pointer for fault in refused.value.faults] == ["/seats"]


def test_partners_cannot_be_three(biddies: Crazy) -> None:
    """Two against two needs four; and the winner who is paid plays alone."""
    with pytest.raises(Refused) as refused:
        biddies(seats=3, teams="pairs", betting="off")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/teams"]
    with pytest.raises(Refused) as refused:
        biddies(seats=4, teams="pairs")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/betting"]
    assert biddies(seats=4, teams="pairs", betting="off").given_start().table.sides == 2


@pytest.mark.clause("deal.first-jack", "allows")
@pytest.mark.parametrize(("front", "dealer"), [("JD KS", 0), ("KS 3D JH", 2), ("KS 3D 4D 5H JC JD", 1)])
def test_whoever_is_dealt_the_first_jack_deals(biddies: Crazy, front: str, dealer: int) -> None:
    """Dealt round face up, to the fifth card in the last case; everybody sees the cards up to the jack."""
    found, draws = biddies().rules.first_dealer(3, lambda _: cards(front))
    assert found == dealer
    shown = [one.card for drawn in draws for one in drawn]
    assert shown == front.split()[: len(shown)]
    assert [card[0] for card in shown].index("J") == len(shown) - 1


@pytest.mark.clause("deal.first-jack", "refuses")
def test_neither_the_lowest_card_nor_a_later_jack_deals(biddies: Crazy) -> None:
    """The ace falls to ann, the first jack to bea, a second one to cyd."""
    assert biddies().rules.first_dealer(3, lambda _: cards("AC JD JH 2C"))[0] == 1


def test_a_real_game_shows_the_cards_up_to_the_first_jack(biddies: Crazy) -> None:
    """The dealer of the first deal is the one who was given it."""
    game = biddies(seats=4)
    (started,) = (event for event in game.when(StartGame(), by="host") if isinstance(event, GameStarted))
    shown = [one for drawn in started.draws for one in drawn]
    assert [one.card[0] == "J" for one in shown] == [False] * (len(shown) - 1) + [True]
    assert game.table.deal.dealer == started.dealer == shown[-1].seat


def test_there_are_thirteen_deals_with_biddies_from_ace_to_king(biddies: Crazy) -> None:
    """As in Crazy Rummy."""
    game = biddies().given_deal(13)
    assert ("".join(rank for (rank,) in game.table.wilds), game.table.deals) == (RANKS, 13)


# -- melds -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("run.ace-both", "allows")
def test_an_ace_is_low_or_high_in_a_run(biddies: Crazy) -> None:
    """A-2-3 and Q-K-A."""
    game = biddies().given_deal(9, ann="AC 2C 3C QH KH AH 5D", stock="6D").after(draw())
    game.after(lay("AC 2C 3C"), lay("QH KH AH"))
    assert game.melds == ["AC 2C 3C", "QH KH AH"]


@pytest.mark.clause("run.ace-both", "refuses")
def test_a_run_does_not_go_round_the_ace(biddies: Crazy) -> None:
    """K-A-2 is no run, and a two does not go on above an ace."""
    game = biddies().given_deal(9, ann="KC AC 2C 2H 5D", table=["ann: QH KH AH"]).after(draw())
    assert game.refuses(lay("KC AC 2C")).rule == "meld.shape"
    assert game.refuses(lay_off(1, "2H")).rule == "layoff.fits"


@pytest.mark.clause("wild.rank", "allows")
@pytest.mark.clause("meld.shape", "allows")
def test_a_biddy_may_stand_for_any_card_of_a_downer(biddies: Crazy) -> None:
    """The nine of hearts is the ace above the king of clubs; the sheet uses the game's own words."""
    game = biddies().given_deal(9, ann="QC KC 9H 2D", stock="4D").after(draw(), lay("QC KC 9H=AC"))
    assert game.melds == ["QC KC 9H=AC"]
    assert "biddies" in game.sheet()["wild.rank"]
    assert "downer" in game.sheet()["meld.shape"]


@pytest.mark.clause("wild.rank", "refuses")
@pytest.mark.clause("meld.shape", "refuses")
def test_another_card_is_no_biddy_and_two_cards_are_no_downer(biddies: Crazy) -> None:
    """A ten is a ten in the ninth deal."""
    game = biddies().given_deal(9, ann="QC KC TH 2D", stock="4D").after(draw())
    assert game.refuses(lay("QC KC TH=AC")).rule == "meld.shape"
    assert game.refuses(lay("QC KC")).rule == "meld.shape"


# -- going out ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("final-discard", "allows")
def test_a_player_is_up_by_discarding_the_last_card(biddies: Crazy) -> None:
    """7S 8S 9S are laid, and KD is thrown."""
    game = biddies().given_deal(5, ann="7S 8S 9S", stock="KD").after(draw(), lay("7S 8S 9S"))
    assert ended(game.when(discard("KD"))) == DealEnded("went_out", 0)
    assert "up" in game.sheet()["final-discard"]


@pytest.mark.clause("final-discard", "refuses")
def test_nobody_is_up_without_a_last_discard(biddies: Crazy) -> None:
    """No card would be left."""
    game = biddies().given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert game.refuses(lay("7S 8S 9S")).rule == "final-discard"


@pytest.mark.clause("final-discard.free", "allows")
def test_where_the_game_says_so_a_player_is_up_with_a_meld(biddies: Crazy) -> None:
    """Three cards laid, none left."""
    game = biddies(final_discard_required=False).given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert ended(game.when(lay("7S 8S 9S"))) == DealEnded("went_out", 0)


@pytest.mark.clause("final-discard.free", "refuses")
def test_nobody_is_up_with_a_card_left(biddies: Crazy) -> None:
    """Three cards laid and one kept: the turn goes on, and so does the deal after another discard."""
    game = biddies(final_discard_required=False).given_deal(5, ann="7S 8S KC KD", stock="9S")
    game.after(draw(), lay("7S 8S 9S"))
    assert not is_over(game.when(discard("KD")))


# -- the lone two ------------------------------------------------------------------------------------------------------


def test_g14_a_lone_two_ends_the_deal_and_costs_two(biddies: Crazy) -> None:
    """In the fifth deal; where twos are wild play goes on."""
    game = biddies().given_deal(5, ann="2D 9S", bea="3C", cyd="4C", table=[OWN], stock="TD")
    game.after(draw(), lay_off(1, "9S"))
    assert scored(game.when(discard("TD"))).points == (2, 3, 4)
    wild = biddies().given_deal(2, ann="2D 9S", bea="3C", cyd="4C", table=[OWN], stock="TD")
    wild.after(draw(), lay_off(1, "9S"), discard("TD"))
    assert (wild.hand("ann"), wild.on_turn) == ("2D", "bea")


@pytest.mark.clause("lone-two", "allows")
@pytest.mark.parametrize("two", ["2C", "2D", "2H", "2S"])
def test_a_player_left_with_a_two_ends_the_deal(biddies: Crazy, two: str) -> None:
    """Of any suit; the others count their hands, also wilds and aces."""
    game = biddies().given_deal(5, ann=f"{two} 9S", bea="5C AC", cyd="KC", table=[OWN], stock="TD")
    game.after(draw(), lay_off(1, "9S"))
    events = game.when(discard("TD"))
    assert ended(events).reason == "lone_two"
    assert scored(events).points == (2, 35, 10)


@pytest.mark.clause("lone-two", "allows")
def test_a_player_with_one_card_may_draw_a_two_and_end_the_deal(biddies: Crazy) -> None:
    """The king must be discarded by the one-card rule, and the two is left."""
    game = biddies().given_deal(5, ann="KC", table=[OWN], stock="2D").after(draw())
    assert game.refuses(discard("2D")).rule == "one-card.keep"
    assert ended(game.when(discard("KC"))).reason == "lone_two"


@pytest.mark.clause("lone-two", "refuses")
@pytest.mark.parametrize(
    ("number", "held", "house"),
    [
        (5, "3D", True),
        (5, "AD", True),
        (2, "2D", True),
        (5, "2D 3D", True),
        (5, "2D 2H", True),
        (5, "2D", False),
    ],
    ids=["a three", "an ace", "a wild two", "two cards", "two twos", "not played"],
)
def test_any_other_hand_does_not_end_the_deal(biddies: Crazy, number: int, held: str, house: bool) -> None:
    """A three, an ace, a two that is wild, more than one card; or the game is played without the rule."""
    game = biddies(lone_two_ends_deal=house).given_deal(number, ann=f"{held} 9S", table=[OWN], stock="TD")
    game.after(draw(), lay_off(1, "9S"))
    assert not is_over(game.when(discard("TD")))


@pytest.mark.clause("lone-two", "refuses")
def test_a_lone_two_ends_nothing_before_the_discard(biddies: Crazy) -> None:
    """At the start of a turn it is drawn to, and it can be the last card thrown: ann has gone out then."""
    game = biddies().given_deal(5, ann="2D", table=[OWN], stock="9S").after(draw(), lay_off(1, "9S"))
    assert ended(game.when(discard("2D"))) == DealEnded("went_out", 0)


@pytest.mark.clause("lone-two.not-out", "allows")
def test_who_ends_a_deal_with_a_lone_two_has_not_gone_out(biddies: Crazy) -> None:
    """No bonus, and no cents for the winner of the deal."""
    game = biddies(going_out_bonus=15, deal_winner_cents=5, deal_count=5)
    game.given_deal(5, ann="2D 9S", bea="2C", cyd="2H", table=[OWN], stock="TD").after(
        draw(), lay_off(1, "9S")
    )
    events = game.when(discard("TD"))
    assert (ended(events).reason, game.table.outs[-1]) == ("lone_two", None)
    assert scored(events).points == (2, 2, 2)
    assert game.table.result is not None
    assert game.table.result.settlement == ()


@pytest.mark.clause("lone-two.not-out", "refuses")
def test_who_discards_the_last_card_has_gone_out(biddies: Crazy) -> None:
    """The bonus and the cents are due."""
    game = biddies(going_out_bonus=15, deal_winner_cents=5, deal_count=5, betting="off")
    game = about_to_go_out(game, 5, bea="2C", cyd="2H")
    assert go_out(game).points == (-15, 2, 2)
    assert game.table.result is not None
    assert game.table.result.settlement == ((1, 0, 5), (2, 0, 5))


# -- scoring -----------------------------------------------------------------------------------------------------------


def test_g15_an_ace_costs_ten_and_a_wild_one_twenty_five(biddies: Crazy) -> None:
    """In the fifth deal, and in the first."""
    assert go_out(about_to_go_out(biddies(), 5, bea="AC")).points[1] == 10
    assert go_out(about_to_go_out(biddies(), 1, bea="AC")).points[1] == 25


@pytest.mark.clause("bet.winner-only", "allows")
@pytest.mark.clause("score.winner", "allows")
def test_after_the_last_deal_the_lowest_total_is_paid_the_differences(biddies: Crazy) -> None:
    """Ann has 20, bea 43, cyd 64: twenty-five and forty-five cents, to the nearest five."""
    game = about_to_go_out(biddies(), 13, (20, 40, 60), bea="3C", cyd="4C")
    go_out(game)
    assert game.table.result is not None
    assert (game.table.result.winners, game.table.result.settlement) == ((0,), ((1, 0, 25), (2, 0, 45)))


def test_everything_else_is_as_in_crazy_rummy(play: Play, biddies: Crazy) -> None:
    """The house rules differ in five, and one is new."""
    own, base = biddies().table.house_rules, play("crazy-rummy").table.house_rules
    differs = {name for name in own if own[name] != base.get(name)}
    assert differs == {"first_dealer", "ace_in_runs", "ace_value", "betting", "lone_two_ends_deal"}
