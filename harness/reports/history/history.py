"""The runs of a workflow from the store: what each came to, and where they can no longer be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.model.result import Decision, GateVerdict
from harness.reports.gather import dimensions
from harness.reports.scenario_map import Cell, JudgedCell, ScenarioMap, scenario_map
from harness.reports.wording import MEDIAN
from harness.runs.decided import Decided, NothingToDecide, decided
from harness.runs.made_of import MadeOf
from harness.store.records import RunRecord
from harness.store.store import Store


@dataclass(frozen=True, slots=True)
class Point:
    """One run. `missing`: planned episodes that are not there. `changed`: why it can't be compared with the run before
    it, by family, in words; `rescored`: likewise by metric.
    """

    run: RunRecord
    verdict: GateVerdict
    map: ScenarioMap
    missing: int
    changed: Mapping[str, str]
    rescored: Mapping[str, str]

    @property
    def agent(self) -> str:
        """The version that was played."""
        return ", ".join(agent.label for agent in self.run.agents)

    @property
    def marks(self) -> list[str]:
        """What has to be said of the run beside its gate: that it is a part of the workflow, that it was ended."""
        found = []
        if self.verdict.partial is not None and self.verdict.decision is not Decision.FAILED:
            found.append("no gate")
        if self.verdict.partial is not None:
            found.append(f"partial: {self.verdict.partial}")
        if self.run.status != "done":
            found.append(self.run.status)
        if self.missing:
            found.append(f"{self.missing} missing")
        return found


@dataclass(frozen=True, slots=True)
class Row:
    """A metric of a family over the runs; None in a run that says nothing of it. `cuts`: positions of the runs that
    can't be compared with the one before.
    """

    family: str
    metric: str
    cells: tuple[Cell | None, ...]
    cuts: frozenset[int]

    @property
    def values(self) -> list[float | None]:
        """By run: the share that passed, or the median or 95th percentile of a measure, as the map shows it."""
        return [None if cell is None else _value(cell, self.metric) for cell in self.cells]

    @property
    def judged(self) -> bool:
        """Whether its values are shares."""
        return any(isinstance(cell, JudgedCell) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class History:
    """The last runs of a workflow, the oldest first. `observed`: runs over conversations that were not played, which
    are left out, for no two have the same ones.
    """

    workflow: str
    points: tuple[Point, ...]
    rows: tuple[Row, ...]
    observed: int


def history(store: Store, workflow: str, last: int) -> History:
    """The last runs in which anything was planned. Raises StoreProblem."""
    runs = [run for run in store.runs() if run.workflow == workflow]
    played = [run for run in runs if not run.observed]
    points: list[Point] = []
    before: MadeOf | None = None
    for found in _planned(store, played, last):
        made_of = MadeOf.of(store, found.run.id)
        points.append(_point(found, made_of, before))
        before = made_of
    return History(workflow, tuple(points), tuple(_rows(points)), len(runs) - len(played))


def _planned(store: Store, latest_first: Iterable[RunRecord], last: int) -> list[Decided]:
    found: list[Decided] = []
    for run in latest_first:
        if len(found) == last:
            break
        try:
            found.append(decided(store, run))
        except NothingToDecide:
            continue
    return found[::-1]


def _point(found: Decided, made_of: MadeOf, before: MadeOf | None) -> Point:
    families = {result.family: None for result in found.results}
    known = scenario_map([*families], tuple(dimensions()), found.results)
    missing = sum(result.state == "missing" for result in found.results)
    point = Point(found.run, found.verdict, known, missing, {}, {})
    if before is None:
        return point
    return replace(point, changed=_changed(made_of, before), rescored=made_of.changed_metrics(before))


def _changed(made_of: MadeOf, before: MadeOf) -> dict[str, str]:
    """By family, what its scenarios don't share with those of the run before."""
    found: dict[str, Counter[str]] = {}
    for item, what in made_of.changed_items(before).items():
        found.setdefault(made_of.families[item], Counter())[what] += 1
    for told, here, there in (("not there before", made_of, before), ("gone", before, made_of)):
        for item, family in here.families.items():
            if item not in there.families:
                found.setdefault(family, Counter())[told] += 1
    return {
        family: "; ".join(f"{what} (of {count} scenario{'' if count == 1 else 's'})" for what, count in whats.items())
        for family, whats in found.items()
    }


def _rows(points: Sequence[Point]) -> Iterable[Row]:
    for family in dict.fromkeys(family for point in points for family in point.map.families):
        for metric in dimensions():
            cells = tuple(point.map.cells.get((family, metric)) for point in points)
            cuts = (at for at, point in enumerate(points) if family in point.changed or metric in point.rescored)
            if any(cell is not None for cell in cells):
                yield Row(family, metric, cells, frozenset(cuts))


def _value(cell: Cell, metric: str) -> float | None:
    if isinstance(cell, JudgedCell):
        return cell.passed / cell.n if cell.n else None
    return cell.quantile(0.5 if metric in MEDIAN else 0.95)
