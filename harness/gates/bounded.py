"""Bounds on the mean of independent values between 0 and 1 that need not be alike: shares of scenarios, pass^k, turns.

All follow from one inequality, Hoeffding 1963, theorem 1 (2.1): the mean of n such values reaches x above its
expectation m with a chance of at most exp(-n D(x, m)), where D(x, m) = x ln(x/m) + (1-x) ln((1-x)/(1-m)). It needs no
variance, so that it holds for few values, and where all of them are 1 it is the exact bound of Clopper and Pearson.
`n` need not be whole: a mean weighted by w (of sum 1) is bounded as one of 1/max(w) values, for the terms of the
proof, ln(1 + m (exp(t w) - 1)) / w, grow with w.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, inf, log

_STEPS = 60
"""Halvings of an interval of length 1 until nothing of a float is left of it."""


def divergence(x: float, m: float) -> float:
    """D(x, m) for x and m from 0 to 1, in nats."""
    if x == m:
        return 0.0
    if m <= 0 or m >= 1:
        return inf
    return (x * log(x / m) if x > 0 else 0.0) + ((1 - x) * log((1 - x) / (1 - m)) if x < 1 else 0.0)


def mean_lower(mean: float, n: float, confidence: float) -> float:
    """Lower bound on the expectation behind a mean of n values."""
    return 1 - mean_upper(1 - mean, n, confidence)


def mean_upper(mean: float, n: float, confidence: float) -> float:
    """Upper bound on the expectation behind a mean of n values; 1 for none."""
    if n <= 0 or mean >= 1:
        return 1.0
    low, high = mean, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if exp(-n * divergence(mean, middle)) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def p_above(mean: float, n: float, limit: float) -> float:
    """P-value of the claim that the expectation is at least `limit`."""
    return exp(-n * divergence(mean, limit)) if mean > limit else 1.0


def p_below(mean: float, n: float, limit: float) -> float:
    """P-value of the claim that the expectation is at most `limit`."""
    return p_above(1 - mean, n, 1 - limit)


def values_to_decide(mean: float, limit: float, confidence: float) -> int | None:
    """How many values with this mean it takes until a bound leaves `limit` behind; None if no number would do."""
    apart = divergence(mean, limit)
    return ceil(-log(1 - confidence) / apart) if 0 < apart < inf else None


def fewest(decided: Callable[[int], bool], start: int, most: int = 1_000_000) -> int | None:
    """The fewest n from `start` on for which `decided(n)`, which once true stays so; None if `most` would not do."""
    high = max(start, 1)
    while not decided(high):
        high *= 2
        if high > most:
            return None
    low = max(high // 2, start - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high
