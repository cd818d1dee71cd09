"""Betting: what the points are worth at the end, and who pays whom. The example: A 184, B 137, C 250, D 241."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.support import Crazy, about_to_go_out, go_out

from meldlog_contracts.hooks import Standing
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.testing import Game, Play, discard, draw

TOTALS = (184, 137, 250, 241)
LEFT = {"bea": "3C", "cyd": "4C", "dan": "5C"}
"""What the others hold when ann goes out in the last deal: three, four and five points."""
ALL_PAIRS_5 = {"betting": "all_pairs"}
WINNER_ONLY_5 = {"betting": "winner_only"}
ALL_PAIRS_EXACT = {"betting": "all_pairs", "payment_rounding_cents": 1}
WINNER_ONLY_EXACT = {"betting": "winner_only", "payment_rounding_cents": 1}


def finished(game: Game, totals: tuple[int, ...] = TOTALS) -> Game:
    """Ann goes out in the last deal of the game, and these are the totals then."""
    held = (0, 3, 4, 5)[: len(totals)]
    players = list(LEFT)[: len(totals) - 1]
    number = game.table.deals
    assert number is not None
    before = tuple(total - points for total, points in zip(totals, held, strict=True))
    about_to_go_out(game, number, before, **{player: LEFT[player] for player in players})
    go_out(game)
    assert game.table.totals == totals
    return game


def payments(game: Game) -> tuple[tuple[int, int, int], ...] | None:
    """Who pays whom how much."""
    assert game.table.result is not None
    return game.table.result.settlement


def net(paid: tuple[tuple[int, int, int], ...] | None, seats: int = 4) -> list[int]:
    """What everybody has won or lost."""
    assert paid is not None
    found = [0] * seats
    for payer, taker, cents in paid:
        assert cents > 0
        found[payer] -= cents
        found[taker] += cents
    return found


# -- the table of the rule book ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        pytest.param(ALL_PAIRS_5, [75, 265, -190, -150], id="all pairs, rounded to 5"),
        pytest.param(WINNER_ONLY_5, [-45, 265, -115, -105], id="winner only, rounded to 5"),
        pytest.param(ALL_PAIRS_EXACT, [76, 264, -188, -152], id="all pairs, exact"),
        pytest.param(WINNER_ONLY_EXACT, [-47, 264, -113, -104], id="winner only, exact"),
    ],
)
def test_16_3_what_everybody_wins_or_loses(crazy: Crazy, house: dict[str, Any], expected: list[int]) -> None:
    """A 184, B 137, C 250, D 241 at a cent a point; the sum is nothing."""
    assert net(payments(finished(crazy(seats=4, **house)))) == expected
    assert sum(expected) == 0


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        pytest.param({}, [15, 35, -25, -25], id="deal winners"),
        pytest.param(ALL_PAIRS_5, [90, 300, -215, -175], id="deal winners, all pairs"),
        pytest.param(WINNER_ONLY_5, [-30, 300, -140, -130], id="deal winners, winner only"),
    ],
)
def test_16_3_with_five_cents_for_the_winner_of_each_deal(
    crazy: Crazy, house: dict[str, Any], expected: list[int]
) -> None:
    """Of thirteen deals A went out in four, B in five, C and D in two each."""
    game = finished(crazy(seats=4, deal_winner_cents=5, **house))
    outs = (0,) * 4 + (1,) * 5 + (2,) * 2 + (3,) * 2
    standing = Standing((1,), (1, 0, 3, 2))
    assert net(game.rules.settlement(replace(game.table, outs=outs), standing)) == expected


# -- who pays ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("bet.settled", "allows")
@pytest.mark.parametrize("house", [ALL_PAIRS_5, WINNER_ONLY_5, {"deal_winner_cents": 5}])
def test_stakes_are_settled_when_the_game_is_over(crazy: Crazy, house: dict[str, Any]) -> None:
    """The result states who owes whom how much."""
    assert payments(finished(crazy(seats=4, **house)))


@pytest.mark.clause("bet.settled", "refuses")
@pytest.mark.parametrize("house", [ALL_PAIRS_5, WINNER_ONLY_5, {"deal_winner_cents": 5}])
def test_stakes_are_not_settled_after_a_deal_that_is_not_the_last(
    crazy: Crazy, house: dict[str, Any]
) -> None:
    """There is no result yet; and playing costs nothing but points."""
    game = about_to_go_out(crazy(seats=4, **house), 12)
    go_out(game)
    assert (game.table.status, game.table.result) == ("playing", None)


@pytest.mark.clause("bet.scheme", "allows")
def test_every_two_players_settle_the_difference_of_their_totals(crazy: Crazy) -> None:
    """A pays B 45; C pays 65, 115 and, to D, 10 (nine points); D pays 55 and 105."""
    assert payments(finished(crazy(seats=4, **ALL_PAIRS_5))) == (
        (0, 1, 45),
        (2, 0, 65),
        (2, 1, 115),
        (2, 3, 10),
        (3, 0, 55),
        (3, 1, 105),
    )


@pytest.mark.clause("bet.scheme", "refuses")
def test_players_with_equal_totals_pay_each_other_nothing(crazy: Crazy) -> None:
    """Ann and bea are level; cyd pays both. The lower total never pays the higher."""
    game = finished(crazy(betting="all_pairs"), (50, 50, 90))
    assert payments(game) == ((2, 0, 40), (2, 1, 40))


@pytest.mark.clause("bet.winner-only", "allows")
def test_the_winner_alone_is_paid_by_every_other_player(crazy: Crazy) -> None:
    """The differences to B's 137: 47, 113 and 104."""
    assert payments(finished(crazy(seats=4, **WINNER_ONLY_5))) == ((0, 1, 45), (2, 1, 115), (3, 1, 105))


@pytest.mark.clause("bet.winner-only", "refuses")
def test_players_who_have_not_won_do_not_pay_each_other(crazy: Crazy) -> None:
    """C pays D nothing for nine points, and A, who is second, is paid by nobody."""
    paid = payments(finished(crazy(seats=4, **WINNER_ONLY_5)))
    assert paid is not None
    assert {taker for _, taker, _ in paid} == {1}


@pytest.mark.clause("bet.joint", "allows")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_joint_winners_share_a_payment_and_odd_cents_go_to_the_first_after_the_last_dealer(
    crazy: Crazy, dealer: int
) -> None:
    """A and B have won; C's 33 points are 35 cents, eighteen and seventeen; going round from the dealer's left."""
    game = finished(crazy(seats=4, **WINNER_ONLY_5), (100, 100, 133, 140))
    deal = replace(game.table.deal, dealer=dealer)
    paid = game.rules.settlement(replace(game.table, deal=deal), Standing((0, 1), (0, 1, 2, 3)))
    first = 1 if dealer == 0 else 0
    assert paid is not None
    assert {(payer, taker): cents for payer, taker, cents in paid} == {
        (2, first): 18,
        (2, 1 - first): 17,
        (3, 0): 20,
        (3, 1): 20,
    }


@pytest.mark.clause("bet.joint", "allows")
def test_all_odd_cents_go_to_one_of_three_joint_winners(crazy: Crazy) -> None:
    """D's five points are 5 cents: one to each, and two more to the first after the last dealer."""
    game = finished(crazy(seats=4, **WINNER_ONLY_5), (100, 100, 100, 105))
    deal = replace(game.table.deal, dealer=0)
    paid = game.rules.settlement(replace(game.table, deal=deal), Standing((0, 1, 2), (0, 1, 2, 3)))
    assert paid == ((3, 0, 1), (3, 1, 3), (3, 2, 1))


@pytest.mark.clause("bet.joint", "refuses")
def test_joint_winners_pay_each_other_nothing_and_each_loser_pays_once(crazy: Crazy) -> None:
    """The 40 points of cyd cost 40 cents in all, not 40 to each of the winners."""
    paid = payments(finished(crazy(betting="winner_only"), (50, 50, 90)))
    assert paid == ((2, 0, 20), (2, 1, 20))


# -- how much ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("bet.stake", "allows")
@pytest.mark.parametrize(("stake", "cents"), [(1, 40), (2, 80), (25, 1000)])
def test_a_point_is_worth_what_the_game_says(crazy: Crazy, stake: int, cents: int) -> None:
    """Forty points at one, two or twenty-five cents."""
    game = finished(crazy(seats=2, betting="winner_only", stake_cents_per_point=stake), (50, 90))
    assert payments(game) == ((1, 0, cents),)


@pytest.mark.clause("bet.stake", "refuses")
@pytest.mark.parametrize("stake", [0, -1])
def test_a_point_is_worth_a_cent_at_least(crazy: Crazy, stake: int) -> None:
    """Playing for nothing is no betting: the game is refused."""
    with pytest.raises(Refused) as refused:
        crazy(betting="winner_only", stake_cents_per_point=stake)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/stake_cents_per_point"]


@pytest.mark.clause("bet.rounding", "allows")
@pytest.mark.parametrize(
    ("points", "house", "cents"),
    [
        (47, {}, 45),
        (48, {}, 50),
        (104, {}, 105),
        (3, {}, 5),
        (47, {"payment_rounding_cents": 1}, 47),
        (47, {"payment_rounding_cents": 10}, 50),
        (45, {"payment_rounding_cents": 10}, 50),
        (5, {"stake_cents_per_point": 3, "payment_rounding_cents": 10}, 20),
    ],
)
def test_each_payment_is_rounded_to_the_nearest_multiple(
    crazy: Crazy, points: int, house: dict[str, Any], cents: int
) -> None:
    """To five cents; to one (exactly), or to ten, where the game says so; a half is rounded upwards."""
    game = finished(crazy(seats=2, betting="winner_only", **house), (50, 50 + points))
    assert payments(game) == ((1, 0, cents),)


@pytest.mark.clause("bet.rounding", "refuses")
def test_scores_are_not_rounded_before_the_difference_is_taken(crazy: Crazy) -> None:
    """184 and 137 would be 185 and 135, fifty apart; the difference is 47, so 45. Two points are worth nothing."""
    paid = payments(finished(crazy(seats=4, **ALL_PAIRS_5)))
    assert paid is not None
    assert (0, 1, 45) in paid
    assert payments(finished(crazy(seats=2, betting="winner_only"), (50, 52))) == ()


@pytest.mark.clause("bet.deal-winner", "allows")
def test_whoever_goes_out_may_be_paid_for_the_deal(crazy: Crazy) -> None:
    """Ann went out once: five cents from each, beside what the totals cost, and offset against it."""
    assert payments(finished(crazy(seats=4, deal_winner_cents=5))) == ((1, 0, 5), (2, 0, 5), (3, 0, 5))
    both = payments(finished(crazy(seats=4, deal_winner_cents=5, **WINNER_ONLY_5)))
    assert both == ((0, 1, 40), (2, 0, 5), (2, 1, 115), (3, 0, 5), (3, 1, 105))


@pytest.mark.clause("bet.deal-winner", "refuses")
def test_a_deal_in_which_nobody_goes_out_costs_nothing(crazy: Crazy) -> None:
    """The stock has run out in the only deal; two points less do not win a deal."""
    game = crazy(seats=2, deal_count=1, deal_winner_cents=5)
    game.given_deal(1, ann="3C KD", bea="4C 4D", stock="5C |").after(draw(), discard("KD"))
    assert payments(game) == ()


# -- games that make no sense ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", [ALL_PAIRS_5, WINNER_ONLY_5, {"deal_winner_cents": 5}])
def test_partners_settle_no_stakes(crazy: Crazy, house: dict[str, Any]) -> None:
    """Four in pairs are refused; two are no pairs."""
    with pytest.raises(Refused) as refused:
        crazy(seats=4, teams="pairs", **house)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/betting"]
    assert crazy(seats=2, teams="pairs", **house).table.status == "open"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("betting", "poker"),
        ("payment_rounding_cents", 0),
        ("payment_rounding_cents", 1001),
        ("deal_winner_cents", -5),
        ("stake_cents_per_point", 1.5),
    ],
)
def test_stakes_of_another_kind_are_refused(crazy: Crazy, name: str, value: HouseValue) -> None:
    """With a pointer to the house rule."""
    with pytest.raises(Refused) as refused:
        crazy(**{name: value})
    assert [fault.pointer for fault in refused.value.faults] == [f"/house_rules/{name}"]


# -- other games -------------------------------------------------------------------------------------------------------


def test_where_the_most_points_win_the_lower_total_pays(play: Play) -> None:
    """Ace to Ace: the winner has the highest total, and is paid by the others."""
    game = play("ace-to-ace", seats=2, betting="winner_only", deal_count=1)
    game.given_deal(1, ann="9S TS", bea="3C", table=["ann: 6S 7S 8S"], stock="KD")
    go_out(game)
    assert game.table.totals == (40, -3)
    assert payments(game) == ((1, 0, 45),)
