"""Two runs side by side, episode by episode: what broke, what was fixed, and how far the measures moved.

Paired by scenario, trial and condition, over the scenarios as they are. Nothing is added up over families; what is no
longer comparable is told and not compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from harness.gates.figures import exactly, nearest
from harness.gates.measures import SHARES
from harness.gates.paired import Discordant, drop_lower, drop_upper
from harness.gates.ratios import MeanRatio
from harness.gates.readings import Reading, Readings, status_of
from harness.gates.ruling import NO_BOUNDS, USUAL, Bounds
from harness.gates.statistics import quantile
from harness.model.baseline import Baseline
from harness.model.result import Result
from harness.model.status import Measure, Status

Place = tuple[str, int, str]
"""Scenario, trial and condition: what the two episodes of a pair have in common."""


class Change(StrEnum):
    """How an episode, or a judgement of it, came out with the second run and had come out with the first."""

    BROKEN = "broken"
    FIXED = "fixed"
    STILL_FAILING = "still failing"
    STILL_PASSING = "still passing"
    NOT_JUDGED = "not judged"


_CHANGES = {
    (Status.PASSED, Status.FAILED): Change.BROKEN,
    (Status.FAILED, Status.PASSED): Change.FIXED,
    (Status.FAILED, Status.FAILED): Change.STILL_FAILING,
    (Status.PASSED, Status.PASSED): Change.STILL_PASSING,
}


@dataclass(frozen=True, slots=True)
class Twins:
    """An episode of each run, and how the verdict on it changed."""

    first: Result
    second: Result
    change: Change


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs by how they changed, by the verdict or by one metric; what does not apply on either side is in none. `gain`
    is the share that passes with the second run less that with the first, over the judged pairs, with its bounds: None
    where nothing was judged. `exact`: both versions were seen to be deterministic.
    """

    counts: Mapping[Change, int]
    gain: Fraction | None
    bounds: Bounds
    exact: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, 95th percentile and mean of a measure."""

    p50: Fraction
    p95: Fraction
    mean: Fraction


@dataclass(frozen=True, slots=True)
class Shift:
    """A measure over the pairs in which both values are known; `missing` in how many one is not. `rise`: by how much of
    its mean it rose, 0.1 for a tenth, with bounds; None where the first mean is 0. `exact`: all trials of each scenario
    agree, with either version.
    """

    n: int
    missing: int
    first: Spread
    second: Spread
    rise: Fraction | None
    bounds: Bounds
    exact: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One family, or one slice of it: `where` holds the family, and maybe a slice with its value. `judged`: by metric,
    of those that pass or fail; `moved`: by metric, of those that are measured.
    """

    where: Mapping[str, str]
    verdict: Tally
    judged: Mapping[str, Tally]
    moved: Mapping[str, Shift]


@dataclass(frozen=True, slots=True)
class Changes:
    """Two runs compared. `twins`: the pairs, in the second run's order, also those of `explore` scenarios and of
    conditions other than `clean`, which are in no cell. `apart`: why episodes are not compared, with their scenarios;
    `rescored`: metrics that are not, with what changed.
    """

    cells: tuple[Cell, ...]
    twins: tuple[Twins, ...]
    apart: Mapping[str, tuple[str, ...]]
    rescored: Mapping[str, str]


def changes(first: Baseline, results: Sequence[Result], *, deterministic: bool = False) -> Changes:
    """Compare a run with an earlier one. `deterministic`: as `decide` takes it, of the run that `results` are of."""
    old = Readings(first.results, deterministic=first.deterministic)
    new = Readings(results, deterministic=deterministic)
    exact = deterministic and first.deterministic
    pairs, apart = _paired(first, results)
    by_cell: dict[tuple[tuple[str, str], ...], list[tuple[Result, Result]]] = defaultdict(list)
    for one, other in pairs:
        if other.tier != "explore" and other.key.condition == "clean":
            for where in _cells(other):
                by_cell[where].append((one, other))
    cells = []
    families = list(dict.fromkeys(where[0] for where in by_cell))
    for where in sorted(by_cell, key=lambda where: (families.index(where[0]), where[1:])):
        some = by_cell[where]
        if len(where) > 1 and len(some) == len(by_cell[where[:1]]):
            continue  # the slice is all of the family
        cells.append(_cell(dict(where), some, (old, new), frozenset(first.changed_metrics), exact=exact))
    twins = tuple(Twins(*pair, _change(old.of(pair[0], None), new.of(pair[1], None))) for pair in pairs)
    return Changes(tuple(cells), twins, apart, first.changed_metrics)


def _paired(
    first: Baseline, results: Sequence[Result]
) -> tuple[list[tuple[Result, Result]], dict[str, tuple[str, ...]]]:
    there = {_place(result): result for result in first.results}
    pairs: list[tuple[Result, Result]] = []
    apart: dict[str, dict[str, None]] = defaultdict(dict)
    for result in results:
        twin, item = there.pop(_place(result), None), result.key.item
        if item in first.changed_items:
            apart[f"changed since: {first.changed_items[item]}"][item] = None
        elif twin is None:
            apart["only in the second run"][item] = None
        elif "missing" in (twin.state, result.state):
            apart["not played in one of the runs"][item] = None
        else:
            pairs.append((twin, result))
    for place in there:
        if place[0] not in first.changed_items:
            apart["only in the first run"][place[0]] = None
    return pairs, {why: tuple(items) for why, items in apart.items()}


def _place(result: Result) -> Place:
    return result.key.item, result.key.trial, result.key.condition


def _cells(result: Result) -> Iterator[tuple[tuple[str, str], ...]]:
    family = ("family", result.family)
    yield (family,)
    for pair in sorted(result.slices.items()):
        yield family, pair


def _cell(
    where: Mapping[str, str],
    pairs: Sequence[tuple[Result, Result]],
    readings: tuple[Readings, Readings],
    rescored: frozenset[str],
    *,
    exact: bool,
) -> Cell:
    old, new = readings
    verdicts = [(old.of(one, None), new.of(other, None)) for one, other in pairs]
    judged: dict[str, Tally] = {}
    moved: dict[str, Shift] = {}
    names = dict.fromkeys(name for pair in pairs for result in pair for name in result.scores)
    for metric in names:
        if metric in rescored:
            continue
        read = [(old.of(one, metric), new.of(other, metric)) for one, other in pairs]
        if not any(isinstance(reading, Measure) for pair in read for reading in pair):
            judged[metric] = _tally(read, exact=exact)
        elif (shift := _shift(pairs, read, exact=exact)) is not None:
            moved[metric] = shift
    return Cell(where, _tally(verdicts, exact=exact), judged, moved)


def _change(one: Reading, other: Reading) -> Change:
    return _CHANGES.get((status_of(one), status_of(other)), Change.NOT_JUDGED)


def _tally(pairs: Sequence[tuple[Reading, Reading]], *, exact: bool) -> Tally:
    """What was not judged may have come out either way: the bounds hold for both."""
    sides = [(status_of(one), status_of(other)) for one, other in pairs]
    sides = [pair for pair in sides if Status.NOT_APPLICABLE not in pair]
    counts = Counter(_CHANGES.get(pair, Change.NOT_JUDGED) for pair in sides)
    judged = len(sides) - counts[Change.NOT_JUDGED]
    ordered = {change: counts[change] for change in Change}
    if not judged:
        return Tally(ordered, None, NO_BOUNDS, exact)
    gain = Fraction(counts[Change.FIXED] - counts[Change.BROKEN], judged)
    if exact:
        return Tally(ordered, gain, NO_BOUNDS, exact)
    worst = _discordant([(_or(one, Status.PASSED), _or(other, Status.FAILED)) for one, other in sides])
    best = _discordant([(_or(one, Status.FAILED), _or(other, Status.PASSED)) for one, other in sides])
    return Tally(ordered, gain, Bounds(-drop_upper(worst, USUAL), -drop_lower(best, USUAL), USUAL), exact)


def _discordant(sides: Sequence[tuple[Status, Status]]) -> Discordant:
    counts = Counter(_CHANGES[pair] for pair in sides)
    return Discordant(counts[Change.BROKEN], counts[Change.FIXED], len(sides))


def _or(status: Status, instead: Status) -> Status:
    return instead if status is Status.NOT_JUDGED else status


def _shift(
    pairs: Sequence[tuple[Result, Result]], read: Sequence[tuple[Reading, Reading]], *, exact: bool
) -> Shift | None:
    """Over trials that were played with either version; None where no pair has both values."""
    played = [
        (one.key.item, readings)
        for (one, other), readings in zip(pairs, read, strict=True)
        if one.state == other.state == "played" and Status.NOT_APPLICABLE not in map(status_of, readings)
    ]
    known = [(item, values) for item, readings in played if (values := _values(*readings)) is not None]
    if not known:
        return None
    both = [values for _, values in known]
    first, second = (_spread([pair[side] for pair in both]) for side in (0, 1))
    rise = second.mean / first.mean - 1 if first.mean > 0 else None
    agreed = exact and len(set(known)) == len({item for item, _ in known})
    bounds = NO_BOUNDS
    if rise is not None and not agreed:
        low, high = MeanRatio([(nearest(other), nearest(one)) for one, other in both]).bounds(USUAL)
        bounds = Bounds(None if low is None else low - 1, None if high is None else high - 1, USUAL)
    return Shift(len(both), len(played) - len(both), first, second, rise, bounds, agreed)


def _values(one: Reading, other: Reading) -> tuple[Fraction, Fraction] | None:
    if not isinstance(one, Measure) or not isinstance(other, Measure) or one.value is None or other.value is None:
        return None
    return exactly(one.value), exactly(other.value)


def _spread(values: Sequence[Fraction]) -> Spread:
    ordered = sorted(values)
    mean = sum(ordered, Fraction()) / len(ordered)
    return Spread(quantile(ordered, SHARES["p50"]), quantile(ordered, SHARES["p95"]), mean)
