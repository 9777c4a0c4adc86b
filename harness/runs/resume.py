"""Going on with a run that was interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, cast

import psutil

from harness.episodes.task import Limits, Stage, Task
from harness.model.episode import AgentVersion
from harness.model.failure import DISTURBANCES
from harness.model.result import UntilDecided
from harness.model.scenario import Scenario
from harness.store.mask import mask
from harness.store.records import RunRecord
from harness.store.store import Store
from tools_sandbox.call import Json

_CLOCK_SET = 60
"""Seconds by which a clock is set right; no number of a process comes back as soon."""


class CantResume(Exception):
    """The run can't be gone on with; the text says why."""


def planned_scenarios(run: RunRecord, scenarios: Mapping[str, Scenario]) -> list[Scenario]:
    """The scenarios of a run's plan. Raises CantResume if one is gone."""
    names = cast(list[str], run.plan["scenarios"])
    if gone := [name for name in names if name not in scenarios]:
        raise CantResume(f"run {run.id} can't be gone on with: there is no scenario {gone[0]} any more")
    return [scenarios[name] for name in names]


def planned_trials(run: RunRecord) -> int:
    """How many trials of each scenario a run has."""
    return cast(int, run.plan["trials"])


def planned_until(run: RunRecord) -> UntilDecided | None:
    """How it goes on beyond these trials until its rules are decided; None: not at all."""
    most = cast("int | None", run.plan.get("until_decided"))
    return None if most is None else UntilDecided(planned_trials(run), most)


def planned_clock(run: RunRecord) -> datetime:
    """The clock that all its episodes have."""
    return datetime.fromisoformat(cast(str, run.plan["clock"]))


def planned_limits(run: RunRecord) -> Limits | None:
    """The limits that all its episodes have; None if an older version did not write them down."""
    limits = cast("dict[str, Any] | None", run.plan.get("limits"))
    return None if limits is None else Limits(**limits)


def still_played(run: RunRecord) -> bool:
    """Whether the process that began the run is still at it, on this machine. The clock tells when it began: that moves
    as the clock is set right.
    """
    process = cast("list[float] | None", run.options.get("process"))
    if run.status != "running" or process is None:
        return False
    try:
        return abs(psutil.Process(int(process[0])).create_time() - process[1]) < _CLOCK_SET
    except psutil.Error:
        return False


def partial_of(run: RunRecord) -> str | None:
    """Why the run can't pass the gate, however well it goes."""
    return cast("str | None", run.options["partial"])


def same_files(store: Store, run: RunRecord, stages: Mapping[str, Stage]) -> None:
    """Raise CantResume if anything has changed that the run's episodes depend on."""
    changed = [item for item, digests in store.digests(run.id).items() if stages[item].digests != digests]
    if changed:
        some = ", ".join(changed[:5]) + (" …" if len(changed) > 5 else "")
        raise CantResume(
            f"run {run.id} can't be gone on with: what {len(changed)} of its scenarios depend on has changed since "
            f"({some}); begin a new run"
        )


def same_agent(run: RunRecord, version: AgentVersion) -> None:
    """Raise CantResume if the run was begun with another agent."""
    if _stored(version) not in map(_stored, run.agents):
        begun = ", ".join(agent.label for agent in run.agents)
        raise CantResume(
            f"run {run.id} can't be gone on with: it was begun with {begun}, and this is {version.label}, or the same "
            "with other code, prompts or parameters; begin a new run"
        )


def _stored(version: AgentVersion) -> Json:
    """A version as a store gives it back: masked, and of what JSON has."""
    return cast(Json, json.loads(json.dumps(mask(asdict(version)))))


def left(store: Store, run: RunRecord, every: Iterable[Task]) -> Iterator[Task]:
    """What of a plan is still to be played: what is missing; what was spared, for it has yet to be seen whether it
    still may be; and, as a further attempt, what a disturbance kept from being judged. An agent's own failure is never
    played again.
    """
    results = {result.key: result for result in store.results(run.id)}
    for task in every:
        result = results[task.key]
        if result.state != "played":
            yield task
        elif result.code in DISTURBANCES:
            yield replace(task, attempt=store.attempts(task.key) + 1)
