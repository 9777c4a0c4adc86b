"""Bounds on a rate that hold at every look, so that trials may go on until a rule is decided.

A bound for a fixed number of trials is wrong more often than it says where somebody looks again and again, and stops
when he likes what he sees. These are wrong at any look, ever, with a chance of no more than 1 - confidence.

They are Robbins' mixtures (Robbins 1970, "Statistical methods related to the law of the iterated logarithm"; Howard,
Ramdas, McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences"). The evidence
against a rate of at most p0 is the likelihood of the trials, averaged over the rates above p0, by that under p0:

    E(p0) = integral over p > p0 of p^s (1-p)^(n-s) dB(p) / (B(p > p0) p0^s (1-p0)^(n-s)),    s of n passed,

with Jeffreys' Beta(1/2, 1/2) for B. Whatever the true rate up to p0, E is a nonnegative supermartingale that begins
at 1, so that it ever reaches 1/a with a chance of at most a (Ville 1939).

Scenarios differ in their rates. Over whole rounds, one trial of each, that only makes E smaller: its expected growth
is the product of b + q(a - b) over the scenarios' rates q, with a = p/p0 and b = (1-p)/(1-p0), and by the inequality
of means no more than with every q at their mean. So the bounds hold for the mean rate of these scenarios, looked at
after whole rounds. A trial that a rule does not apply to leaves E as it is, and the same holds for the rate among
those that it applies to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, inf, log
from typing import Self

from harness.gates.bounded import fewest
from harness.gates.shares import Tally

_PRIOR = 0.5
_HALVINGS = 60
"""Of an interval of rates: beyond them a float has no more digits."""


def rate_lower(passed: int, n: int, confidence: float) -> float:
    """Lower bound on the true rate behind `passed` of `n` that holds at every look; 0 for no pass.

    The largest p0 against which the evidence has reached 1 / (1 - confidence).
    """
    needed = -log(1 - confidence)
    low, high = 0.0, passed / n if n else 0.0  # at the rate seen the evidence is 1 at most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _log_evidence(passed, n, middle) >= needed:
            low = middle
        else:
            high = middle
    return low


def rate_upper(passed: int, n: int, confidence: float) -> float:
    """Upper bound on the true rate behind `passed` of `n` that holds at every look; 1 for no failure."""
    return 1 - rate_lower(n - passed, n, confidence)


def clean_trials(share: float, confidence: float) -> int:
    """How many trials without a failure bring the lower bound up to `share`, which lies strictly between 0 and 1."""
    # The evidence of n passes grows as (1 / share)^n, so that the search ends far below any limit of it.
    return fewest(lambda n: rate_lower(n, n, confidence) >= share, 1, most=10**9) or 10**9


def p_above(passed: int, n: int, rate: float) -> float:
    """P-value, good at every look, of the claim that the true rate is above `rate`: 1 / E, and 1 at most."""
    return min(1.0, exp(-_log_evidence(passed, n, rate)))


def p_below(passed: int, n: int, rate: float) -> float:
    """P-value, good at every look, of the claim that it is below."""
    return p_above(n - passed, n, 1 - rate)


def _log_evidence(passed: int, n: int, rate: float) -> float:
    """The logarithm of E against a true rate of at most `rate`."""
    from scipy.special import betaincc, betaln  # half a second to import, and not needed by every command

    if rate <= 0:
        return inf if passed else 0.0
    if rate >= 1:
        return 0.0
    failed = n - passed
    above = float(betaincc(passed + _PRIOR, failed + _PRIOR, rate))
    if above <= 0:  # so few passed that no higher rate is likelier
        return -inf
    mixed = float(betaln(passed + _PRIOR, failed + _PRIOR)) + log(above)
    prior = float(betaln(_PRIOR, _PRIOR)) + log(float(betaincc(_PRIOR, _PRIOR, rate)))
    return mixed - prior - passed * log(rate) - failed * log(1 - rate)


@dataclass(frozen=True, slots=True)
class SequentialTally(Tally):
    """Trials of the suite as it is, looked at after any whole round."""

    def lower(self, confidence: float) -> float:
        """At every look."""
        return rate_lower(self.passed, self.all, confidence)

    def upper(self, confidence: float) -> float:
        """At every look."""
        return rate_upper(self.passed + self.open, self.all, confidence)

    def p_kept(self, limit: float) -> float:
        """At every look."""
        return p_above(self.passed, self.all, limit)

    def p_broken(self, limit: float) -> float:
        """At every look."""
        return p_below(self.passed + self.open, self.all, limit)

    def grown(self, *, passed: int = 0, failed: int = 0) -> Self:
        """With so many trials more."""
        return replace(self, passed=self.passed + passed, failed=self.failed + failed)
