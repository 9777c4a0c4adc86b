"""The two kinds of result: a judgement and a measure. Missing is a status of its own and never becomes a number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from math import inf
from typing import Literal


class Status(StrEnum):
    """How a judgement came out. There is no truth value and no number behind it, on purpose."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_JUDGED = "not_judged"
    NOT_APPLICABLE = "not_applicable"

    def __bool__(self) -> bool:
        raise TypeError("a status is no truth value: compare it with Status.PASSED and say what happens otherwise")


@dataclass(frozen=True, slots=True)
class Judgement:
    """`passed`, `failed`, or the reason why there is neither. `reason` is required where nothing was judged."""

    status: Status
    reason: str = ""

    def __post_init__(self) -> None:
        if self.status in (Status.NOT_JUDGED, Status.NOT_APPLICABLE) and not self.reason:
            raise ValueError(f"{self.status.value} needs a reason")


@dataclass(slots=True)  # an episode has many, and frozen ones would take four times as long to make
class Measure:
    """A number with its unit, or `not_judged` / `not_applicable` with the reason. `value` is None exactly then.

    Decimal for money, float or int otherwise; NaN and infinities are refused. Not to be changed.
    """

    unit: str
    value: Decimal | float | int | None
    missing: Literal[Status.NOT_JUDGED, Status.NOT_APPLICABLE] | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) != (self.missing is not None):
            raise ValueError("a measure has either a value or the status of why it is missing")
        if self.missing is not None and not self.reason:
            raise ValueError(f"{self.missing.value} needs a reason")
        if self.value is not None and not (-inf < self.value < inf):
            raise ValueError(f"a measure is a finite number, not {self.value}")


PASSED = Judgement(Status.PASSED)


def failed(reason: str = "") -> Judgement:
    """A failed judgement."""
    return Judgement(Status.FAILED, reason)


def not_judged(reason: str) -> Judgement:
    """Could not be judged, and why."""
    return Judgement(Status.NOT_JUDGED, reason)


@lru_cache(maxsize=256)  # of most episodes something is not applicable, for one of few reasons
def not_applicable(reason: str) -> Judgement:
    """Does not apply to this episode, and why."""
    return Judgement(Status.NOT_APPLICABLE, reason)
