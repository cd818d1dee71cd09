"""Games summed up, small enough to be counted by hand."""

import pytest
from msgspec.structs import replace

from meldlog_service.simulating.playing import Played
from meldlog_service.simulating.statistics import mean_per, rate
from meldlog_service.simulating.summary import summed_up

GAME = Played(
    number=0,
    game_id="g0",
    outcome="finished",
    commands=100,
    seconds=0.1,
    sides=("a", "b"),
    scores=((0, 10), (4, 20)),
    shares=(1, 0),
    ranks=(1, 2),
    deals_ended={"went_out": 2},
    log=(),
)
LOST = replace(GAME, number=1, game_id="g1", commands=300, scores=((9, 0),), shares=(0, 1), ranks=(2, 1))
SHARED = replace(GAME, number=2, game_id="g2", scores=((5, 5),), shares=(0.5, 0.5), ranks=(1.5, 1.5))


def test_wins_are_counted_and_shared() -> None:
    """With the interval of a rate over games."""
    first, second = summed_up([GAME, LOST, SHARED]).strategies
    assert (first.strategy, first.games, first.wins) == ("a", 3, 1.5)
    assert first.win_rate == rate(1.5, 3)
    assert (second.wins, second.mean_rank) == (1.5, 1.5)
    assert first.by_chance == second.by_chance == 0.5


def test_points_are_per_deal_a_game_being_one_observation() -> None:
    """Games have different numbers of deals."""
    first, second = summed_up([GAME, LOST, SHARED]).strategies
    assert first.points_per_deal == mean_per([4, 9, 5], [2, 1, 1])
    assert second.points_per_deal.value == 35 / 4


def test_who_sits_twice_has_twice_the_chance_and_both_seats_points() -> None:
    """Points and places are those of one of its sides."""
    game = replace(GAME, sides=("a", "b", "a"), scores=((1, 2, 3),), shares=(0, 1, 0), ranks=(2, 1, 3))
    first, _ = summed_up([game]).strategies
    assert first.by_chance == pytest.approx(2 / 3)
    assert first.points_per_deal.value == 2
    assert first.mean_rank == 2.5


def test_two_strategies_are_compared_game_by_game() -> None:
    """How many games each won, and how many more points a deal gave the first."""
    again = replace(GAME, number=3, game_id="g3")
    duel = summed_up([GAME, again, LOST, SHARED]).duel
    assert duel is not None
    assert (duel.strategy, duel.against, duel.won, duel.lost, duel.shared) == ("a", "b", 2, 1, 1)
    assert duel.points_per_deal == mean_per([-26, -26, 9, 0], [2, 2, 1, 1])


def test_whoever_is_ahead_is_told_whichever_way_points_count() -> None:
    """As the places say: here who has fewer points comes first, there who has more."""
    penalties = summed_up([GAME, LOST]).duel
    prizes = summed_up([replace(GAME, ranks=(2, 1)), replace(LOST, ranks=(1, 2))]).duel
    assert penalties is not None
    assert prizes is not None
    assert (penalties.fewer_is_better, penalties.ahead) == (True, "a")
    assert (prizes.fewer_is_better, prizes.ahead) == (False, "b")
    assert penalties.points_per_deal == prizes.points_per_deal == prizes.points_ahead
    assert penalties.points_ahead == penalties.points_per_deal.negated()


def test_nobody_is_ahead_with_equal_points() -> None:
    """Nor where no place tells which way points count."""
    even = summed_up([GAME, replace(LOST, scores=((26, 0), (0, 0)))]).duel
    untold = summed_up([replace(GAME, ranks=(1.5, 1.5))]).duel
    assert even is not None
    assert untold is not None
    assert even.points_ahead is not None
    assert (even.fewer_is_better, even.ahead, even.points_ahead.value) == (True, None, 0)
    assert (untold.fewer_is_better, untold.ahead, untold.points_ahead) == (None, None, None)


def test_strategies_stand_as_they_are_named() -> None:
    """Partners who differ where the first of them is; without names they stand by the alphabet."""
    pairs = replace(GAME, sides=("a+d", "b+c"))
    for named, first in (("ba", "b+c"), ("cd", "b+c"), ("db", "a+d"), ("", "a+d")):
        summary = summed_up([pairs], named=tuple(named))
        assert summary.strategies[0].strategy == first
        assert summary.duel is not None
        assert summary.duel.strategy == first


def test_games_of_one_shuffle_are_one_observation() -> None:
    """What luck gave to one strategy in the first game it gave to the other in the second."""
    games = [
        replace(GAME, number=number, scores=((points, 9 - points),))
        for number, points in enumerate((9, 1, 2, 8))
    ]
    duel = summed_up(games, together=2).duel
    assert duel is not None
    assert duel.points_per_deal == mean_per([9 - 7, -5 + 7], [2, 2])
    assert summed_up(games, together=2).strategies[0].points_per_deal == mean_per([10, 10], [2, 2])


def test_three_strategies_are_not_compared_in_pairs() -> None:
    """The table tells enough."""
    game = replace(GAME, sides=("a", "b", "c"), scores=((1, 2, 3),), shares=(0, 1, 0), ranks=(2, 1, 3))
    assert summed_up([game]).duel is None


def test_games_that_were_not_finished_tell_nothing_about_bots() -> None:
    """They are told one by one, and count among the lengths."""
    left = replace(GAME, number=3, game_id="g3", outcome="unfinished", commands=999, shares=(), ranks=())
    summary = summed_up([GAME, left])
    assert (summary.played, summary.finished) == (2, 1)
    assert summary.strategies == summed_up([GAME]).strategies
    (trouble,) = summary.troubles
    assert (trouble.number, trouble.game_id, trouble.outcome, trouble.commands) == (
        3,
        "g3",
        "unfinished",
        999,
    )
    assert summary.games is not None
    assert (summary.games.longest, summary.games.commands.most) == ("g3", 999)


def test_lengths_are_told_from_the_least_to_the_most() -> None:
    """With how deals ended."""
    games = summed_up([GAME, LOST, replace(SHARED, deals_ended={"void": 1, "went_out": 2})]).games
    assert games is not None
    assert (games.commands.least, games.commands.median, games.commands.most) == (100, 100, 300)
    assert games.commands.mean == pytest.approx(500 / 3)
    assert games.commands_per_second == pytest.approx(500 / 0.3)
    assert games.deals_ended == {"went_out": 6, "void": 1}


def test_no_game_tells_nothing() -> None:
    """As when it is interrupted at once."""
    summary = summed_up([])
    assert (summary.strategies, summary.duel, summary.games, summary.troubles) == ((), None, None, ())
