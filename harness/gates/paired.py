"""Two versions on the same episodes: how much more often the new one fails, how much larger its mean of a measure is.

Of n pairs `worse` failed only with the new version and `better` only with the old one; the drop is their difference
over n. Counts need not be whole: clustered by scenario, a pair is a scenario and its trials' shares are added up, so
that trials of one scenario are taken for one observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from harness.gates.bounded import mean_upper, p_below

_STEPS = 60
"""Halvings until nothing of a float is left of an interval."""


class Discordant(NamedTuple):
    """Pairs of which only one version passed, among `n`."""

    worse: float
    better: float
    n: float

    @property
    def drop(self) -> float:
        """How much lower the share that passes is with the new version."""
        return (self.worse - self.better) / self.n

    @property
    def exchanged(self) -> Discordant:
        """The versions exchanged."""
        return Discordant(self.better, self.worse, self.n)

    def times(self, factor: float) -> Discordant:
        """As many times of everything."""
        return Discordant(self.worse * factor, self.better * factor, self.n * factor)


def score(pairs: Discordant, drop: float, correction: float = 0) -> float:
    """The score statistic of Tango 1998 (Statistics in Medicine 17, 891-908) against a true drop of `drop` or more:
    standard normal if it is just that, the larger the smaller the drop. `correction` is taken off the numerator.
    """
    worse, better, n = pairs
    gain = -drop
    # The chance of a worse pair, by maximum likelihood where that of a better one is larger by `gain`.
    b = (2 * n - better + worse) * gain - better - worse
    chance = (sqrt(max(b * b + 8 * n * worse * gain * (1 - gain), 0.0)) - b) / (4 * n)
    variance = n * (2 * chance + gain * (1 - gain))
    apart = better - worse - n * gain - correction
    return apart / sqrt(variance) if variance > 0 else 0.0


def p_no_worse(pairs: Discordant, margin: float) -> float:
    """P-value of the claim that the true drop is at most `margin`: non-inferiority.

    The smaller of two. Tango's test with the numerator corrected by 1, the step in which it moves: uncorrected it errs
    in up to 6 % of cases where 5 % are claimed (full enumeration over n from 20 to 400; so corrected, and both tests
    together, in none over 5 %). And Hoeffding's bound on the share of worse pairs alone, for a drop is no larger:
    the rule of three where none is worse.
    """
    from scipy.special import ndtr

    by_score = float(ndtr(-score(pairs, margin, correction=1)))
    return min(by_score, p_below(pairs.worse / pairs.n, pairs.n, margin))


def drop_upper(pairs: Discordant, confidence: float) -> float:
    """Upper bound on the true drop: the least margin at which `p_no_worse` is small enough."""
    low, high = max(pairs.drop, -1.0), mean_upper(pairs.worse / pairs.n, pairs.n, confidence)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if p_no_worse(pairs, middle) <= 1 - confidence else (middle, high)
    return high


def drop_lower(pairs: Discordant, confidence: float) -> float:
    """Lower bound on the true drop."""
    return -drop_upper(pairs.exchanged, confidence)


class Means(NamedTuple):
    """The means of a measure with either version over the same units, their variances and covariance, as means."""

    new: float
    old: float
    var_new: float
    var_old: float
    covariance: float
    n: int

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> Means:
        """Of (new, old) values, at least one pair."""
        n = len(pairs)
        new, old = sum(pair[0] for pair in pairs) / n, sum(pair[1] for pair in pairs) / n
        per = n * (n - 1) or 1
        return cls(
            new,
            old,
            sum((a - new) ** 2 for a, _ in pairs) / per,
            sum((b - old) ** 2 for _, b in pairs) / per,
            sum((a - new) * (b - old) for a, b in pairs) / per,
            n,
        )


def p_ratio_below(means: Means, ratio: float) -> float:
    """P-value of the claim that the new mean is at most `ratio` times the old one; 1 for fewer than two pairs.

    Student's t on the paired differences new - ratio x old (Fieller 1954).
    """
    if means.n < 2:
        return 1.0
    from scipy.special import stdtr

    new, old, var_new, var_old, covariance, n = means
    variance = var_new - 2 * ratio * covariance + ratio**2 * var_old
    apart = ratio * old - new
    if variance <= 0:
        return 0.0 if apart >= 0 else 1.0
    return float(stdtr(n - 1, -apart / sqrt(variance)))


def p_ratio_above(means: Means, ratio: float) -> float:
    """P-value of the claim that the new mean is at least `ratio` times the old one."""
    return 1 - p_ratio_below(means, ratio) if means.n > 1 else 1.0


def ratio_bounds(means: Means, confidence: float) -> tuple[float | None, float | None]:
    """One-sided bounds on the ratio of means, new to old, by Fieller's theorem (Fieller 1954). None where there is
    none: of fewer than two pairs, or if the old mean is not told from zero.
    """
    if means.n < 2:
        return None, None
    from scipy.special import stdtrit

    new, old, var_new, var_old, covariance, n = means
    t2 = float(stdtrit(n - 1, confidence)) ** 2
    a, b, c = old**2 - t2 * var_old, new * old - t2 * covariance, new**2 - t2 * var_new
    if a <= 0:
        return None, None
    spread = sqrt(max(b * b - a * c, 0.0))
    return (b - spread) / a, (b + spread) / a
