"""Measures against a baseline: by how much of the old figure the new one rose, or dropped, paired."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from harness.gates.figures import exactly, nearest, shown
from harness.gates.measures import SHARES, Number
from harness.gates.pairing import Pair, Paired
from harness.gates.ratios import MeanRatio, QuantileRatio, Ratio
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
    ratio = None if found.exact or stat == "max" else _ratio(known, stat, generalise=rule.generalise)
    bounds, p = NO_BOUNDS, None
    kept = figure <= allowed
    broken = not kept
    if ratio is not None:
        sure = confidence or USUAL
        low, high = (None if side is None else sign * (side - 1) for side in ratio.bounds(sure)[::sign])
        bounds = Bounds(low, high, sure)
    limit = float(1 + sign * allowed)
    if ratio is not None and confidence is not None:
        below, above = ratio.p_below(limit), ratio.p_above(limit)
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
    if ratio is not None and confidence is not None:
        sides = ["unknown" if side is None else f"{side:.3g}" for side in bounds[:2]]
        reason += f"; at least {sides[0]}, at most {sides[1]}, each with {percent(confidence)} confidence"
        if decision is Decision.UNDECIDED and not missing:
            reason += f"; {ratio.more(limit, confidence)}"
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


def _ratio(known: Sequence[tuple[Hashable, Fraction, Fraction]], stat: str, *, generalise: bool) -> Ratio:
    """The ratio of the statistic; with `generalise` as one of scenarios, each of which is one observation."""
    by_scenario: dict[Hashable, list[tuple[Fraction, Fraction]]] = {}
    for scenario, new, old in known:
        by_scenario.setdefault(scenario, []).append((new, old))
    if stat == "mean":
        if not generalise:
            return MeanRatio([(nearest(new), nearest(old)) for _, new, old in known])
        return MeanRatio([_means(each) for each in by_scenario.values()], "scenarios")
    ours, theirs = sorted(nearest(new) for _, new, _ in known), sorted(nearest(old) for *_, old in known)
    if not generalise:
        return QuantileRatio(ours, theirs, SHARES[stat])
    independent = len(known) / max(map(len, by_scenario.values()))
    return QuantileRatio(ours, theirs, SHARES[stat], independent, "scenarios")


def _means(pairs: Sequence[tuple[Fraction, Fraction]]) -> tuple[float, float]:
    new, old = (nearest(sum(side, Fraction()) / len(pairs)) for side in zip(*pairs, strict=True))
    return new, old
