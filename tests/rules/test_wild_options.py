"""Two options: the dealer chooses the wild rank of each deal, and a joker is wild beside it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.support import about_to_go_out, go_out, scored

from meldlog_contracts.cards import JOKER, RANKS
from meldlog_contracts.commands import NameWild
from meldlog_contracts.events import TurnPassed, WildNamed
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, Play, discard, draw, lay, lay_off, take_back


def offered(game: Game) -> str:
    """The ranks among the dealer's moves."""
    return "".join(move.rank for move in game.moves(game.on_turn) if isinstance(move, NameWild))


def named_so_far(play: Play, ranks: str, **house: Any) -> Game:
    """A game in which these ranks were named, one a deal, and the next deal has been dealt."""
    game = play(
        "crazy-rummy", "dealer-chooses-wild", seats=2, stock_exhaustion="turn_over", **house
    ).given_start()
    for rank in ranks:
        game.when(NameWild(rank))
        number = game.table.deal.number
        while game.table.deal.number == number:
            moves = game.moves(game.on_turn)
            game.when(next((move for move in moves if move == draw("discard")), moves[-1]))
    return game


# -- the dealer chooses ------------------------------------------------------------------------------------------------


@pytest.mark.clause("wild.chosen", "allows")
def test_the_dealer_names_the_wild_rank_before_the_first_turn(play: Play) -> None:
    """Every rank is offered, with the hand to look at; sevens are named, and the starter begins."""
    game = play("crazy-rummy", "dealer-chooses-wild").given_start()
    dealer = game.table.deal.dealer
    assert game.table.deal.turn.seat == dealer
    assert len(game.table.hand(dealer)) == 7
    assert offered(game) == RANKS
    events = game.when(NameWild("7"))
    assert events == (WildNamed(dealer, ("7",)), TurnPassed(game.table.deal.starter, None, "play"))
    assert game.table.deal.wild == ("7",)


@pytest.mark.clause("wild.chosen", "refuses")
def test_a_rank_that_was_wild_is_not_named_again(play: Play) -> None:
    """Whoever named it; the others are offered."""
    game = named_so_far(play, "Q7", no_progress_limit=1)
    assert game.refuses(NameWild("Q")).rule == "wild.chosen"
    assert game.refuses(NameWild("7")).rule == "wild.chosen"
    assert offered(game) == "A2345689TJK"


@pytest.mark.clause("wild.chosen", "refuses")
def test_nobody_plays_before_the_rank_is_named_and_nobody_else_names_it(play: Play) -> None:
    """The starter waits; the dealer does nothing else, and names no second rank."""
    game = play("crazy-rummy", "dealer-chooses-wild").given_start()
    starter = ("ann", "bea", "cyd")[game.table.deal.starter]
    card = game.hand(starter).split()[0]
    assert game.refuses(discard(card), by=starter).rule == "turn.order"
    assert game.refuses(NameWild("7"), by=starter).rule == "turn.order"
    assert game.refuses(draw()).rule == "wild.named-first"
    dealer = game.on_turn
    game.when(NameWild("7"))
    assert game.refuses(NameWild("8")).rule == "wild.named-first"
    assert game.refuses(NameWild("8"), by=dealer).rule == "turn.order"


@pytest.mark.clause("wild.chosen-last", "allows")
def test_when_one_rank_is_left_it_is_wild_without_a_choice(play: Play) -> None:
    """Ace to queen were named: in the thirteenth deal kings are wild, and the starter is on turn."""
    game = named_so_far(play, "A23456789TJQ", no_progress_limit=1)
    assert game.table.deal.number == 13
    assert game.table.deal.wild == ("K",)
    assert game.table.deal.turn.phase == "play"


@pytest.mark.clause("wild.chosen-last", "refuses")
def test_when_two_ranks_are_left_the_dealer_still_chooses(play: Play) -> None:
    """Jack and king in the twelfth deal; the last deal's rank is not named."""
    game = named_so_far(play, "A23456789TQ", no_progress_limit=1)
    assert offered(game) == "JK"
    game = play("crazy-rummy", "dealer-chooses-wild").given_deal(13, ann="3C 4D")
    assert game.refuses(NameWild("K")).rule == "wild.named-first"


@pytest.mark.clause("wild.chosen-aces", "allows")
def test_from_ace_to_ace_the_aces_may_be_named_twice(play: Play) -> None:
    """They were wild in the first deal and are offered in the second, and after that no more."""
    game = named_so_far(play, "A", no_progress_limit=1, wild_sequence="ace_to_ace")
    assert offered(game) == RANKS
    assert game.table.deals == 14


@pytest.mark.clause("wild.chosen-aces", "refuses")
def test_from_ace_to_ace_nothing_but_aces_may_be_named_twice_and_they_not_three_times(play: Play) -> None:
    """Sevens were named, and aces twice: neither is offered."""
    game = named_so_far(play, "A7A", no_progress_limit=1, wild_sequence="ace_to_ace")
    assert game.refuses(NameWild("7")).rule == "wild.chosen"
    assert game.refuses(NameWild("A")).rule == "wild.chosen"
    assert offered(game) == "2345689TJQK"


@pytest.mark.clause("wild.chosen-no-aces", "allows")
def test_from_two_to_king_the_other_ranks_may_be_named(play: Play) -> None:
    """Twelve of them, in twelve deals."""
    game = named_so_far(play, "", wild_sequence="two_to_king")
    assert (offered(game), game.table.deals) == (RANKS[1:], 12)


@pytest.mark.clause("wild.chosen-no-aces", "refuses")
def test_from_two_to_king_aces_are_not_named(play: Play) -> None:
    """Refused."""
    assert named_so_far(play, "", wild_sequence="two_to_king").refuses(NameWild("A")).rule == "wild.chosen"


def test_g22_in_the_thirteenth_deal_only_the_king_is_left(play: Play) -> None:
    """Ace to queen were wild: nothing else is."""
    game = named_so_far(play, "QJT98765432A", no_progress_limit=1)
    assert (game.table.deal.number, game.table.deal.wild) == (13, ("K",))


def test_the_rank_named_is_wild_for_melds_and_costs_as_a_wild(play: Play) -> None:
    """Nines in the second deal: 9D stands for 5C, and costs twenty-five; the two is a two."""
    game = play("crazy-rummy", "dealer-chooses-wild")
    game.given_deal(2, wild="9", ann="5C 6C 7C 9D 9H 2D", stock="KD").after(draw(), lay("9D=5C 6C 7C"))
    assert {str(card): game.rules.points(card, game.table) for card in game.table.hand(0)} == {
        "2D": 2,
        "5C": 5,
        "9H": 25,
        "KD": 10,
    }


def test_switched_off_the_ranks_come_in_sequence(play: Play) -> None:
    """Aces, without a question."""
    game = play("crazy-rummy", dealer_chooses_wild=False).given_start()
    assert (game.table.deal.wild, game.table.deal.turn.phase) == (("A",), "play")


@pytest.mark.clause("game.deals-number", "allows")
def test_where_the_dealer_chooses_the_game_may_have_fewer_deals_as_well(play: Play) -> None:
    """It ends after the second; no rank is left over to be played."""
    game = play("crazy-rummy", "dealer-chooses-wild", deal_count=2)
    go_out(game.given_deal(2, wild="3", ann="9S TS", table=["ann: 6S 7S 8S"], stock="KD"))
    assert game.table.status == "finished"
    assert "sequence" not in game.sheet()["game.deals-number"]


@pytest.mark.clause("game.deals-number", "refuses")
@pytest.mark.parametrize("option", ["dealer-chooses-wild", "joker-wild"])
def test_with_either_option_there_are_no_more_deals_than_wild_ranks(play: Play, option: str) -> None:
    """Fourteen are refused, and so is none; with a deal for the joker as well."""
    for number in (0, 14):
        for final in (False, True):
            with pytest.raises(Refused) as refused:
                play("crazy-rummy", option, deal_count=number, joker_final_deal=final)
            assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/deal_count"]


# -- the joker ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("joker.wild", "allows")
@pytest.mark.parametrize("number", [1, 7, 13])
def test_the_joker_is_wild_in_every_deal_beside_the_wild_rank(play: Play, number: int) -> None:
    """It stands for the five of clubs, and a card of the rank does so too."""
    for wild in ("JK", f"{RANKS[number - 1]}H"):
        game = (
            play("crazy-rummy", "joker-wild")
            .given_deal(number, ann=f"3C 4C {wild} TD", stock="9D")
            .after(draw())
        )
        game.when(lay(f"3C 4C {wild}=5C"))
        assert game.melds == [f"3C 4C {wild}=5C"]


@pytest.mark.clause("joker.wild", "allows")
def test_a_joker_is_taken_back_like_any_wild(play: Play) -> None:
    """For the five of clubs; it is laid off again as the six."""
    game = (
        play("crazy-rummy", "joker-wild").given_deal(9, ann="5C KD", table=["ann: 3C 4C JK=5C"]).after(draw())
    )
    game.after(take_back(1, "JK", "5C"), lay_off(1, "JK=6C"))
    assert game.melds == ["3C 4C 5C JK=6C"]


@pytest.mark.clause("joker.wild", "refuses")
def test_without_the_option_there_is_no_joker_and_with_it_as_many_as_the_game_says(play: Play) -> None:
    """Fifty-two cards without it, or where it is switched off; fifty-three with it; fifty-six with four."""
    assert play("crazy-rummy").rules.pack().count(JOKER) == 0
    assert play("crazy-rummy", joker_wild=False).rules.pack().count(JOKER) == 0
    assert play("crazy-rummy", "joker-wild").rules.pack().count(JOKER) == 1
    assert len(play("crazy-rummy", "joker-wild", printed_jokers=4).rules.pack()) == 56


@pytest.mark.clause("joker.wild", "refuses")
def test_a_joker_is_no_card_of_its_own(play: Play) -> None:
    """It is not given for a wild card, and where it could be two cards it must be said which."""
    game = play("crazy-rummy", "joker-wild")
    game.given_deal(9, ann="JK KD 3D 4D", table=["ann: QS QH 9S=Q"]).after(draw())
    assert game.refuses(take_back(1, "9S", "JK")).rule == "reclaim.natural"
    assert game.refuses(lay("3D 4D JK")).rule == "meld.declare"


def test_g23_a_joker_left_in_hand_costs_fifty(play: Play) -> None:
    """In any deal."""
    for number in (2, 11, 13):
        game = about_to_go_out(play("crazy-rummy", "joker-wild"), number, bea="JK", cyd="4C")
        assert go_out(game).points == (0, 50, 4)


@pytest.mark.clause("joker.final-deal", "allows")
def test_a_last_deal_may_be_the_jokers(play: Play) -> None:
    """The fourteenth: the joker stands for the five of clubs, and costs fifty."""
    game = play("crazy-rummy", "joker-wild", joker_final_deal=True)
    game.given_deal(14, ann="3C 4C JK TD", bea="KD AD", stock="9D |").after(draw(), lay("3C 4C JK=5C"))
    assert game.table.deal.wild == ("JK",)
    assert scored(game.when(discard("TD"))).points[1] == 11


@pytest.mark.clause("joker.final-deal", "refuses")
def test_in_the_jokers_deal_no_rank_is_wild(play: Play) -> None:
    """Aces and kings stand for themselves; in the thirteenth kings are wild beside the joker."""
    game = play("crazy-rummy", "joker-wild", joker_final_deal=True)
    game.given_deal(14, ann="3C 4C AH KH TD", stock="9D").after(draw())
    for card in ("AH", "KH"):
        assert game.refuses(lay(f"3C 4C {card}=5C")).rule == "meld.shape"
        assert game.rules.points(game.table.hand(0)[0], game.table) < 25
    before = play("crazy-rummy", "joker-wild", joker_final_deal=True).given_deal(13)
    assert before.table.deal.wild == ("K", "JK")


@pytest.mark.clause("game.deals", "allows")
@pytest.mark.clause("game.deals-twelve", "allows")
@pytest.mark.clause("game.deals-fourteen", "allows")
@pytest.mark.clause("game.deals-number", "allows")
@pytest.mark.parametrize(
    ("house", "deals"),
    [
        ({}, 14),
        ({"wild_sequence": "two_to_king"}, 13),
        ({"wild_sequence": "ace_to_ace"}, 15),
        ({"deal_count": 4}, 5),
    ],
)
def test_the_jokers_deal_comes_after_all_the_others(play: Play, house: dict[str, Any], deals: int) -> None:
    """One deal more, and the game ends with it."""
    game = play("crazy-rummy", "joker-wild", joker_final_deal=True, **house)
    go_out(about_to_go_out(game, deals))
    assert (game.table.status, game.table.wilds[-1]) == ("finished", ("JK",))


@pytest.mark.clause("game.deals", "refuses")
@pytest.mark.clause("game.deals-twelve", "refuses")
@pytest.mark.clause("game.deals-fourteen", "refuses")
@pytest.mark.parametrize(
    ("sequence", "deals"), [("ace_to_king", 13), ("two_to_king", 12), ("ace_to_ace", 14)]
)
def test_the_game_does_not_end_before_the_jokers_deal(play: Play, sequence: str, deals: int) -> None:
    """After the last rank the joker's deal follows; without that house rule there is none."""
    game = play("crazy-rummy", "joker-wild", joker_final_deal=True, wild_sequence=sequence)
    go_out(about_to_go_out(game, deals))
    assert (game.table.deal.number, game.table.deal.wild) == (deals + 1, ("JK",))
    other = play("crazy-rummy", "joker-wild")
    go_out(about_to_go_out(other, 13))
    assert other.table.status == "finished"


def test_with_both_options_the_dealer_chooses_in_every_deal_but_the_jokers(play: Play) -> None:
    """The joker is wild beside the rank named; in the last deal it is alone, and nobody is asked."""
    house: dict[str, Any] = {"joker_final_deal": True, "dealer_chooses_wild": True}
    game = play("crazy-rummy", "joker-wild", **house).given_start()
    assert offered(game) == RANKS
    game.when(NameWild("7"))
    assert game.table.deal.wild == ("7", "JK")
    last = play("crazy-rummy", "joker-wild", **house)
    go_out(last.given_deal(13, ann="9S TS", table=["ann: 6S 7S 8S"], stock="KD"))
    assert (last.table.deal.wild, last.table.deal.turn.phase) == (("JK",), "play")


# -- games that make no sense ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["basic-rummy", "rami-simple", "rami-51", "rami-71"])
@pytest.mark.parametrize("option", ["dealer-chooses-wild", "joker-wild"])
def test_no_such_option_where_no_rank_is_wild(play: Play, variant: str, option: str) -> None:
    """The game is refused, with a reason."""
    with pytest.raises(Refused) as refused:
        play(variant, option, seats=2)
    assert refused.value.code == "invalid"
    assert [fault.pointer for fault in refused.value.faults] == ["/options"]
    assert all(len(fault.detail) > 20 for fault in refused.value.faults)


@pytest.mark.parametrize("variant", ["biddies", "treize-brasses", "beanie", "ace-to-ace"])
@pytest.mark.parametrize("option", ["dealer-chooses-wild", "joker-wild"])
def test_the_other_games_of_the_family_know_both_options(play: Play, variant: str, option: str) -> None:
    """They are started by them."""
    game = play(variant, option).given_start()
    assert game.table.status == "playing"


def test_jokers_that_are_wild_must_be_there(play: Play) -> None:
    """None of them, and the game is refused."""
    with pytest.raises(Refused) as refused:
        play("crazy-rummy", "joker-wild", printed_jokers=0)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/printed_jokers"]
