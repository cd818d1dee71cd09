"""Estimates with 95 % confidence intervals: of a rate by Wilson's score, of means by Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from msgspec import Struct

CONFIDENCE = 0.95
_TAIL = (1 + CONFIDENCE) / 2
_MANY = 2000
"""Degrees of freedom beyond which Student's t is taken from its expansion about the normal distribution."""


class Estimate(Struct, frozen=True):
    """A figure and its interval; None where a single observation gives none."""

    value: float
    low: float | None
    high: float | None

    def negated(self) -> Estimate:
        """The same, seen from the other side."""
        turned = [None if bound is None else 0.0 - bound for bound in (self.high, self.low)]
        return Estimate(0.0 - self.value, *turned)


def rate(successes: float, trials: int) -> Estimate:
    """A rate with Wilson's score interval (E. B. Wilson, 1927). Shared successes may be parts of one.

    Raises:
        ValueError: without trials.
    """
    if trials < 1:
        raise ValueError("a rate needs trials")
    z = NormalDist().inv_cdf(_TAIL)
    share = successes / trials
    weight = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / weight
    half = z / weight * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def mean_per(sums: Sequence[float], sizes: Sequence[int]) -> Estimate:
    """A mean over all parts of some clusters: of points per deal over games, which have different numbers of deals.

    What belongs to one cluster is not independent, so the clusters are what is observed: the interval is that of the
    ratio of the two sums, linearised (W. G. Cochran, Sampling Techniques, 1977, chapter 6), with Student's t of one
    degree less than there are clusters.

    Args:
        sums: Of each cluster.
        sizes: How many parts each cluster has.

    Raises:
        ValueError: without any part.
    """
    parts = sum(sizes)
    if parts < 1:
        raise ValueError("a mean needs something to be the mean of")
    clusters = len(sums)
    mean = math.fsum(sums) / parts
    if clusters < 2:  # noqa: PLR2004 -- one observation says nothing of how they differ
        return Estimate(mean, None, None)
    squares = math.fsum((of - mean * size) ** 2 for of, size in zip(sums, sizes, strict=True))
    half = student_t(clusters - 1) * math.sqrt(clusters / (clusters - 1) * squares) / parts
    return Estimate(mean, mean - half, mean + half)


@lru_cache(maxsize=64)
def student_t(degrees: int) -> float:
    """How many standard errors a two-sided 95 % interval by Student's t reaches to each side."""
    z = NormalDist().inv_cdf(_TAIL)
    if degrees > _MANY:
        return z + (z**3 + z) / (4 * degrees)
    low, high = 0.0, 20.0
    while high - low > 1e-12:  # noqa: PLR2004
        middle = (low + high) / 2
        if _within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _within(t: float, degrees: int) -> float:
    """The probability that Student's t lies between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine = math.cos(angle)
    odd = degrees % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for power in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (power - 1) / power
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
