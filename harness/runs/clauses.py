"""The numbered clauses that a run's scenarios are about, from the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from harness.gates.coverage import Clauses, clauses_of
from harness.model.result import Result
from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from harness.store.problem import StoreProblem
from harness.store.store import Store


def clauses_in(store: Store, workflow: Workflow, results: Iterable[Result]) -> Clauses:
    """By clause the scenarios that name it; empty where no rule of the gate asks for them, for it takes reading what
    every scenario was played with. Raises StoreProblem, also where a purge has left too little of it.
    """
    if not any(rule.coverage == "clauses" for rule in workflow.gate):
        return {}
    by_run: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for result in results:
        by_run[result.key.run][result.key.item] = None
    if not by_run:
        return {}
    scenarios: list[Scenario] = []
    for run, items in by_run.items():
        found = store.scenarios(run, items)
        if len(found) < len(items):
            raise StoreProblem(
                f"run {run}: a rule asks for the coverage of clauses, and scenarios that name them were purged with "
                "their episodes: decide it by the run's own gate, which had no such rule"
            )
        scenarios += found.values()
    return clauses_of(store.knowledge(next(iter(by_run))), scenarios)
