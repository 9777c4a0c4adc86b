"""Exact bounds on rates and quantiles, and pass^k. Every bound is one-sided, at the confidence asked for.

Two bounds at confidence c enclose a two-sided interval of confidence 2c - 1 (0.975 each: the usual 95 %).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, comb, log
from typing import TypeVar

from harness.gates.bounded import p_above, p_below

T = TypeVar("T")


def rate_lower(passed: int, n: int, confidence: float) -> float:
    """Lower bound of Clopper and Pearson (1934) on the true rate behind `passed` of `n`; 0 for no trial.

    Exact for trials of one rate. Where scenarios differ in theirs, the number of passes varies less than binomially
    (Hoeffding 1956), so that the bound errs on the side of caution.
    """
    if not passed:
        return 0.0
    from scipy.special import betaincinv  # half a second to import, and here, as below, not needed by every command

    return float(betaincinv(passed, n - passed + 1, 1 - confidence))


def rate_upper(passed: int, n: int, confidence: float) -> float:
    """Upper bound of Clopper and Pearson (1934) on the true rate behind `passed` of `n`; 1 for no trial.

    For 0 of n it is 1 - (1 - confidence)^(1/n): about 3/n at 95 %, the rule of three (Hanley and Lippman-Hand 1983).
    """
    return 1 - rate_lower(n - passed, n, confidence)


def rate_p_above(passed: float, n: float, limit: float) -> float:
    """P-value of the claim that the true rate is at least `limit`: how likely `passed` or more of `n` would be at it.

    The binomial test, which the bounds of Clopper and Pearson invert.
    """
    if limit <= 0:
        return 0.0
    if passed <= 0 or limit >= 1:
        return 1.0
    from scipy.special import betainc

    return float(betainc(passed, n - passed + 1, limit))


def rate_p_below(passed: float, n: float, limit: float) -> float:
    """P-value of the claim that the true rate is at most `limit`: how likely so few of `n` would be at it."""
    return rate_p_above(n - passed, n, 1 - limit)


def quantile(ordered: Sequence[T], p: Fraction) -> T:
    """The smallest of the values, given in ascending order, that at least the share `p` of them does not exceed.

    Always one of the values (definition 1 of Hyndman and Fan 1996), so that a limit is held against something that
    happened. Raises IndexError without a value.
    """
    return ordered[max(ceil(p * len(ordered)), 1) - 1]


def quantile_lower(ordered: Sequence[T], p: Fraction, confidence: float) -> T | None:
    """Lower bound on the `p` quantile that makes no assumption on the distribution; None where `n` is too small.

    The order statistic of highest rank r with P(Binomial(n, p) >= r) >= confidence (Conover 1999, section 3.2).
    """
    rank = _lower_rank(len(ordered), float(p), confidence)
    return ordered[rank - 1] if rank else None


def quantile_upper(ordered: Sequence[T], p: Fraction, confidence: float) -> T | None:
    """Upper bound on the `p` quantile that makes no assumption on the distribution; None where `n` is too small.

    The mirror image of the lower bound: it takes 59 values to bound a 95th percentile at 95 % (Wilks 1941).
    """
    n = len(ordered)
    rank = _lower_rank(n, 1 - float(p), confidence)
    return ordered[n - rank] if rank else None


def clustered_quantile_lower(ordered: Sequence[T], p: Fraction, n: float, confidence: float) -> T | None:
    """Lower bound on the `p` quantile of values in clusters, which are bounded as `n` independent ones: values over
    the size of the largest cluster. None where there are too few.

    The share of values below a true quantile is no more than p: the highest rank at which Hoeffding's bound
    (`harness.gates.bounded`) tells the share below it from p.
    """
    share = float(p)
    for rank in range(len(ordered), 0, -1):
        if p_below((rank - 1) / len(ordered), n, share) <= 1 - confidence:
            return ordered[rank - 1]
    return None


def clustered_quantile_upper(ordered: Sequence[T], p: Fraction, n: float, confidence: float) -> T | None:
    """Upper bound on the `p` quantile of values in clusters; the mirror image of the lower one."""
    share = float(p)
    for rank in range(1, len(ordered) + 1):
        if p_above(rank / len(ordered), n, share) <= 1 - confidence:
            return ordered[rank - 1]
    return None


def _lower_rank(n: int, p: float, confidence: float) -> int:
    """The highest r in 0..n with P(Binomial(n, p) >= r) >= confidence."""
    from scipy.special import bdtr

    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        if 1 - float(bdtr(middle - 1, n, p)) >= confidence:
            low = middle
        else:
            high = middle - 1
    return low


def clean_trials(share: float, confidence: float) -> int:
    """How many trials without a failure bring the lower bound on the rate up to `share`: the least n with
    share^n <= 1 - confidence. Also the values that it takes to bound the `share` quantile from above.

    `share` lies strictly between 0 and 1: no number of trials proves a rate of 1.
    """
    n = max(ceil(log(1 - confidence) / log(share)), 1)
    # The logarithms are rounded, so the quotient may land on the wrong side of a whole number.
    while n > 1 and share ** (n - 1) <= 1 - confidence:
        n -= 1
    while share**n > 1 - confidence:
        n += 1
    return n


def pass_hat(k: int, tallies: Iterable[tuple[int, int]]) -> Fraction | None:
    """pass^k: the chance that k trials of a scenario, drawn without replacement, all pass, averaged over scenarios.

    `tallies` holds (passed, trials) of each scenario. The unbiased estimate C(c, k) / C(n, k) of Yao et al. 2024
    (tau-bench). A scenario with fewer than k trials has no estimate, so that there is none for the whole either.
    """
    shares = []
    for passed, trials in tallies:
        if trials < k:
            return None
        shares.append(Fraction(comb(passed, k), comb(trials, k)))
    return sum(shares, Fraction()) / len(shares) if shares else None
