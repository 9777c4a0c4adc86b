"""Judgements against a baseline: the share that passes drops by no more than a margin, paired (non-inferiority).

What was not judged with the new version is counted as failed, and with the old one as passed; and the other way round.
A rule that comes out differently between the two is undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.gates.bounded import fewest
from harness.gates.figures import exactly, shown
from harness.gates.paired import Discordant, drop_lower, drop_upper, p_no_worse
from harness.gates.pairing import Pair, Paired
from harness.gates.readings import status_of
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, PValues, Ruling, percent, undecided
from harness.model.result import Decision
from harness.model.status import Status
from harness.model.workflow import GateRule

_JUDGED = frozenset({Status.PASSED, Status.FAILED})


def dropped(rule: GateRule, found: Paired, confidence: float | None) -> Ruling:
    """Whether the share that passes drops by no more than `max_drop`, with `confidence` by its upper bound."""
    margin = exactly(rule.max_drop or 0)
    judged = [each for each in found.pairs if {each.row.status, status_of(each.old)} <= _JUDGED]
    if not judged:
        return undecided(f"none of {len(found.pairs)} pairs could be judged")
    figure = _drop(judged, rule, worst=True)
    worst, best = _drop(found.pairs, rule, worst=True), _drop(found.pairs, rule, worst=False)
    bounds, p = NO_BOUNDS, None
    if not found.exact:
        sure = confidence or USUAL
        bounds = Bounds(drop_lower(best.counts, sure), drop_upper(worst.counts, sure), sure)
    if confidence is None:
        kept, broken = worst.exactly <= margin, best.exactly > margin
    else:
        p = PValues(p_no_worse(worst.counts, float(margin)), p_no_worse(best.counts.exchanged, -float(margin)))
        kept, broken = p.kept <= 1 - confidence, p.broken <= 1 - confidence
    decision = Decision.PASSED if kept else Decision.FAILED if broken else Decision.UNDECIDED
    got = f"{figure.worse} of {len(judged)} pairs got worse and {figure.better} better"
    drop = f"a drop of {shown(figure.exactly, rule.max_drop)}, {rule.max_drop} allowed against {found.baseline.name}"
    open_ = len(found.pairs) - len(judged)
    reason = f"{got}: {drop}" + (f", {open_} not judged" if open_ else "")
    if confidence is not None:
        low, high = bounds.low, bounds.high
        reason += f"; at least {low:.3g} and at most {high:.3g}, each with {percent(confidence)} confidence"
        if decision is Decision.UNDECIDED:
            reason += f"; {_more(figure, round(worst.counts.n), float(margin), confidence, rule)}"
    return Ruling(decision, reason, len(judged), figure.exactly, bounds, found.exact, p)


@dataclass(frozen=True, slots=True)
class _Drop:
    """Pairs that got worse and better, the drop, and the counts that bound it: of pairs, or of scenarios."""

    worse: int
    better: int
    exactly: Fraction
    counts: Discordant


def _drop(pairs: Sequence[Pair], rule: GateRule, *, worst: bool) -> _Drop:
    """Over a fixed suite each pair is one observation, with `generalise` each scenario: its shares of pairs."""
    new_open, old_open = (Status.FAILED, Status.PASSED) if worst else (Status.PASSED, Status.FAILED)
    sides = [(each.scenario, _or(each.row.status, new_open), _or(status_of(each.old), old_open)) for each in pairs]
    worse = [(scenario, new is Status.FAILED and old is Status.PASSED) for scenario, new, old in sides]
    better = [(scenario, new is Status.PASSED and old is Status.FAILED) for scenario, new, old in sides]
    total = sum(is_ for _, is_ in worse), sum(is_ for _, is_ in better)
    if not rule.generalise:
        return _Drop(*total, Fraction(total[0] - total[1], len(pairs)), Discordant(*total, len(pairs)))
    shares: dict[Hashable, list[Fraction]] = {}
    trials = Counter(scenario for scenario, _, _ in sides)
    for (scenario, lost), (_, won) in zip(worse, better, strict=True):
        share = shares.setdefault(scenario, [Fraction(), Fraction()])
        share[0] += Fraction(lost, trials[scenario])
        share[1] += Fraction(won, trials[scenario])
    drops = [lost - won for lost, won in shares.values()]
    lost_, won_ = (float(sum(share[side] for share in shares.values())) for side in (0, 1))
    counts = Discordant(lost_, won_, len(shares), float(sum(drop**2 for drop in drops)))
    return _Drop(*total, sum(drops, Fraction()) / len(drops), counts)


def _or(status: Status, instead: Status) -> Status:
    return instead if status is Status.NOT_JUDGED else status


def _more(drop: _Drop, now: int, margin: float, confidence: float, rule: GateRule) -> str:
    """How many pairs, or scenarios, would decide where there are `now`, in words."""
    counts = drop.counts

    def decided(n: int) -> bool:
        many = counts.times(n / counts.n)
        p = p_no_worse(many, margin) if counts.drop <= margin else p_no_worse(many.exchanged, -margin)
        return p <= 1 - confidence

    enough = fewest(decided, now)
    what = "scenarios" if rule.generalise else "pairs"
    if enough is None:
        return f"at this rate no number of {what} would decide"
    if enough <= now:
        return f"at this rate these {what} would decide, once all are judged"
    return f"at this rate about {enough} {what} would decide, {enough - now} more"
