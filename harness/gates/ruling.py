"""What a rule says of one cell, before it is put beside the others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from harness.model.result import Decision

USUAL = 0.975
"""Confidence of each bound that is printed where no rule asks for one: together they are the 95 % interval."""


class Bounds(NamedTuple):
    """One-sided bounds on a figure, each at `confidence`; None where none is known, or there is no noise to bound."""

    low: float | None = None
    high: float | None = None
    confidence: float | None = None


NO_BOUNDS = Bounds()


class PValues(NamedTuple):
    """P-values of the two claims that a rule with `confidence` may make: that its limit is kept, that it is broken."""

    kept: float
    broken: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision with its figures; `n` is what they rest on. `exact`: all trials agreed, no noise is assumed.
    `p`: where a bound decides. `shown`: the figure as it is printed, where digits alone don't say it. `apart`: what it
    does not rest on and might be expected to, a part of `reason`.
    """

    decision: Decision
    reason: str
    n: int
    figure: Fraction | None = None
    bounds: Bounds = NO_BOUNDS
    exact: bool = False
    p: PValues | None = None
    shown: str = ""
    apart: str = ""


def percent(confidence: float) -> str:
    """`95 %`."""
    return f"{confidence * 100:g} %"


def undecided(reason: str) -> Ruling:
    """Undecided, since there is nothing to decide on."""
    return Ruling(Decision.UNDECIDED, reason, 0)
