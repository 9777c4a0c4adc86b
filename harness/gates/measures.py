"""Rules on measures: a mean, a maximum or a quantile against a limit.

A missing value is taken to be as good as can be. A limit that is broken even so is broken; any other is undecided, for
nobody keeps a budget by figures that nobody has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf
from typing import Literal

from harness.gates.bounded import p_above, p_below, values_to_decide
from harness.gates.figures import exactly, nearest, shown
from harness.gates.means import FEWEST, Mean, clustered_mean, mean_of
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, PValues, Ruling, percent, undecided
from harness.gates.shares import Tally
from harness.gates.statistics import (
    clustered_quantile_lower,
    clustered_quantile_upper,
    quantile,
    quantile_lower,
    quantile_upper,
    rate_p_above,
    rate_p_below,
)
from harness.model.result import Decision
from harness.model.workflow import GateRule

Number = Fraction | float

_SQUARED = 1e150
"""The squares of larger values are beyond any float, and so is the spread of a mean."""

SHARES: dict[str, Fraction] = {
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
    `clusters`: what each value belongs to, where values of one cluster are not independent (turns of a conversation,
    trials of a scenario); None: all are. `unit`: what a cluster is.
    """

    values: tuple[Fraction, ...]
    missing: int
    exact: bool = False
    clusters: tuple[Hashable, ...] | None = None
    unit: str = "episodes"

    @property
    def independent(self) -> float:
        """How many independent values they are bounded as: if clusters are of a size, as many as there are of them."""
        return len(self.values) / max(Counter(self.clusters).values()) if self.clusters else len(self.values)

    @property
    def mean(self) -> Mean | None:
        """The mean with its error; None where that is not known."""
        values = [nearest(value) for value in self.values]
        if not all(-_SQUARED < value < _SQUARED for value in values):
            return None
        return mean_of(values) if self.clusters is None else clustered_mean(values, self.clusters)


def measure(sample: Sample, stat: str, limit: Limit, confidence: float | None = None) -> Ruling:
    """Whether a statistic of the values keeps a limit. With `confidence` its near bound must; where even the far bound
    does not it failed, and between the two it is undecided.
    """
    if not sample.values:
        return undecided(f"none of {sample.missing} values is known" if sample.missing else "it applies to no episode")
    known: list[Number] = sorted(sample.values)
    figure = Fraction(_statistic(known, stat))
    bounds = _bounds(sample, known, stat, confidence or USUAL)
    p = None
    if confidence is None or sample.exact:
        best = sorted([*known, *[limit.best] * sample.missing])
        kept, broken = limit.kept(figure), not limit.kept(_statistic(best, stat))
    else:
        p = _p_values(sample, stat, limit)
        kept, broken = p.kept <= 1 - confidence, p.broken <= 1 - confidence
    passed = kept and not sample.missing
    decision = Decision.PASSED if passed else Decision.FAILED if broken else Decision.UNDECIDED
    reason = f"{stat} is {shown(figure, limit.value)} over {len(known)}, {limit} asked for"
    if sample.missing:
        reason += f", {sample.missing} not known"
    if p is not None and confidence is not None:
        reason += f"; {_span(bounds)}, each with {percent(confidence)} confidence"
        if decision is Decision.UNDECIDED and not sample.missing:
            reason += f"; {_more(sample, stat, limit, confidence)}"
    return Ruling(decision, reason, len(known), figure, bounds, sample.exact, p)


def _statistic(ordered: Sequence[Number], stat: str) -> Number:
    return sum(ordered, Fraction()) / len(ordered) if stat == "mean" else quantile(ordered, SHARES[stat])


def _bounds(sample: Sample, ordered: Sequence[Number], stat: str, confidence: float) -> Bounds:
    if sample.exact or stat == "max":
        return NO_BOUNDS
    if stat == "mean":
        mean = sample.mean
        if mean is None:
            return NO_BOUNDS
        return Bounds(mean.lower(confidence), mean.upper(confidence), confidence)
    share = SHARES[stat]
    if sample.clusters is None:
        low, high = quantile_lower(ordered, share, confidence), quantile_upper(ordered, share, confidence)
    else:
        n = sample.independent
        low = clustered_quantile_lower(ordered, share, n, confidence)
        high = clustered_quantile_upper(ordered, share, n, confidence)
    return Bounds(None if low is None else nearest(low), None if high is None else nearest(high), confidence)


def _p_values(sample: Sample, stat: str, limit: Limit) -> PValues:
    """That it is kept, all that is missing breaking it, and that it is broken, all that is missing keeping it."""
    if stat == "mean":
        return _p_of_mean(sample.mean, limit, missing=sample.missing)
    # A quantile is at most a limit if so large a share of values is; at least, if a smaller one is below it.
    all_, share = len(sample.values) + sample.missing, float(SHARES[stat])
    if limit.side == "at_most":
        inside = sum(limit.kept(value) for value in sample.values)
        return PValues(_p_above(sample, inside, all_, share), _p_below(sample, inside + sample.missing, all_, share))
    outside = sum(not limit.kept(value) for value in sample.values)
    return PValues(_p_below(sample, outside + sample.missing, all_, share), _p_above(sample, outside, all_, share))


def _p_of_mean(mean: Mean | None, limit: Limit, *, missing: int) -> PValues:
    if mean is None or missing:
        return PValues(1.0, 1.0)
    below, above = mean.p_below(float(limit.value)), mean.p_above(float(limit.value))
    return PValues(below, above) if limit.side == "at_most" else PValues(above, below)


def _p_above(sample: Sample, count: int, n: int, share: float) -> float:
    return rate_p_above(count, n, share) if sample.clusters is None else p_above(count / n, sample.independent, share)


def _p_below(sample: Sample, count: int, n: int, share: float) -> float:
    return rate_p_below(count, n, share) if sample.clusters is None else p_below(count / n, sample.independent, share)


def _more(sample: Sample, stat: str, limit: Limit, confidence: float) -> str:
    """How many observations would decide if the values went on as they are, in words."""
    now = len(set(sample.clusters)) if sample.clusters else len(sample.values)
    if stat == "mean":
        if sample.mean is None:
            return f"it takes {FEWEST} {sample.unit} at least"
        enough = sample.mean.observations_to_decide(float(limit.value), confidence)
    else:
        inside = sum(limit.kept(value) for value in sample.values)
        share = float(SHARES[stat] if limit.side == "at_most" else 1 - SHARES[stat])
        if sample.clusters is None:
            return Tally(inside, len(sample.values) - inside, 0).more(share, confidence)
        values = values_to_decide(inside / len(sample.values), share, confidence)
        enough = None if values is None else ceil(values * now / sample.independent)
    if enough is None:
        return f"at these values no number of {sample.unit} would decide"
    return f"at these values about {enough} {sample.unit} would decide, {enough - now} more"


def _span(bounds: Bounds) -> str:
    low = "no lower bound at this number" if bounds.low is None else f"at least {bounds.low:.3g}"
    high = "no upper bound at this number" if bounds.high is None else f"at most {bounds.high:.3g}"
    return f"{low}, {high}"
