"""A figure of a measure with the new version as a ratio to that with the old one, and bounds on the true ratio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, Self

from harness.gates.bounded import fewest
from harness.gates.means import FEWEST, Mean, mean_of
from harness.gates.statistics import (
    clustered_quantile_lower,
    clustered_quantile_upper,
    quantile_lower,
    quantile_upper,
)

_STEPS = 60
"""Halvings until nothing of a float is left of an interval."""

_LARGEST_RATIO = 1e6
_MOST_TIMES = 1_000

Sides = tuple[float | None, float | None]
"""A lower and an upper bound; None where there is none."""


class Ratio(Protocol):
    """What a limit on a ratio is held against."""

    def bounds(self, confidence: float) -> Sides:
        """One-sided bounds on the ratio, each at `confidence`."""
        ...

    def p_below(self, ratio: float) -> float:
        """P-value of the claim that the true one is at most `ratio`."""
        ...

    def p_above(self, ratio: float) -> float:
        """P-value of the claim that the true one is at least `ratio`."""
        ...

    def more(self, ratio: float, confidence: float) -> str:
        """How many observations would decide if they went on as they are, in words."""
        ...


@dataclass(frozen=True, slots=True)
class MeanRatio:
    """Of means. `values`: with the new version and with the old one, pair by pair, or scenario by scenario; `unit` says
    which.
    """

    values: Sequence[tuple[float, float]]
    unit: str = "pairs"

    def bounds(self, confidence: float) -> Sides:
        """The nearest ratios that `p_above` and `p_below` tell it from; none on an old mean that may be zero."""
        inverse = MeanRatio([(old, new) for new, old in self.values])._upper(confidence)
        return None if inverse is None else 1 / inverse, self._upper(confidence)

    def p_below(self, ratio: float) -> float:
        """The paired differences new - ratio x old have a mean of at most zero then (Fieller 1954)."""
        mean = self._difference(ratio)
        return 1.0 if mean is None else mean.p_below(0)

    def p_above(self, ratio: float) -> float:
        """Likewise, of at least zero."""
        mean = self._difference(ratio)
        return 1.0 if mean is None else mean.p_above(0)

    def more(self, ratio: float, confidence: float) -> str:
        """By the spread of the differences."""
        mean = self._difference(ratio)
        if mean is None:
            return f"it takes {FEWEST} {self.unit} at least"
        return _more(mean.observations_to_decide(0, confidence), len(self.values), self.unit)

    def _upper(self, confidence: float) -> float | None:
        low, high = 0.0, 1.0
        while self.p_below(high) > 1 - confidence:
            low, high = high, 2 * high
            if high > _LARGEST_RATIO:
                return None
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.p_below(middle) <= 1 - confidence else (middle, high)
        return high

    def _difference(self, ratio: float) -> Mean | None:
        return mean_of([new - ratio * old for new, old in self.values])


@dataclass(frozen=True, slots=True)
class QuantileRatio:
    """Of quantiles. `new` and `old`: values in ascending order, of as many pairs; `share`: which quantile.

    The bound on one version's quantile over the opposite one on the other's, each wrong half as often as the ratio may
    be: good whatever the two have in common (Bonferroni), so that nothing is gained by pairs. `independent`: how many
    independent values they are bounded as, where values are in clusters of a `unit`; None: as many as there are.
    """

    new: Sequence[float]
    old: Sequence[float]
    share: Fraction
    independent: float | None = None
    unit: str = "pairs"

    def bounds(self, confidence: float) -> Sides:
        """None where there are too few values, or the quantile below the line may be zero."""
        each = (1 + confidence) / 2
        low, high = (_over(*sides) for sides in (self._sides(each), self._inverse._sides(each)))
        return low, None if high is None else 1 / high if high > 0 else None

    def p_below(self, ratio: float) -> float:
        """The least chance of being wrong at which the upper bound is no higher than `ratio`."""

        def tells(confidence: float) -> bool:
            upper = self.bounds(confidence)[1]
            return upper is not None and upper <= ratio

        return _p_value(tells)

    def p_above(self, ratio: float) -> float:
        """The least chance of being wrong at which the lower bound is no lower than `ratio`."""

        def tells(confidence: float) -> bool:
            lower = self.bounds(confidence)[0]
            return lower is not None and lower >= ratio

        return _p_value(tells)

    def more(self, ratio: float, confidence: float) -> str:
        """If all that there is came so many times."""

        def decided(times: int) -> bool:
            low, high = self._times(times).bounds(confidence)
            return (low is not None and low >= ratio) or (high is not None and high <= ratio)

        times = fewest(decided, 1, _MOST_TIMES)
        now = len(self.new) if self.independent is None else round(self.independent)
        return _more(None if times is None else times * now, now, self.unit)

    @property
    def _inverse(self) -> Self:
        return replace(self, new=self.old, old=self.new)

    def _sides(self, confidence: float) -> Sides:
        """The lower bound on the new quantile and the upper one on the old."""
        if self.independent is None:
            new = quantile_lower(self.new, self.share, confidence)
            return new, quantile_upper(self.old, self.share, confidence)
        new = clustered_quantile_lower(self.new, self.share, self.independent, confidence)
        return new, clustered_quantile_upper(self.old, self.share, self.independent, confidence)

    def _times(self, times: int) -> Self:
        new, old = ([value for value in side for _ in range(times)] for side in (self.new, self.old))
        return replace(self, new=new, old=old, independent=self.independent and self.independent * times)


def _over(above: float | None, below: float | None) -> float | None:
    return None if above is None or not below else above / below


def _p_value(tells: Callable[[float], bool]) -> float:
    """One less the highest confidence at which it tells."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if tells(middle) else (low, middle)
    return 1 - low


def _more(enough: int | None, now: int, unit: str) -> str:
    if enough is None:
        return f"at these values no number of {unit} would decide"
    return f"at these values about {enough} {unit} would decide, {enough - now} more"
