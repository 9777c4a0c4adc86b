"""The map of a run: scenario family x metric, each cell with its count. There is no total, on purpose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from harness.gates.figures import nearest
from harness.model.result import Result
from harness.model.status import Judgement, Measure, Status
from harness.model.workflow import Workflow


@dataclass(frozen=True, slots=True)
class JudgedCell:
    """How often a metric passed and failed in a family; the others are counted apart, never as either."""

    passed: int = 0
    failed: int = 0
    not_judged: int = 0
    not_applicable: int = 0

    @property
    def n(self) -> int:
        """Judged episodes."""
        return self.passed + self.failed


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """The values of a measure in a family, in ascending order, and how many are missing."""

    unit: str
    values: tuple[float, ...] = ()
    missing: int = 0

    @property
    def n(self) -> int:
        """Values there are."""
        return len(self.values)

    def quantile(self, share: float) -> float | None:
        """The smallest value that at least `share` of the values do not exceed (nearest rank); None in a hole."""
        return self.values[max(0, math.ceil(share * self.n) - 1)] if self.values else None


Cell = JudgedCell | MeasuredCell


@dataclass(frozen=True, slots=True)
class ScenarioMap:
    """Cells by family and metric. `planned`: episodes planned a family; `played`: those that were; `spared`: those
    that needed not be, since the agent is deterministic. A (family, metric) that is not in `cells` is a hole: nothing
    there says anything about it.
    """

    families: tuple[str, ...]
    metrics: tuple[str, ...]
    planned: dict[str, int] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=dict)
    spared: dict[str, int] = field(default_factory=dict)
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """How a rule of the workflow came out over all families, and the clause it stands on."""

    rule: str
    clause: str | None
    cell: JudgedCell


def rule_lines(workflow: Workflow, results: Sequence[Result]) -> tuple[RuleLine, ...]:
    """A line for each rule of a workflow, in its order. What is on no map is in no line."""
    rated = [result.scores for result in results if _rated(result)]
    return tuple(
        RuleLine(rule.id, rule.clause, _judged(scores[metric] for scores in rated if metric in scores))
        for rule in workflow.rules
        for metric in [f"rule.{rule.id}"]
    )


def scenario_map(families: Sequence[str], metrics: Sequence[str], results: Iterable[Result]) -> ScenarioMap:
    """The map over all families of a workflow, those without a result included.

    `explore` scenarios are not in it, and nothing but `clean` episodes: the others are in no rate.
    """
    values: dict[tuple[str, str], list[Judgement | Measure]] = {}
    planned, played, spared = (dict.fromkeys(families, 0) for _ in range(3))
    for result in results:
        if not _rated(result):
            continue
        planned[result.family] += 1
        spared[result.family] += result.state == "spared"
        if result.state == "played":
            played[result.family] += 1
            for metric, value in result.scores.items():
                values.setdefault((result.family, metric), []).append(value)
    cells = {place: cell for place, found in values.items() if (cell := _cell(found)) is not None}
    return ScenarioMap(tuple(families), tuple(metrics), planned, played, spared, cells)


def _cell(found: list[Judgement | Measure]) -> Cell | None:
    measures = [value for value in found if isinstance(value, Measure)]
    if measures:
        values = sorted(nearest(measure.value) for measure in measures if measure.value is not None)
        missing = sum(measure.missing is Status.NOT_JUDGED for measure in measures)
        return MeasuredCell(measures[0].unit, tuple(values), missing) if values or missing else None
    cell = _judged(found)
    return cell if cell.n or cell.not_judged else None


def _judged(found: Iterable[Judgement | Measure]) -> JudgedCell:
    statuses = [value.status for value in found if isinstance(value, Judgement)]
    return JudgedCell(*(statuses.count(status) for status in Status))


def _rated(result: Result) -> bool:
    return result.tier != "explore" and result.key.condition == "clean"
