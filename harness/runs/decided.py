"""The gate of a stored run, decided again from the store alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from harness.gates.decide import decide
from harness.model.result import Decision, GateVerdict, Result
from harness.model.workflow import Workflow
from harness.runs.baselines import NamedBaseline, baselines_for, read_baselines
from harness.runs.clauses import clauses_in
from harness.runs.made_of import MadeOf
from harness.runs.observe import decide_observed
from harness.runs.resume import partial_of, planned_trials, planned_until
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle


class NothingToDecide(Exception):
    """The run has no episode, be it played or missing; the text says why."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A run, the workflow it was decided by, what its gate says, and on what: a result for each planned episode."""

    run: RunRecord
    workflow: Workflow
    verdict: GateVerdict = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)


def decided(store: Store, run: RunRecord, bundle: Bundle | None = None) -> Decided:
    """Decide it by the workflow that it was made with, or by the gate of a `bundle` as it is now. Its scores are as
    they are stored, and where scenarios are new or no longer what was played, it does not pass. Raises NothingToDecide
    and StoreProblem.
    """
    results = tuple(store.results(run.id))
    if not results:
        raise NothingToDecide(
            f"run {run.id}: no conversation had arrived, so there is no gate"
            if run.observed
            else f"run {run.id} was ended before anything was planned: there is nothing to decide on"
        )
    workflow = store.workflow(run.id) if bundle is None else bundle.workflow
    clauses = clauses_in(store, workflow, results)
    if run.observed:
        verdict = decide_observed(workflow, results, run, clauses)
    else:
        read = read_baselines(store, workflow, None if bundle is None else bundle.root)
        verdict = decide(
            workflow,
            results,
            partial_of(run),
            deterministic=run.deterministic,
            day=run.day if bundle is None else max(run.day, datetime.now(UTC).date()),
            baselines=baselines_for(store, run.id, read),
            clauses=clauses,
            until=planned_until(run),
            besides=dict([*_stale(store, run, bundle), *_lost(run, read)]),
        )
    return Decided(run, workflow, verdict, results)


def _stale(store: Store, run: RunRecord, bundle: Bundle | None) -> Iterator[tuple[str, str]]:
    """That the run played what the workflow asks for as it is now, if it did not."""
    if bundle is None:
        return
    said = MadeOf.now(bundle).lacking(MadeOf.of(store, run.id))
    if (trials := planned_trials(run)) < bundle.workflow.trials:
        said.append(f"{trials} trials of each scenario were planned, and {bundle.workflow.trials} are now")
    if said:
        yield "played as it is now", f"{'; '.join(said)}: it takes a new run"


def _lost(run: RunRecord, read: Iterable[NamedBaseline]) -> Iterator[tuple[str, str]]:
    """That the baselines are there that the run was held against when it was played, if they are not: to decide it
    without them would let pass what they kept from passing.
    """
    there = {each.name for each in read}
    for name, was in run.options.get("baselines", {}).items():
        if name not in there:
            yield (
                f"baseline {name}",
                f"when it was played it was compared with run {was}, and that is not at hand: decide it where its file "
                f"is, or name a run in this store (turngate baseline set RUN --name {name})",
            )


def passed(verdict: GateVerdict, results: Iterable[Result]) -> bool:
    """Whether one may ship on it: the gate of the whole workflow passed, and no planned episode is missing."""
    whole = verdict.partial is None and all(result.state != "missing" for result in results)
    return whole and verdict.decision is Decision.PASSED
