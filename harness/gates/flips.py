"""How the trials of each scenario came out: a scenario is flaky when they disagree."""

from __future__ import annotations

from collections.abc import Iterable

from harness.gates.readings import status_of
from harness.model.result import Result, Trials
from harness.model.status import Status


def trials_of(results: Iterable[Result]) -> tuple[Trials, ...]:
    """By scenario, in the order of the plan, those that were played; a trial without a verdict is not judged. One that
    is not judged agrees and disagrees with none.
    """
    played: dict[str, list[Result]] = {}
    for result in results:
        if result.state == "played":
            played.setdefault(result.key.item, []).append(result)
    return tuple(_trials(rows) for rows in played.values())


def _trials(rows: list[Result]) -> Trials:
    statuses = [Status.NOT_JUDGED if row.verdict is None else status_of(row.verdict) for row in rows]
    passed, failed = statuses.count(Status.PASSED), statuses.count(Status.FAILED)
    first = rows[0]
    return Trials(first.key.item, first.family, first.tier, passed, failed, len(rows) - passed - failed)
