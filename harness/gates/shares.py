"""Shares of what passes, with what bounds them; and the exact one, over trials of a fixed suite.

What was not judged is counted as failed and as passed; a rule that comes out differently between the two is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Protocol, Self

from harness.gates.bounded import fewest
from harness.gates.statistics import rate_lower, rate_p_above, rate_p_below, rate_upper
from harness.model.status import Judgement, Status


class Share(Protocol):
    """A share that a limit is held against. `worst` and `best`: with all that was not judged failed, and passed."""

    @property
    def judged(self) -> int:
        """Episodes that passed or failed."""
        ...

    @property
    def open(self) -> int:
        """Episodes not judged, or missing."""
        ...

    @property
    def exact(self) -> bool:
        """Whether trials agreed, and no noise is assumed."""
        ...

    @property
    def figure(self) -> Fraction:
        """The share of what was judged."""
        ...

    @property
    def worst(self) -> Fraction:
        """The share if nothing else passed."""
        ...

    @property
    def best(self) -> Fraction:
        """The share if everything else passed."""
        ...

    @property
    def said(self) -> str:
        """What was counted, in words."""
        ...

    def lower(self, confidence: float) -> float:
        """Lower bound on what is behind `worst`."""
        ...

    def upper(self, confidence: float) -> float:
        """Upper bound on what is behind `best`."""
        ...

    def p_kept(self, limit: float) -> float:
        """P-value of the claim that it is at least `limit`."""
        ...

    def p_broken(self, limit: float) -> float:
        """P-value of the claim that it is less."""
        ...

    def more(self, limit: float, confidence: float) -> str:
        """How many more observations would decide if the figure stayed as it is, in words."""
        ...

    def wanting(self, limit: Fraction) -> str:
        """What must become of the open ones for the figure to keep `limit`, in words."""
        ...


@dataclass(frozen=True, slots=True)
class Tally:
    """Planned episodes by how they came out: trials of the suite as it is. `open`: not judged, or missing. What does
    not apply is left out.
    """

    passed: int
    failed: int
    open: int
    exact: bool = False

    @classmethod
    def of(cls, judgements: Iterable[Judgement], *, exact: bool = False) -> Self:
        """Count judgements."""
        counts = dict.fromkeys(Status, 0)
        for judgement in judgements:
            counts[judgement.status] += 1
        return cls(counts[Status.PASSED], counts[Status.FAILED], counts[Status.NOT_JUDGED], exact)

    @property
    def judged(self) -> int:
        """Passed and failed."""
        return self.passed + self.failed

    @property
    def all(self) -> int:
        """Everything that the rule applies to, judged or not."""
        return self.judged + self.open

    @property
    def figure(self) -> Fraction:
        """Passed of judged."""
        return Fraction(self.passed, self.judged)

    @property
    def worst(self) -> Fraction:
        """Passed of all."""
        return Fraction(self.passed, self.all)

    @property
    def best(self) -> Fraction:
        """Not failed of all."""
        return 1 - Fraction(self.failed, self.all)

    @property
    def said(self) -> str:
        """`17 of 20 passed`."""
        return f"{self.passed} of {self.judged} passed"

    def lower(self, confidence: float) -> float:
        """By Clopper and Pearson."""
        return rate_lower(self.passed, self.all, confidence)

    def upper(self, confidence: float) -> float:
        """By Clopper and Pearson."""
        return rate_upper(self.passed + self.open, self.all, confidence)

    def p_kept(self, limit: float) -> float:
        """Binomial."""
        return rate_p_above(self.passed, self.all, limit)

    def p_broken(self, limit: float) -> float:
        """Binomial."""
        return rate_p_below(self.passed + self.open, self.all, limit)

    def more(self, limit: float, confidence: float) -> str:
        """In trials, all together."""
        rate = self.passed / self.judged

        def decided(trials: int) -> bool:
            passed = round(rate * trials)
            return replace(self, passed=passed, failed=trials - passed, open=0).decides(limit, confidence)

        enough = fewest(decided, self.all)
        if enough is None:
            return "at this rate no number of trials would decide"
        if enough <= self.all:
            return "at this rate these trials would decide, once all are judged"
        return f"at this rate about {enough} trials would decide, {enough - self.all} more"

    def wanting(self, limit: Fraction) -> str:
        """So many of them."""
        return f"it holds if {ceil(limit * self.all) - self.passed} of these pass"

    def decides(self, limit: float, confidence: float) -> bool:
        """Whether a bound leaves the limit behind."""
        return self.lower(confidence) >= limit or self.upper(confidence) < limit
