"""Two versions on the same episodes: how much more often the new one fails.

Of n pairs `worse` failed only with the new version and `better` only with the old one; the drop is their difference
over n.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from harness.gates.bounded import mean_upper, p_below

_STEPS = 60
"""Halvings until nothing of a float is left of an interval."""


class Discordant(NamedTuple):
    """Pairs of which only one version passed, among `n`.

    Clustered by scenario, a pair is a scenario, `worse` and `better` add up the shares of its trials, and `squares` the
    squares of its drops; of single pairs, whose drops are -1, 0 or 1, these are as many as are discordant.
    """

    worse: float
    better: float
    n: float
    squares: float | None = None

    @property
    def drop(self) -> float:
        """How much lower the share that passes is with the new version."""
        return (self.worse - self.better) / self.n

    @property
    def spread(self) -> float:
        """What stands for the number of discordant pairs in the variance of the drop."""
        return self.worse + self.better if self.squares is None else max(self.squares, abs(self.worse - self.better))

    @property
    def exchanged(self) -> Discordant:
        """The versions exchanged."""
        return Discordant(self.better, self.worse, self.n, self.squares)

    def times(self, factor: float) -> Discordant:
        """As many times of everything."""
        squares = None if self.squares is None else self.squares * factor
        return Discordant(self.worse * factor, self.better * factor, self.n * factor, squares)


def score(pairs: Discordant, drop: float, correction: float = 0) -> float:
    """The score statistic of Tango 1998 (Statistics in Medicine 17, 891-908) against a true drop of `drop` or more:
    standard normal if it is just that, the larger the smaller the drop. `correction` is taken off the numerator. Of
    scenarios it is the same with the counts that pairs of that mean and variance would have: where all trials of one
    agree, scenarios are pairs; where trials differ by chance alone, more of them make it sharper.
    """
    lost, n = pairs.worse - pairs.better, pairs.n
    worse, better = (pairs.spread + lost) / 2, (pairs.spread - lost) / 2
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
    in up to 6 % of cases where 5 % are claimed; so corrected, and both tests together, in none over 5 % (by full
    enumeration over n from 20 to 400). And Hoeffding's bound on the share of worse pairs alone, for a drop is no
    larger: the rule of three where none is worse.
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
