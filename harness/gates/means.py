"""The mean of a measure and bounds on it, of independent values or of values in clusters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import cbrt, sqrt
from typing import NamedTuple

from harness.gates.bounded import fewest

FEWEST_CLUSTERS = 10
"""Of fewer clusters the error of a mean is too uncertain to bound it by (Cameron and Miller 2015, section VI)."""

_SYMMETRIC = 1e-9


class Mean(NamedTuple):
    """A mean, its standard error, the degrees of freedom of that, and the skewness of what it is taken over.

    Costs and times have a long tail, of which few values show little, so that Student's t takes an upper bound too low.
    Where it is the wider one, the bound is that of Hall 1992 (Journal of the Royal Statistical Society B 54, 221-228),
    whose transformation takes the skewness out of t.
    """

    value: float
    error: float
    freedom: int
    skewness: float = 0.0

    def upper(self, confidence: float) -> float:
        """Upper bound on the true mean."""
        from scipy.special import stdtrit

        quantile = float(stdtrit(self.freedom, confidence))
        return self.value + self.error * max(quantile, -self._inverse(-quantile))

    def lower(self, confidence: float) -> float:
        """Lower bound on the true mean."""
        return -self.mirrored.upper(confidence)

    def p_below(self, limit: float) -> float:
        """P-value of the claim that the true mean is at most `limit`."""
        from scipy.special import stdtr

        if not self.error:
            return 0.0 if self.value <= limit else 1.0
        apart = (self.value - limit) / self.error
        return float(stdtr(self.freedom, max(apart, self._transformed(apart))))

    def p_above(self, limit: float) -> float:
        """P-value of the claim that the true mean is at least `limit`."""
        return self.mirrored.p_below(-limit)

    @property
    def mirrored(self) -> Mean:
        """Of the values with the sign changed."""
        return Mean(-self.value, self.error, self.freedom, -self.skewness)

    def observations_to_decide(self, limit: float, confidence: float) -> int | None:
        """How many observations with this mean and spread it takes until a bound leaves `limit` behind; None if a
        million would not do.
        """
        n = self.freedom + 1

        def decided(more: int) -> bool:
            many = Mean(self.value, self.error * sqrt(n / more), more - 1, self.skewness)
            return many.upper(confidence) <= limit or many.lower(confidence) >= limit

        return fewest(decided, n)

    def _transformed(self, t: float) -> float:
        a = self.skewness / (3 * sqrt(self.freedom + 1))
        return t + a * t**2 + a**2 * t**3 / 3 + a / 2

    def _inverse(self, y: float) -> float:
        a = self.skewness / (3 * sqrt(self.freedom + 1))
        return (cbrt(1 + 3 * a * (y - a / 2)) - 1) / a if abs(a) > _SYMMETRIC else y - a / 2


def mean_of(values: Sequence[float]) -> Mean | None:
    """Of independent values; None for fewer than two, whose spread nobody knows."""
    n = len(values)
    if n < 2:
        return None
    mean = sum(values) / n
    off = [value - mean for value in values]
    return Mean(mean, sqrt(sum(each**2 for each in off) / (n - 1) / n), n - 1, _skewness(off))


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
    off = [total - mean * size for total, size in sums.values()]
    return Mean(mean, sqrt(sum(each**2 for each in off) * m / (m - 1)) / n, m - 1, _skewness(off))


def _skewness(off: Sequence[float]) -> float:
    """Of values of mean 0: G1 of Joanes and Gill 1998 (The Statistician 47, 183-189); 0 of fewer than three."""
    n = len(off)
    variance = sum(each**2 for each in off) / n
    if n < 3 or variance <= 0:
        return 0.0
    return sum(each**3 for each in off) / n / sqrt(variance) ** 3 * sqrt(n * (n - 1)) / (n - 2)
