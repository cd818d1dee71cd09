"""Estimates and their intervals, against published values."""

import math

import pytest

from meldlog_service.simulating.statistics import Estimate, mean_per, rate, student_t


@pytest.mark.parametrize(
    ("degrees", "published"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (10, 2.2281),
        (29, 2.0452),
        (30, 2.0423),
        (100, 1.9840),
        (199, 1.9720),
        (10**9, 1.9600),
    ],
)
def test_students_t_is_that_of_the_tables(degrees: int, published: float) -> None:
    """Two-sided, 95 %; even and odd degrees, few and many."""
    assert student_t(degrees) == pytest.approx(published, abs=5e-5)


def test_students_t_goes_on_smoothly_where_its_expansion_begins() -> None:
    """Degrees of freedom beyond 2000 are not added up one by one."""
    assert student_t(2000) - student_t(2001) == pytest.approx(0, abs=2e-6)
    assert student_t(2000) > student_t(2001)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_that_of_the_literature(
    successes: int, trials: int, low: float, high: float
) -> None:
    """Also where nothing succeeded."""
    found = rate(successes, trials)
    assert found.value == successes / trials
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_a_rate_lies_in_its_interval_and_the_interval_in_nought_to_one() -> None:
    """Shared wins make parts of a success."""
    for trials in (1, 2, 7, 200):
        for halves in range(2 * trials + 1):
            found = rate(halves / 2, trials)
            assert found.low is not None
            assert found.high is not None
            assert 0 <= found.low <= found.value + 1e-12
            assert found.value - 1e-12 <= found.high <= 1


def test_a_mean_of_equal_clusters_has_the_textbook_interval() -> None:
    """One part a cluster: mean, t and standard error as in every textbook (1 to 5: 3 and 2.7764 x sqrt(2.5 / 5))."""
    found = mean_per([1, 2, 3, 4, 5], [1] * 5)
    half = 2.7764451 * math.sqrt(2.5 / 5)
    assert found.value == 3
    assert found.low == pytest.approx(3 - half)
    assert found.high == pytest.approx(3 + half)


def test_a_cluster_weighs_as_much_as_it_has_parts() -> None:
    """The mean is that of all parts, not of the clusters' means."""
    assert mean_per([10, 90], [1, 9]).value == 10
    assert mean_per([0, 90], [1, 9]).value == 9


def test_clusters_that_say_the_same_leave_no_doubt() -> None:
    """Whatever their sizes."""
    found = mean_per([4, 8, 12], [1, 2, 3])
    assert (found.low, found.value, found.high) == (4, 4, 4)


def test_one_observation_gives_no_interval() -> None:
    """It says nothing of how observations differ."""
    found = mean_per([7], [2])
    assert (found.low, found.value, found.high) == (None, 3.5, None)


def test_nothing_has_neither_rate_nor_mean() -> None:
    """That is the caller's mistake."""
    with pytest.raises(ValueError, match="trials"):
        rate(0, 0)
    with pytest.raises(ValueError, match="mean"):
        mean_per([], [])


def test_an_estimate_is_seen_from_the_other_side() -> None:
    """Its bounds change places."""
    assert Estimate(1, -2, 4).negated() == Estimate(-1, -4, 2)
    assert Estimate(3, None, None).negated() == Estimate(-3, None, None)
    assert str(Estimate(0.0, -1, 1).negated().value) == "0.0"
