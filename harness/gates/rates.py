"""Rules on judgements: shares that passed, failures that are allowed, trials that must pass, shares not judged.

What was not judged is counted as failed and as passed; a rule that comes out differently between the two is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from harness.gates.figures import exactly, shown
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, PValues, Ruling, percent, undecided
from harness.gates.shares import Share, Tally
from harness.model.result import Decision


def share_passed(share: Share, at_least: Decimal, confidence: float | None = None) -> Ruling:
    """Whether the share that passes is high enough. With `confidence` its lower bound must be; where even the upper
    bound is too low it failed, and between the two it is undecided.
    """
    limit = exactly(at_least)
    if not share.judged:
        return undecided(_unjudged(share))
    worst, best = share.worst, share.best
    bounds, p = NO_BOUNDS, None
    if not share.exact:
        sure = confidence or USUAL
        low, high = share.lower(sure), share.upper(sure)
        bounds = Bounds(low, high, sure)
        if confidence is not None:
            worst, best = Fraction(low), Fraction(high)
            p = PValues(share.p_kept(float(limit)), share.p_broken(float(limit)))
    decision = Decision.PASSED if worst >= limit else Decision.FAILED if best < limit else Decision.UNDECIDED
    reason = f"{share.said} ({shown(share.figure, at_least)}), {at_least} asked for{_open(share)}"
    if p is not None and confidence is not None:
        reason += f"; at least {low:.3g} and at most {high:.3g}, each with {percent(confidence)} confidence"
        if decision is Decision.UNDECIDED:
            reason += f"; {share.more(float(limit), confidence)}"
    elif decision is Decision.UNDECIDED:
        reason += f"; {share.wanting(limit)}"
    return Ruling(decision, reason, share.judged, share.figure, bounds, share.exact, p)


def failures(tally: Tally, allowed: int, confidence: float | None = None, clustered: Share | None = None) -> Ruling:
    """Whether no more episodes than allowed failed. The upper bound on the true rate is told beside it, at 95 % unless
    `confidence` says otherwise: none seen is not none. `clustered`: the share that passes, as it is to be bounded
    instead of the tally.
    """
    if not tally.judged:
        return undecided(_unjudged(tally))
    if tally.failed > allowed:
        decision = Decision.FAILED
    else:
        decision = Decision.UNDECIDED if tally.failed + tally.open > allowed else Decision.PASSED
    reason = f"{tally.failed} of {tally.judged} failed, {allowed} allowed{_open(tally)}"
    bounds = NO_BOUNDS
    share = clustered or tally
    if not share.exact:
        sure = confidence or 0.95
        high = 1 - share.lower(sure)
        bounds = Bounds(1 - share.upper(sure), high, sure)
        reason += f"; the true rate is at most {high:.3g} with {percent(sure)} confidence"
    return Ruling(decision, reason, tally.judged, Fraction(tally.failed), bounds, share.exact)


def every_trial(tally: Tally) -> Ruling:
    """Whether all passed."""
    if not tally.all:
        return undecided(_unjudged(tally))
    decision = Decision.FAILED if tally.failed else Decision.UNDECIDED if tally.open else Decision.PASSED
    figure = Fraction(tally.passed, tally.judged) if tally.judged else None
    reason = f"{tally.passed} of {tally.all} trials passed{_open(tally)}"
    return Ruling(decision, reason, tally.judged, figure, exact=tally.exact)


def some_trials(scenarios: Sequence[Tally], at_least: int, of: int) -> Ruling:
    """Whether at least so many of every `of` trials of each scenario passed: of more trials the same share, rounded up.
    Of fewer, those that are not there may still fail.
    """
    judged = sum(tally.judged for tally in scenarios)
    if not judged:
        return undecided(_unjudged(Tally(0, 0, sum(tally.open for tally in scenarios))))
    short, open_ = 0, 0
    for tally in scenarios:
        trials = max(tally.all, of)
        least = -(-trials * at_least // of)
        short += trials - tally.failed < least
        open_ += tally.passed < least <= trials - tally.failed
    decision = Decision.FAILED if short else Decision.UNDECIDED if open_ else Decision.PASSED
    weakest = min((tally for tally in scenarios if tally.judged), key=lambda tally: (tally.figure, -tally.judged))
    reason = f"{short} of {len(scenarios)} scenarios passed fewer than {at_least} of {of} trials"
    if open_:
        reason += f", of {open_} too few trials are judged"
    lowest = f"{weakest.passed} of {weakest.judged}"
    return Ruling(decision, f"{reason}; the fewest were {lowest}", judged, weakest.figure, shown=lowest)


def share_not_judged(open_: int, planned: int, at_most: Decimal) -> Ruling:
    """Whether few enough of the planned episodes were not judged. Too many is undecided, never failed."""
    if not planned:
        return undecided("no episode is planned")
    figure = Fraction(open_, planned)
    decision = Decision.PASSED if figure <= exactly(at_most) else Decision.UNDECIDED
    reason = f"{open_} of {planned} planned episodes not judged ({shown(figure, at_most)}), {at_most} allowed"
    return Ruling(decision, reason, planned - open_, figure)


def _open(tally: Share) -> str:
    return f", {tally.open} not judged" if tally.open else ""


def _unjudged(tally: Share) -> str:
    return f"none of {tally.open} episodes could be judged" if tally.open else "it applies to no episode"
