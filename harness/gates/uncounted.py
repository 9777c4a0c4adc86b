"""Episodes that did not pass and that no rule which decides has counted. The gate must not be silent on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.gates.readings import status_of
from harness.model.result import Decision, Result, RuleResult
from harness.model.status import Status
from harness.model.workflow import Workflow

_OUTCOMES = {Status.FAILED: "failed", Status.NOT_JUDGED: "not judged"}


def uncounted(workflow: Workflow, results: Iterable[Result], rules: Sequence[RuleResult]) -> list[RuleResult]:
    """An undecided row for each family and outcome: episodes that were played and failed, or could not be judged, and
    that are behind no rule as such. It says which rule to write. Scenarios of tier explore are in none by design.
    """
    counted = {id_ for rule in rules if rule.decides or rule.waiver for id_ in rule.counted}
    missed: dict[tuple[str, Status], list[Result]] = {}
    for result in results:
        if result.verdict is not None and result.tier != "explore" and result.key.id not in counted:
            missed.setdefault((result.family, result.verdict.status), []).append(result)
    return [_row(workflow, *place, found) for place, found in missed.items() if place[1] in _OUTCOMES]


def _row(workflow: Workflow, family: str, status: Status, found: Sequence[Result]) -> RuleResult:
    metrics = [metric for metric in _judged_by(workflow, family) if any(_came(each, metric, status) for each in found)]
    metric = metrics[0] if metrics else "task_success"
    line = f"{{rule: {metric}, metric: {metric}, failures: 0}}"
    if status is Status.NOT_JUDGED:
        line = "{rule: judged, status: not_judged, at_most: 0.02}"
    several = len(found) > 1
    reason = (
        f"{len(found)} {_OUTCOMES[status]} episode{'s count' if several else ' counts'} in no rule that decides "
        f"({', '.join(metrics) or found[0].code or 'verdict'}): write one under the gate of {family}, such as {line}"
    )
    return RuleResult(
        "nothing uncounted",
        Decision.UNDECIDED,
        reason,
        cell={"family": family},
        n=len(found) if status is Status.FAILED else 0,
        not_judged=len(found) if status is Status.NOT_JUDGED else 0,
        planned=len(found),
        episodes=tuple(each.key.id for each in found),
        implicit=True,
    )


def _judged_by(workflow: Workflow, family: str) -> list[str]:
    """The metrics that the verdict on an episode of a family rests on."""
    row = workflow.scenario_map.get(family)
    names = ["task_success", *(row.measures if row else []), *(f"rule.{rule.id}" for rule in workflow.rules)]
    return list(dict.fromkeys(names))


def _came(result: Result, metric: str, status: Status) -> bool:
    score = result.scores.get(metric)
    return score is not None and status_of(score) is status
