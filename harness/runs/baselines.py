"""The baselines that a workflow's gate compares with: from a file that the workflow names, else from the store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.model.baseline import Baseline
from harness.model.result import Result
from harness.model.workflow import Workflow
from harness.runs.arriving import import_run
from harness.runs.made_of import MadeOf
from harness.store.problem import StoreProblem
from harness.store.records import RunRecord
from harness.store.store import Store


@dataclass(frozen=True, slots=True)
class NamedBaseline:
    """A baseline as it was read, before anything is compared with it."""

    name: str
    run: RunRecord
    results: tuple[Result, ...] = field(repr=False)
    made_of: MadeOf = field(repr=False)

    def against(self, made_of: MadeOf) -> Baseline:
        """What a gate sees of it, beside a run that is made of that."""
        return Baseline(
            self.name,
            self.run.id,
            self.results,
            deterministic=self.run.deterministic,
            changed_items=made_of.changed_items(self.made_of),
            changed_metrics=made_of.changed_metrics(self.made_of),
        )


def read_baselines(store: Store, workflow: Workflow, root: Path | None) -> list[NamedBaseline]:
    """Those that rules of the gate name and that are set. `root`: the folder that the workflow's paths are relative to;
    by default that of its file. Raises StoreProblem for a file that is there and can't be read, or is a run of another
    workflow.
    """
    return [found for name in _wanted(workflow) if (found := _read(store, workflow, name, root)) is not None]


def stored_baseline(store: Store, name: str, run: RunRecord) -> NamedBaseline:
    """A stored run as a baseline of that name."""
    return NamedBaseline(name, run, tuple(store.results(run.id)), MadeOf.of(store, run.id))


def baselines_for(store: Store, run: str, read: list[NamedBaseline]) -> Mapping[str, Baseline]:
    """What the gate of a run sees of baselines that were read, by name."""
    if not read:
        return {}
    made_of = MadeOf.of(store, run)
    return {each.name: each.against(made_of) for each in read}


def baseline_file(workflow: Workflow, name: str, root: Path | None = None) -> Path | None:
    """The file that the workflow names for a baseline; None if it names none."""
    if name not in workflow.baselines:
        return None
    folder = root if root is not None else Path(workflow.at.file).parent if workflow.at is not None else Path()
    return folder / workflow.baselines[name]


def _wanted(workflow: Workflow) -> Iterator[str]:
    rules = [*workflow.gate, *(rule for family in workflow.scenario_map.values() for rule in family.gate)]
    yield from dict.fromkeys(rule.against for rule in rules if rule.against is not None)


def _read(store: Store, workflow: Workflow, name: str, root: Path | None) -> NamedBaseline | None:
    file = baseline_file(workflow, name, root)
    if file is None:
        named = store.baselines.get(workflow.workflow, name)
        return None if named is None else stored_baseline(store, name, store.run(named.run))
    if not file.exists():
        return None
    with tempfile.TemporaryDirectory(prefix="turngate-") as folder, Store.open(Path(folder) / "baseline.db") as apart:
        run = apart.run(import_run(apart, file).run)
        if run.workflow != workflow.workflow:
            raise StoreProblem(f"{file}: the baseline `{name}` is a run of another workflow, {run.workflow}")
        return stored_baseline(apart, name, run)
