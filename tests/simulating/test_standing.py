"""Shares of the win and places, at tables that are over."""

import pytest

from meldlog_contracts.table import Result, Seat, Table
from meldlog_service.simulating.standing import fewer_is_better, ranks, shares, sides_of

FOUR = tuple(Seat(name, "bot", name) for name in ("a", "b", "a", "c"))
PAIRS = tuple(Seat(f"{seat}", "bot", "ab"[seat % 2], team=seat % 2) for seat in range(4))


@pytest.mark.parametrize(
    ("totals", "winners", "ranking", "expected_shares", "expected_ranks"),
    [
        ((5, 1, 9, 7), (1,), (1, 0, 3, 2), (0, 1, 0, 0), (2, 1, 4, 3)),
        ((5, 1, 1, 7), (1, 2), (1, 2, 0, 3), (0, 0.5, 0.5, 0), (3, 1.5, 1.5, 4)),
        ((5, 1, 5, 5), (1,), (1, 0, 2, 3), (0, 1, 0, 0), (3, 1, 3, 3)),
        ((2, 2, 2, 2), (0, 1, 2, 3), (0, 1, 2, 3), (0.25,) * 4, (2.5,) * 4),
        # Rules may find a winner among equal totals.
        ((2, 2, 9, 9), (1,), (1, 0, 2, 3), (0, 1, 0, 0), (2, 1, 3.5, 3.5)),
    ],
    ids=["alone", "two win together", "equals behind", "all equal", "a winner among equals"],
)
def test_who_win_together_share_the_win_and_equals_share_their_places(
    totals: tuple[int, ...],
    winners: tuple[int, ...],
    ranking: tuple[int, ...],
    expected_shares: tuple[float, ...],
    expected_ranks: tuple[float, ...],
) -> None:
    """One win is given away in every game, and the places add up."""
    table = Table(seats=FOUR, totals=totals)
    result = Result(winners, ranking)
    assert shares(table, result) == expected_shares
    assert ranks(table, result) == expected_ranks


def test_sides_of_partners_are_counted_once() -> None:
    """Though two seats win."""
    table = Table(seats=PAIRS, totals=(80, 20))
    result = Result((1, 3), (1, 3, 0, 2))
    assert sides_of(table) == ("a", "b")
    assert shares(table, result) == (0, 1)
    assert ranks(table, result) == (2, 1)


def test_places_tell_which_way_points_count() -> None:
    """Most pairs of sides decide; equals say nothing."""
    assert fewer_is_better([((1, 5, 9), (1, 2, 3))]) is True
    assert fewer_is_better([((1, 5, 9), (3, 2, 1)), ((4, 4), (1.5, 1.5))]) is False
    assert fewer_is_better([((1, 5), (1, 2)), ((1, 5), (2, 1))]) is None
    assert fewer_is_better([]) is None
