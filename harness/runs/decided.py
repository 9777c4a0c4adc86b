"""The gate of a stored run, decided again from the store alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from harness.gates.decide import decide
from harness.model.result import Decision, GateVerdict, Result
from harness.model.workflow import Workflow
from harness.runs.observe import decide_observed
from harness.runs.resume import partial_of
from harness.store.records import RunRecord
from harness.store.store import Store


class NothingToDecide(Exception):
    """The run has no episode, be it played or missing; the text says why."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A run, the workflow it was made with, what its gate says, and on what: a result for each planned episode."""

    run: RunRecord
    workflow: Workflow
    verdict: GateVerdict = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)


def decided(store: Store, run: RunRecord) -> Decided:
    """Decide it. Raises NothingToDecide and StoreProblem."""
    results = tuple(store.results(run.id))
    if not results:
        raise NothingToDecide(
            f"run {run.id}: no conversation had arrived, so there is no gate"
            if run.observed
            else f"run {run.id} was ended before anything was planned: there is nothing to decide on"
        )
    workflow = store.material(run.id, results[0].key.item).workflow
    if run.observed:
        verdict = decide_observed(workflow, results, run)
    else:
        verdict = decide(workflow, results, partial_of(run), deterministic=run.deterministic, day=run.day)
    return Decided(run, workflow, verdict, results)


def passed(verdict: GateVerdict, results: Iterable[Result]) -> bool:
    """Whether one may ship on it: the gate of the whole workflow passed, and no planned episode is missing."""
    whole = verdict.partial is None and all(result.state != "missing" for result in results)
    return whole and verdict.decision is Decision.PASSED
