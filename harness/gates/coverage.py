"""Coverage: what of the map, or of the policy, was exercised at all. What never was is a hole, whatever else passed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from harness.gates.figures import exactly, shown
from harness.gates.judging import Row
from harness.gates.ruling import Ruling, undecided
from harness.model.material import Document
from harness.model.result import Decision, Result
from harness.model.scenario import Scenario
from harness.model.status import Status
from harness.model.workflow import GateRule, Workflow

_MOST_NAMED = 8
RATED = (Status.PASSED, Status.FAILED)

Clauses = Mapping[str, Collection[str]]
"""The numbered clauses of the knowledge, each with the ids of the scenarios that are about it."""


def clauses_of(knowledge: Iterable[Document], scenarios: Iterable[Scenario]) -> dict[str, tuple[str, ...]]:
    """The clauses of these documents, each with the scenarios that name it."""
    about: dict[str, list[str]] = {clause.id: [] for document in knowledge for clause in document.clauses}
    for scenario in scenarios:
        for clause in scenario.clauses:
            about.setdefault(clause, []).append(scenario.id)
    return {clause: tuple(items) for clause, items in about.items()}


@dataclass(frozen=True, slots=True)
class Exercised:
    """How many episodes exercise something: judged ones, and `open`, that are missing or were not judged."""

    name: str
    judged: int
    open: int


def exercised(rule: GateRule, workflow: Workflow, clauses: Clauses, rows: Sequence[Row]) -> list[Exercised]:
    """Of each family of the map, or each clause, the episodes that exercise it. A clause is exercised by the scenarios
    that name it, and wherever a rule of the workflow with that clause applied.
    """
    if rule.coverage == "families":
        return [_counted(name, (row for row in rows if row.result.family == name)) for name in workflow.scenario_map]
    metrics = {clause: {f"rule.{each.id}" for each in workflow.rules if each.clause == clause} for clause in clauses}
    return [
        _counted(
            clause,
            (row for row in rows if row.result.key.item in items or _applied(row.result, metrics[clause])),
        )
        for clause, items in clauses.items()
    ]


def covered(rule: GateRule, at_least: Decimal, found: Sequence[Exercised], judged: int) -> Ruling:
    """Whether a share of them large enough is exercised by `min_n` of the `judged` episodes, or by one."""
    if not found:
        return undecided(f"there are no {rule.coverage} to cover: clauses are headings such as `## Refunds {{#R1}}`")
    least, limit = rule.min_n or 1, exactly(at_least)
    holes = [each.name for each in found if each.judged < least]
    lost = sum(each.judged + each.open < least for each in found)
    figure = 1 - Fraction(len(holes), len(found))
    best = 1 - Fraction(lost, len(found))
    decision = Decision.PASSED if figure >= limit else Decision.FAILED if best < limit else Decision.UNDECIDED
    episodes = f"{least} judged episodes" if least > 1 else "a judged episode"
    reason = (
        f"{len(found) - len(holes)} of {len(found)} {rule.coverage} have {episodes} ({shown(figure, at_least)}), "
        f"{at_least} asked for"
    )
    if holes:
        reason += f"; not: {', '.join(holes[:_MOST_NAMED])}{' …' if len(holes) > _MOST_NAMED else ''}"
    if decision is Decision.UNDECIDED:
        reason += "; some were played or planned and not judged"
    return Ruling(decision, reason, judged, figure)


def _counted(name: str, rows: Iterable[Row]) -> Exercised:
    rated = [row.status in RATED for row in rows]
    return Exercised(name, sum(rated), len(rated) - sum(rated))


def _applied(result: Result, metrics: Collection[str]) -> bool:
    return any(getattr(result.scores.get(metric), "status", None) in RATED for metric in metrics)
