"""Measures against a baseline: by how much of the old figure the new one rose, or dropped, paired."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from harness.gates.figures import exactly, nearest, shown
from harness.gates.means import FEWEST
from harness.gates.measures import SHARES, Number
from harness.gates.paired import p_ratio_above, p_ratio_below, ratio_bounds
from harness.gates.pairing import Pair, Paired
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds, PValues, Ruling, percent, undecided
from harness.gates.statistics import quantile
from harness.model.result import Decision
from harness.model.status import Measure
from harness.model.workflow import GateRule


def rose(rule: GateRule, found: Paired, confidence: float | None) -> Ruling:
    """By how much of the baseline's figure a measure rose, or fell. A value missing on either side leaves it open."""
    values = [(each, *_values(each)) for each in found.pairs]
    known = [(each.scenario, new, old) for each, new, old in values if new is not None and old is not None]
    missing = len(values) - len(known)
    if not known:
        return undecided(f"none of {len(values)} pairs has both values")
    stat = rule.stat or "mean"
    new = _statistic((value for _, value, _ in known), stat)
    old = _statistic((value for _, _, value in known), stat)
    if old < 0 or (old == 0 and new != 0):
        return undecided(f"{stat} was {shown(Fraction(old))} in {found.baseline.name}, of which no share can be taken")
    allowed = exactly(rule.max_rise if rule.max_rise is not None else rule.max_drop or 0)
    sign = 1 if rule.max_rise is not None else -1
    figure = sign * (Fraction(new) / Fraction(old) - 1) if old else Fraction()
    pairs = _scenarios(known) if rule.generalise else [(nearest(new), nearest(old)) for _, new, old in known]
    bounds, p = NO_BOUNDS, None
    kept = figure <= allowed
    broken = not kept
    if stat == "mean" and not found.exact:
        sure = confidence or USUAL
        low, high = (None if ratio is None else sign * (ratio - 1) for ratio in ratio_bounds(pairs, sure)[::sign])
        bounds = Bounds(low, high, sure)
    if confidence is not None:
        limit = float(1 + sign * allowed)
        below, above = p_ratio_below(pairs, limit), p_ratio_above(pairs, limit)
        p = PValues(below, above) if sign > 0 else PValues(above, below)
        kept, broken = p.kept <= 1 - confidence, p.broken <= 1 - confidence
    decision = Decision.PASSED if kept else Decision.FAILED if broken else Decision.UNDECIDED
    if missing:
        decision = Decision.UNDECIDED
    way, key = ("rise", rule.max_rise) if sign > 0 else ("drop", rule.max_drop)
    reason = (
        f"{stat} {shown(Fraction(new))} against {shown(Fraction(old))} in {found.baseline.name} over {len(known)} "
        f"pairs: a {way} by {shown(figure, key)} of it, {key} allowed"
    )
    if missing:
        reason += f", {missing} not known"
    if confidence is not None:
        sides = ["unknown" if side is None else f"{side:.3g}" for side in bounds[:2]]
        reason += f"; at least {sides[0]}, at most {sides[1]}, each with {percent(confidence)} confidence"
        if rule.generalise and not pairs:
            reason += f"; it takes {FEWEST} scenarios at least"
    return Ruling(decision, reason, len(known), figure, bounds, found.exact, p)


def _values(each: Pair) -> tuple[Fraction | None, Fraction | None]:
    new, old = (
        exactly(reading.value) if isinstance(reading, Measure) and reading.value is not None else None
        for reading in (each.row.reading, each.old)
    )
    return new, old


def _statistic(values: Iterable[Fraction], stat: str) -> Number:
    ordered = sorted(values)
    return sum(ordered, Fraction()) / len(ordered) if stat == "mean" else quantile(ordered, SHARES[stat])


def _scenarios(known: Sequence[tuple[Hashable, Fraction, Fraction]]) -> list[tuple[float, float]]:
    """The means of each scenario; none of fewer than ten, whose spread is too uncertain to bound anything by."""
    found: dict[Hashable, list[tuple[Fraction, Fraction]]] = {}
    for scenario, new, old in known:
        found.setdefault(scenario, []).append((new, old))
    if len(found) < FEWEST:
        return []
    return [
        (nearest(sum(new for new, _ in each) / len(each)), nearest(sum(old for _, old in each) / len(each)))
        for each in found.values()
    ]
