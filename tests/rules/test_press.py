"""The press, voluntary points and the auto press: when the next deal counts double for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.support import about_to_go_out, go_out

from meldlog_contracts.commands import AddPenalty, Decline
from meldlog_contracts.events import DealScored, Event, PenaltyAdded, PenaltyOffered
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, Play, discard, draw, lay_off

HELD = {"bea": "4C", "cyd": "5C", "dan": "8C"}
POINTS = (0, 4, 5, 8)
FORTY_TWO, FORTY_TWO_AGAIN = "QC QD QH 2C 2D 2H 6D", "QS JC JD JH 2S"
THIRTY_SEVEN, TEN = "9C 9D 9H TC", "TD"


def after_deal(game: Game, totals: tuple[int, ...], number: int = 3) -> tuple[Event, ...]:
    """Ann goes out, bea is left with four points, cyd with five, dan with eight; these are the totals then."""
    before = tuple(total - points for total, points in zip(totals, POINTS, strict=False))
    held: dict[str, Any] = dict(list(HELD.items())[: len(totals) - 1])
    about_to_go_out(game, number, before, **held).after(draw(), lay_off(1, "9S TS"))
    return game.when(discard("KD"))


def next_deal(game: Game, totals: tuple[int, ...], number: int = 3) -> int:
    """By how much the points are multiplied in the deal that follows these totals."""
    return pressed_deal(game, totals, number).multiplier


def pressed_deal(game: Game, totals: tuple[int, ...], number: int = 3, **held: str) -> DealScored:
    """How the deal is scored in which ann goes out and which these totals stand before."""
    return go_out(about_to_go_out(game, number, totals, **held))


def first_deal(game: Game, *hands: str) -> tuple[Event, ...]:
    """Ann goes out in the first deal, and the others are left with these cards."""
    held: dict[str, Any] = dict(zip(HELD, hands, strict=False))
    about_to_go_out(game, 1, **held).after(draw(), lay_off(1, "9S TS"))
    return game.when(discard("KD"))


def penalties(events: tuple[Event, ...]) -> list[tuple[int, int]]:
    """Points added to totals."""
    return [(event.seat, event.points) for event in events if isinstance(event, PenaltyAdded)]


def offer(events: tuple[Event, ...]) -> tuple[int, int] | None:
    """To whom how many points were offered."""
    found = [(event.seat, event.points) for event in events if isinstance(event, PenaltyOffered)]
    return found[0] if found else None


# -- the vectors of the rule book --------------------------------------------------------------------------------------


def test_p1_forty_eight_behind_is_no_press_but_two_points_are_offered(play: Play) -> None:
    """148, 100, 90: declined, the next deal counts once."""
    game = play("crazy-rummy", "press")
    assert offer(after_deal(game, (100, 148, 90))) == (1, 2)
    game.when(Decline())
    assert game.table.totals == (100, 148, 90)
    assert game.rules.multiplier(game.table) == 1


def test_p2_with_the_two_points_the_next_deal_is_doubled(play: Play) -> None:
    """148 and 2: 150, 100, 90."""
    game = play("crazy-rummy", "press")
    after_deal(game, (100, 148, 90))
    assert penalties(game.when(AddPenalty(2))) == [(1, 2)]
    assert game.table.totals == (100, 150, 90)
    assert (game.table.deal.number, game.rules.multiplier(game.table)) == (4, 2)


def test_an_offer_shows_nobody_what_the_player_before_drew(play: Play) -> None:
    """It is bea's to answer; what ann drew in the deal that is over was for ann's eyes."""
    game = play("crazy-rummy", "press", press_voluntary=True)
    after_deal(game, (100, 148, 90))
    assert game.on_turn == "bea"
    assert game.table.deal.turn.drawn is None


def test_p3_two_in_last_place_are_no_press_and_are_offered_nothing(play: Play) -> None:
    """150, 150, 90."""
    game = play("crazy-rummy", "press")
    assert offer(after_deal(game, (150, 150, 90))) is None
    assert game.rules.multiplier(game.table) == 1


def test_p4_in_a_pressed_deal_a_hand_of_twenty_costs_forty(play: Play) -> None:
    """150, 100, 90; bea is left with two court cards."""
    game = play("crazy-rummy", "press")
    score = pressed_deal(game, (150, 100, 90), bea="QC QD", cyd="4C")
    assert (score.points, score.multiplier) == ((0, 40, 8), 2)


def test_p5_the_auto_press_raises_the_highest_total_to_fifty_above_the_next(play: Play) -> None:
    """42, 37, 10, 0 becomes 87, 37, 10, 0; deal 2 is doubled."""
    game = play("crazy-rummy", "auto-press", seats=4)
    assert penalties(first_deal(game, FORTY_TWO, THIRTY_SEVEN, TEN)) == [(1, 45)]
    assert sorted(game.table.totals) == [0, 10, 37, 87]
    assert game.rules.multiplier(game.table) == 2


def test_p6_all_who_share_the_highest_total_get_fifty(play: Play) -> None:
    """42, 42, 10, 0 becomes 92, 92, 10, 0; deal 2 is doubled though they are level."""
    game = play("crazy-rummy", "auto-press", seats=4)
    added = penalties(first_deal(game, FORTY_TWO, FORTY_TWO_AGAIN, TEN))
    assert added == [(1, 50), (2, 50)]
    assert game.table.totals == (0, 92, 92, 10)
    assert game.rules.multiplier(game.table) == 2


def test_p7_with_three_players_there_is_no_auto_press(play: Play) -> None:
    """42, 10, 0: nothing is added."""
    game = play("crazy-rummy", "auto-press", press_voluntary=False)
    assert penalties(first_deal(game, FORTY_TWO, TEN)) == []
    assert game.table.totals == (0, 42, 10)
    assert game.rules.multiplier(game.table) == 1


@pytest.mark.parametrize(
    ("house", "factor"), [({}, 4), ({"multiplier_cap": 2}, 2), ({"multiplier_cap": 3}, 3)]
)
def test_p8_a_press_on_a_deal_that_counts_double_anyway(
    play: Play, house: dict[str, Any], factor: int
) -> None:
    """Kings are wild: four times, or what the cap allows."""
    game = play("crazy-rummy", "press", double_when_7_or_K_wild=True, **house)
    assert next_deal(game, (150, 100, 90), 13) == factor


# -- the press ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("press", "allows")
@pytest.mark.parametrize(
    ("totals", "house"), [((50, 0, 0), {}), ((20, 130, 80), {}), ((30, 0, 0), {"press_threshold": 30})]
)
def test_whoever_lies_fifty_behind_everybody_doubles_the_next_deal(
    play: Play, totals: tuple[int, ...], house: dict[str, Any]
) -> None:
    """Fifty more than the next, whoever it is; or as many as the game says."""
    score = pressed_deal(play("crazy-rummy", "press", **house), totals, bea="4D TC", cyd="4C")
    assert (score.points, score.multiplier) == ((0, 28, 8), 2)


@pytest.mark.clause("press", "refuses")
@pytest.mark.parametrize("totals", [(49, 0, 0), (100, 51, 0), (0, 0, 0), (0, 50, 100)])
def test_less_than_fifty_behind_one_of_the_others_is_no_press(play: Play, totals: tuple[int, ...]) -> None:
    """Forty-nine; or fifty behind one only, or the last but one; cyd in the last case presses, and nothing else."""
    assert next_deal(play("crazy-rummy", "press"), totals) == (2 if totals == (0, 50, 100) else 1)
    assert next_deal(play("crazy-rummy"), totals) == 1


def test_the_press_is_tested_anew_after_every_deal(play: Play) -> None:
    """Doubled at 150, 100, 90; bea loses forty by that, and the deal after it counts once."""
    game = play("crazy-rummy", "press", press_voluntary=False)
    score = pressed_deal(game, (150, 100, 90), bea="QC QD", cyd="4C")
    assert (score.multiplier, game.table.totals) == (2, (150, 140, 98))
    assert game.rules.multiplier(game.table) == 1


def test_the_first_deal_is_never_pressed(play: Play) -> None:
    """Nobody lies behind before anything is scored."""
    assert next_deal(play("crazy-rummy", "press"), (0, 0, 0), 1) == 1


def test_the_bonus_for_going_out_is_not_doubled(play: Play) -> None:
    """Fifteen are taken off, and bea's five count ten."""
    game = play("crazy-rummy", "press", going_out_bonus=15)
    assert pressed_deal(game, (150, 100, 90), bea="5C", cyd="4C").points == (-15, 10, 8)


@pytest.mark.clause("press.tie", "allows")
@pytest.mark.parametrize("totals", [(150, 150, 90), (150, 150, 150)])
def test_a_tie_for_the_highest_total_is_no_press(play: Play, totals: tuple[int, ...]) -> None:
    """However far behind they lie; and nobody is offered points: vector P-3."""
    assert next_deal(play("crazy-rummy", "press"), totals) == 1
    assert offer(after_deal(play("crazy-rummy", "press"), totals)) is None


@pytest.mark.clause("press.tie", "refuses")
def test_a_tie_for_another_place_does_not_keep_off_the_press(play: Play) -> None:
    """Bea and cyd are level; ann lies fifty behind both."""
    assert next_deal(play("crazy-rummy", "press"), (150, 100, 100)) == 2


@pytest.mark.clause("press.voluntary", "allows")
@pytest.mark.parametrize(("totals", "missing"), [((100, 101, 4), 49), ((100, 149, 4), 1), ((23, 50, 30), 30)])
def test_the_one_in_last_place_may_add_what_is_missing_for_a_press(
    play: Play, totals: tuple[int, ...], missing: int
) -> None:
    """One to forty-nine points; they are added to the total, and the next deal is dealt, doubled."""
    game = play("crazy-rummy", "press")
    assert offer(after_deal(game, totals)) == (1, missing)
    assert set(game.moves("bea")) == {AddPenalty(missing), Decline()}
    game.when(AddPenalty(missing))
    assert game.table.totals == (totals[0], totals[1] + missing, totals[2])
    assert (game.table.deal.number, game.rules.multiplier(game.table)) == (4, 2)


@pytest.mark.clause("press.voluntary", "refuses")
def test_no_other_points_may_be_added_and_by_nobody_else(play: Play) -> None:
    """Not one, not three, not by ann; and nothing else is done before the answer."""
    game = play("crazy-rummy", "press")
    after_deal(game, (100, 148, 90))
    for points in (1, 3):
        assert game.refuses(AddPenalty(points)).rule == "press.voluntary"
    assert game.refuses(AddPenalty(2), by="ann").rule == "turn.order"
    assert game.refuses(draw()).rule == "turn.offer"
    game.when(Decline())
    assert game.refuses(AddPenalty(2), by=game.on_turn).rule == "turn.offer"


@pytest.mark.clause("press.voluntary", "refuses")
@pytest.mark.parametrize(
    ("totals", "house"),
    [
        ((100, 150, 90), {}),
        ((120, 120, 90), {}),
        ((100, 148, 90), {"press_voluntary": False}),
    ],
)
def test_nothing_is_offered_where_there_is_a_press_or_a_tie_or_the_game_knows_no_voluntary_points(
    play: Play, totals: tuple[int, ...], house: dict[str, Any]
) -> None:
    """The next deal begins at once."""
    game = play("crazy-rummy", "press", **house)
    assert offer(after_deal(game, totals)) is None
    assert game.table.deal.number == 4


def test_after_the_last_deal_nothing_is_offered_and_nothing_added(play: Play) -> None:
    """There is no deal to double."""
    game = play("crazy-rummy", "press", deal_count=3)
    assert offer(after_deal(game, (100, 148, 90))) is None
    assert game.table.status == "finished"
    only = play("crazy-rummy", "auto-press", seats=4, deal_count=1)
    assert penalties(first_deal(only, FORTY_TWO, THIRTY_SEVEN, TEN)) == []
    assert only.table.totals == (0, 42, 37, 10)


@pytest.mark.clause("press.voluntary-limit", "allows")
def test_a_game_may_limit_the_points_that_are_added(play: Play) -> None:
    """Two are offered where five are the most; so are five."""
    for totals, missing in (((100, 148, 90), 2), ((100, 145, 90), 5)):
        game = play("crazy-rummy", "press", press_max_voluntary=5)
        assert offer(after_deal(game, totals)) == (1, missing)


@pytest.mark.clause("press.voluntary-limit", "refuses")
def test_where_more_are_missing_than_may_be_added_nothing_is_offered(play: Play) -> None:
    """Six, where five are the most."""
    game = play("crazy-rummy", "press", press_max_voluntary=5)
    assert offer(after_deal(game, (100, 144, 90))) is None


# -- the auto press ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("press.auto", "allows")
def test_after_the_first_deal_the_highest_total_is_raised_to_a_press(play: Play) -> None:
    """To fifty above the next, or to what the game says: vector P-5."""
    game = play("crazy-rummy", "auto-press", seats=4)
    assert penalties(first_deal(game, FORTY_TWO, THIRTY_SEVEN, TEN)) == [(1, 45)]
    other = play("crazy-rummy", "auto-press", seats=4, press_threshold=30)
    assert penalties(first_deal(other, FORTY_TWO, THIRTY_SEVEN, TEN)) == [(1, 25)]
    assert other.rules.multiplier(other.table) == 2


@pytest.mark.clause("press.auto", "refuses")
def test_the_auto_press_takes_nothing_off_and_comes_once(play: Play) -> None:
    """Cyd's 122 are left as they are; and after the second deal nobody's total is raised."""
    game = play("crazy-rummy", "auto-press", seats=4, press_voluntary=False)
    assert penalties(first_deal(game, FORTY_TWO, "AC AD AH 9C 9D 9H TC TH", TEN)) == []
    assert game.table.totals == (0, 42, 122, 10)
    second = play("crazy-rummy", "auto-press", seats=4, press_voluntary=False)
    assert penalties(after_deal(second, (10, 42, 37, 10), 2)) == []


@pytest.mark.clause("press.auto", "refuses")
def test_three_players_have_no_auto_press(play: Play) -> None:
    """Nothing is raised, and the last may still add points: vector P-7."""
    game = play("crazy-rummy", "auto-press")
    events = first_deal(game, FORTY_TWO, TEN)
    assert (penalties(events), offer(events)) == ([], (1, 18))


@pytest.mark.clause("press.auto-tie", "allows")
def test_a_tie_after_the_first_deal_doubles_the_second(play: Play) -> None:
    """Both get fifty, bea's three count six: vector P-6."""
    game = play("crazy-rummy", "auto-press", seats=4)
    assert penalties(first_deal(game, FORTY_TWO, FORTY_TWO_AGAIN, TEN)) == [(1, 50), (2, 50)]
    assert game.rules.multiplier(game.table) == 2


@pytest.mark.clause("press.auto-tie", "refuses")
def test_a_tie_after_a_later_deal_doubles_nothing(play: Play) -> None:
    """In the third deal the two are level, as far behind as before."""
    game = play("crazy-rummy", "auto-press", seats=4)
    assert penalties(after_deal(game, (0, 100, 100, 40), 2)) == []
    assert game.rules.multiplier(game.table) == 1


@pytest.mark.clause("press.auto-points", "allows")
def test_a_tie_may_cost_the_points_without_doubling(play: Play) -> None:
    """Both get fifty."""
    game = play("crazy-rummy", "auto-press", seats=4, auto_press_tie="points_only")
    assert penalties(first_deal(game, FORTY_TWO, FORTY_TWO_AGAIN, TEN)) == [(1, 50), (2, 50)]


@pytest.mark.clause("press.auto-points", "refuses")
def test_where_a_tie_costs_points_only_the_second_deal_counts_once(play: Play) -> None:
    """The one in last place alone would press all the same."""
    game = play("crazy-rummy", "auto-press", seats=4, auto_press_tie="points_only")
    first_deal(game, FORTY_TWO, FORTY_TWO_AGAIN, TEN)
    assert game.rules.multiplier(game.table) == 1
    alone = play("crazy-rummy", "auto-press", seats=4, auto_press_tie="points_only")
    first_deal(alone, FORTY_TWO, THIRTY_SEVEN, TEN)
    assert alone.rules.multiplier(alone.table) == 2


# -- doubled twice -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("press.both", "allows")
@pytest.mark.parametrize("number", [7, 13])
def test_a_press_on_a_doubled_deal_counts_four_times(play: Play, number: int) -> None:
    """Sevens or kings are wild: bea's three cost twelve."""
    game = play("crazy-rummy", "press", double_when_7_or_K_wild=True)
    assert pressed_deal(game, (150, 100, 90), number, bea="3C", cyd="4C").points == (0, 12, 16)


@pytest.mark.clause("press.both", "refuses")
def test_without_a_press_a_doubled_deal_counts_twice_only(play: Play) -> None:
    """And a press on another deal twice as well."""
    game = play("crazy-rummy", "press", double_when_7_or_K_wild=True)
    assert next_deal(game, (100, 100, 90), 7) == 2
    assert next_deal(play("crazy-rummy", "press", double_when_7_or_K_wild=True), (150, 100, 90), 6) == 2


@pytest.mark.clause("press.cap", "allows")
def test_a_game_may_limit_the_multiplication(play: Play) -> None:
    """Two at most; a single press is as before."""
    both = play("crazy-rummy", "press", double_when_7_or_K_wild=True, multiplier_cap=2)
    assert next_deal(both, (150, 100, 90), 7) == 2
    assert next_deal(play("crazy-rummy", "press", multiplier_cap=2), (150, 100, 90)) == 2


@pytest.mark.clause("press.cap", "refuses")
def test_no_deal_counts_more_than_the_limit(play: Play) -> None:
    """Three at most where four would be due; one, and nothing is ever doubled."""
    for cap in (3, 1):
        game = play("crazy-rummy", "press", double_when_7_or_K_wild=True, multiplier_cap=cap)
        assert next_deal(game, (150, 100, 90), 7) == cap


# -- games that make no sense ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["ace-to-ace", "basic-rummy", "rami-simple", "rami-51", "rami-71"])
@pytest.mark.parametrize("option", ["press", "auto-press"])
def test_no_press_where_points_are_no_penalties(play: Play, variant: str, option: str) -> None:
    """The most points win, or the winner scores, or sides lose: the game is refused, with a reason."""
    with pytest.raises(Refused) as refused:
        play(variant, option, seats=2)
    assert refused.value.code == "invalid"
    assert {fault.pointer for fault in refused.value.faults} <= {"/options", "/house_rules/press"}
    assert all(len(fault.detail) > 20 for fault in refused.value.faults)


@pytest.mark.parametrize("variant", ["biddies", "treize-brasses", "beanie"])
def test_the_other_games_of_the_family_know_the_press(play: Play, variant: str) -> None:
    """The option is played with each of them."""
    game = play(variant, "press").given_deal(3, totals=(150, 100, 90))
    assert game.rules.multiplier(game.table) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("press_threshold", 0),
        ("press_max_voluntary", 0),
        ("multiplier_cap", 0),
        ("multiplier_cap", -3),
        ("auto_press_tie", "both"),
    ],
)
def test_a_press_with_other_numbers_is_refused(play: Play, name: str, value: Any) -> None:
    """With a pointer to the house rule."""
    with pytest.raises(Refused) as refused:
        play("crazy-rummy", "press", **{name: value})
    assert [fault.pointer for fault in refused.value.faults] == [f"/house_rules/{name}"]
