"""Rules on judgements: shares that passed, failures that are allowed, trials that must all pass, shares not judged.

What was not judged is counted as failed and as passed; a rule that comes out differently between the two is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from harness.gates.figures import exactly, shown
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, Ruling, percent, undecided
from harness.gates.statistics import rate_lower, rate_upper, trials_to_decide
from harness.model.result import Decision
from harness.model.status import Judgement, Status


@dataclass(frozen=True, slots=True)
class Tally:
    """Planned episodes by how they came out. `open`: not judged, or missing. What does not apply is left out.
    `exact`: all trials agree, and no noise between them is assumed.
    """

    passed: int
    failed: int
    open: int
    exact: bool = False

    @classmethod
    def of(cls, judgements: Iterable[Judgement], *, exact: bool = False) -> Tally:
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


def share_passed(tally: Tally, at_least: Decimal, confidence: float | None = None) -> Ruling:
    """Whether the share that passes is high enough. With `confidence` its lower bound must be; where even the upper
    bound is too low it failed, and between the two it is undecided.
    """
    limit = exactly(at_least)
    if not tally.judged:
        return undecided(_unjudged(tally))
    worst, best = Fraction(tally.passed, tally.all), Fraction(tally.passed + tally.open, tally.all)
    bounds = NO_BOUNDS
    if not tally.exact:
        sure = confidence or USUAL
        low = rate_lower(tally.passed, tally.all, sure)
        high = rate_upper(tally.passed + tally.open, tally.all, sure)
        bounds = Bounds(low, high, sure)
        if confidence is not None:
            worst, best = Fraction(low), Fraction(high)
    decision = Decision.PASSED if worst >= limit else Decision.FAILED if best < limit else Decision.UNDECIDED
    figure = Fraction(tally.passed, tally.judged)
    reason = f"{tally.passed} of {tally.judged} passed ({shown(figure, at_least)}), {at_least} asked for{_open(tally)}"
    if confidence is not None and not tally.exact:
        reason += f"; at least {low:.3g} and at most {high:.3g}, each with {percent(confidence)} confidence"
        if decision is Decision.UNDECIDED and not tally.open:
            reason += _more_trials(tally, limit, confidence)
    return Ruling(decision, reason, tally.judged, figure, bounds, tally.exact)


def failures(tally: Tally, allowed: int, confidence: float | None = None) -> Ruling:
    """Whether no more episodes than allowed failed. The upper bound on the true rate is told beside it, at 95 % unless
    `confidence` says otherwise: none seen is not none.
    """
    if not tally.judged:
        return undecided(_unjudged(tally))
    if tally.failed > allowed:
        decision = Decision.FAILED
    else:
        decision = Decision.UNDECIDED if tally.failed + tally.open > allowed else Decision.PASSED
    reason = f"{tally.failed} of {tally.judged} failed, {allowed} allowed{_open(tally)}"
    bounds = NO_BOUNDS
    if not tally.exact:
        sure = confidence or 0.95
        high = rate_upper(tally.failed + tally.open, tally.all, sure)
        bounds = Bounds(rate_lower(tally.failed, tally.all, sure), high, sure)
        reason += f"; the true rate is at most {high:.3g} with {percent(sure)} confidence"
    return Ruling(decision, reason, tally.judged, Fraction(tally.failed), bounds, tally.exact)


def every_trial(tally: Tally) -> Ruling:
    """Whether all passed."""
    if not tally.all:
        return undecided(_unjudged(tally))
    decision = Decision.FAILED if tally.failed else Decision.UNDECIDED if tally.open else Decision.PASSED
    figure = Fraction(tally.passed, tally.judged) if tally.judged else None
    reason = f"{tally.passed} of {tally.all} trials passed{_open(tally)}"
    return Ruling(decision, reason, tally.judged, figure, exact=tally.exact)


def share_not_judged(open_: int, planned: int, at_most: Decimal) -> Ruling:
    """Whether few enough of the planned episodes were not judged. Too many is undecided, never failed."""
    if not planned:
        return undecided("no episode is planned")
    figure = Fraction(open_, planned)
    decision = Decision.PASSED if figure <= exactly(at_most) else Decision.UNDECIDED
    reason = f"{open_} of {planned} planned episodes not judged ({shown(figure, at_most)}), {at_most} allowed"
    return Ruling(decision, reason, planned - open_, figure)


def _more_trials(tally: Tally, limit: Fraction, confidence: float) -> str:
    more = trials_to_decide(tally.passed, tally.judged, float(limit), confidence)
    return f"; at this rate {f'about {more}' if more else 'no number of'} trials would decide"


def _open(tally: Tally) -> str:
    return f", {tally.open} not judged" if tally.open else ""


def _unjudged(tally: Tally) -> str:
    return f"none of {tally.open} episodes could be judged" if tally.open else "it applies to no episode"
