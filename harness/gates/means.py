"""The mean of a measure and its error, of independent values or of values in clusters, bounded by Student's t."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt
from typing import NamedTuple

from harness.gates.bounded import fewest

FEWEST_CLUSTERS = 10
"""Of fewer clusters the error of a mean is too uncertain to bound it by (Cameron and Miller 2015, section VI)."""


class Mean(NamedTuple):
    """A mean, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    freedom: int

    def margin(self, confidence: float) -> float:
        """Distance to the one-sided bound (Student 1908)."""
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, confidence)) * self.error

    def p_below(self, limit: float) -> float:
        """P-value of the claim that the true mean is at most `limit`."""
        from scipy.special import stdtr

        if not self.error:
            return 0.0 if self.value <= limit else 1.0
        return float(stdtr(self.freedom, (self.value - limit) / self.error))

    def p_above(self, limit: float) -> float:
        """P-value of the claim that the true mean is at least `limit`."""
        return Mean(-self.value, self.error, self.freedom).p_below(-limit)

    def observations_to_decide(self, limit: float, confidence: float) -> int | None:
        """How many observations with this mean and spread it takes until a bound leaves `limit` behind; None if a
        million would not do.
        """
        n = self.freedom + 1

        def decided(more: int) -> bool:
            return Mean(self.value, self.error * sqrt(n / more), more - 1).margin(confidence) <= abs(self.value - limit)

        return fewest(decided, n)


def mean_of(values: Sequence[float]) -> Mean | None:
    """Of independent values; None for fewer than two, whose spread nobody knows."""
    n = len(values)
    if n < 2:
        return None
    mean = sum(values) / n
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    return Mean(mean, deviation / sqrt(n), n - 1)


def clustered_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> Mean | None:
    """Of values in clusters, one for each, that may have anything in common; None for fewer than ten clusters.

    The ratio of their sums to their sizes, with the error of a ratio estimator (Cochran 1977, section 6.3), which is
    the cluster-robust one with the usual correction m / (m - 1) of m clusters.
    """
    sums: dict[Hashable, tuple[float, int]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        total, size = sums.get(cluster, (0.0, 0))
        sums[cluster] = total + value, size + 1
    m, n = len(sums), len(values)
    if m < FEWEST_CLUSTERS:
        return None
    mean = sum(values) / n
    off = sum((total - mean * size) ** 2 for total, size in sums.values())
    return Mean(mean, sqrt(off * m / (m - 1)) / n, m - 1)
