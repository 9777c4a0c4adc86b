"""The numbered clauses that a run's scenarios are about, from the store."""

from __future__ import annotations

from collections.abc import Iterable

from harness.gates.coverage import Clauses, clauses_of
from harness.model.result import Result
from harness.model.workflow import Workflow
from harness.store.store import Store


def clauses_in(store: Store, workflow: Workflow, results: Iterable[Result]) -> Clauses:
    """By clause the scenarios that name it; empty where no rule of the gate asks for them, for it takes reading what
    every scenario was played with. Raises StoreProblem.
    """
    if not any(rule.coverage == "clauses" for rule in workflow.gate):
        return {}
    places = {result.key.item: result.key.run for result in results}
    materials = [store.material(run, item) for item, run in places.items()]
    knowledge = materials[0].knowledge if materials else ()
    return clauses_of(knowledge, [material.scenario for material in materials])
