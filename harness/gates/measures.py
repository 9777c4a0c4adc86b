"""Rules on measures: a mean, a maximum or a quantile against a limit.

A missing value is taken to be as good as can be. A limit that is broken even so is broken; any other is undecided, for
nobody keeps a budget by figures that nobody has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Literal

from harness.gates.figures import exactly, nearest, shown
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, Ruling, percent, undecided
from harness.gates.statistics import mean_margin, quantile, quantile_lower, quantile_upper
from harness.model.result import Decision
from harness.model.workflow import GateRule

Stat = Literal["mean", "p50", "p90", "p95", "p99", "max"]
Number = Fraction | float

_SQUARED = 1e150
"""The squares of larger values are beyond any float, and so is the spread of a mean."""

SHARES: dict[Stat, Fraction] = {
    "p50": Fraction(50, 100),
    "p90": Fraction(90, 100),
    "p95": Fraction(95, 100),
    "p99": Fraction(99, 100),
    "max": Fraction(1),
}
"""The statistics that are quantiles: the share of values that each of them is not exceeded by."""


@dataclass(frozen=True, slots=True)
class Limit:
    """`at_most` or `at_least` a value."""

    side: Literal["at_most", "at_least"]
    value: Decimal

    def kept(self, figure: Number) -> bool:
        """Whether a figure keeps it."""
        limit = exactly(self.value)
        return figure <= limit if self.side == "at_most" else figure >= limit

    @property
    def best(self) -> float:
        """What keeps every limit of this side."""
        return -inf if self.side == "at_most" else inf

    def __str__(self) -> str:
        return f"{self.side.replace('_', ' ')} {self.value}"


def limit_of(rule: GateRule) -> Limit:
    """The limit that a rule sets. Raises ValueError if it sets none."""
    if rule.at_least is not None:
        return Limit("at_least", rule.at_least)
    if rule.at_most is not None:
        return Limit("at_most", rule.at_most)
    raise ValueError(f"gate rule `{rule.rule}` sets no limit")


@dataclass(frozen=True, slots=True)
class Sample:
    """The values of a measure and how many are missing. `exact`: all trials agree on them, and no noise is assumed.
    `independent`: without it (turns of one conversation) no interval is known.
    """

    values: tuple[Fraction, ...]
    missing: int
    exact: bool = False
    independent: bool = True


def measure(sample: Sample, stat: Stat, limit: Limit, confidence: float | None = None) -> Ruling:
    """Whether a statistic of the values keeps a limit. With `confidence` its near bound must; where even the far bound
    does not it failed, and between the two it is undecided.
    """
    if not sample.values:
        return undecided(f"none of {sample.missing} values is known" if sample.missing else "it applies to no episode")
    known: list[Number] = sorted(sample.values)
    figure = Fraction(_statistic(known, stat))
    decision = _decide(sample, known, stat, limit, confidence)
    if sample.missing:
        best = sorted([*known, *[limit.best] * sample.missing])
        broken = _decide(sample, best, stat, limit, confidence) is Decision.FAILED
        decision = Decision.FAILED if broken else Decision.UNDECIDED
    bounds = _bounds(sample, known, stat, confidence)
    reason = f"{stat} is {shown(figure, limit.value)} over {len(known)}, {limit} asked for"
    if sample.missing:
        reason += f", {sample.missing} not known"
    if confidence is not None and not sample.exact:
        reason += f"; {_span(bounds)}, each with {percent(confidence)} confidence"
    return Ruling(decision, reason, len(known), figure, bounds, sample.exact)


def _statistic(ordered: Sequence[Number], stat: Stat) -> Number:
    return sum(ordered, Fraction()) / len(ordered) if stat == "mean" else quantile(ordered, SHARES[stat])


def _bounds(sample: Sample, ordered: Sequence[Number], stat: Stat, confidence: float | None) -> Bounds:
    sure = confidence or USUAL
    if sample.exact or not sample.independent or stat == "max":
        return NO_BOUNDS
    if stat == "mean":
        if not all(-_SQUARED < value < _SQUARED for value in ordered):
            return NO_BOUNDS
        figure = float(_statistic(ordered, stat))
        margin = mean_margin([float(value) for value in ordered], sure)
        return NO_BOUNDS if margin is None else Bounds(figure - margin, figure + margin, sure)
    low, high = quantile_lower(ordered, SHARES[stat], sure), quantile_upper(ordered, SHARES[stat], sure)
    return Bounds(None if low is None else nearest(low), None if high is None else nearest(high), sure)


def _decide(sample: Sample, ordered: Sequence[Number], stat: Stat, limit: Limit, confidence: float | None) -> Decision:
    if confidence is None or sample.exact:
        return Decision.PASSED if limit.kept(_statistic(ordered, stat)) else Decision.FAILED
    bounds = _bounds(sample, ordered, stat, confidence)
    near, far = (bounds.high, bounds.low) if limit.side == "at_most" else (bounds.low, bounds.high)
    if near is not None and limit.kept(near):
        return Decision.PASSED
    if far is not None and not limit.kept(far):
        return Decision.FAILED
    return Decision.UNDECIDED


def _span(bounds: Bounds) -> str:
    low = "no lower bound at this number" if bounds.low is None else f"at least {bounds.low:.3g}"
    high = "no upper bound at this number" if bounds.high is None else f"at most {bounds.high:.3g}"
    return f"{low}, {high}"
