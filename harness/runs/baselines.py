"""The baselines that a workflow's gate compares with: from a file that the workflow names, else from the store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.model.baseline import Baseline, baseline_file
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


@dataclass(frozen=True, slots=True)
class KnownBaseline:
    """A name, where its baseline is, and the baseline: None as long as its `file` is not there. `used`: whether a gate
    compares with it, and not with the file that the workflow names.
    """

    workflow: str
    name: str
    baseline: NamedBaseline | None
    file: Path | None = None
    since: str = ""
    used: bool = True

    @property
    def where(self) -> str:
        """In words."""
        if self.file is None:
            return f"the store, set {self.since[:10]}"
        return f"{self.file}{', which is missing' if self.baseline is None else ''}"


def known_baselines(store: Store) -> list[KnownBaseline]:
    """Those that workflows name files for, as the latest run of each was made with it, and those of the store; by
    workflow and name. Raises as `read_baselines` does.
    """
    latest: dict[str, RunRecord] = {}
    for run in store.runs():
        if not run.observed and store.digests(run.id):
            latest.setdefault(run.workflow, run)
    found = []
    for run in latest.values():
        workflow = store.workflow(run.id)
        for name in workflow.baselines:
            read, file = read_baseline(store, workflow, name), baseline_file(workflow, name)
            found.append(KnownBaseline(run.workflow, name, read, file))
    in_files = {(each.workflow, each.name) for each in found}
    for named in store.baselines.all():
        stored = stored_baseline(store, named.name, store.run(named.run))
        used = (named.workflow, named.name) not in in_files
        found.append(KnownBaseline(named.workflow, named.name, stored, since=named.since, used=used))
    return sorted(found, key=lambda each: (each.workflow, each.name, not each.used))


def read_baselines(store: Store, workflow: Workflow, root: Path | None) -> list[NamedBaseline]:
    """Those that rules of the gate name and that are set. `root`: the folder that the workflow's paths are relative to;
    by default that of its file. Raises StoreProblem for a file that is there and can't be read, or is a run of another
    workflow.
    """
    return [found for name in _wanted(workflow) if (found := read_baseline(store, workflow, name, root)) is not None]


def read_baseline(store: Store, workflow: Workflow, name: str, root: Path | None = None) -> NamedBaseline | None:
    """The one that a workflow means by that name: its file goes before the store's. None where it is not there; raises
    as `read_baselines` does.
    """
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


def stored_baseline(store: Store, name: str, run: RunRecord) -> NamedBaseline:
    """A stored run as a baseline of that name."""
    return NamedBaseline(name, run, tuple(store.results(run.id)), MadeOf.of(store, run.id))


def baselines_for(store: Store, run: str, read: list[NamedBaseline]) -> Mapping[str, Baseline]:
    """What the gate of a run sees of baselines that were read, by name."""
    if not read:
        return {}
    made_of = MadeOf.of(store, run)
    return {each.name: each.against(made_of) for each in read}


def _wanted(workflow: Workflow) -> Iterator[str]:
    rules = [*workflow.gate, *(rule for family in workflow.scenario_map.values() for rule in family.gate)]
    yield from dict.fromkeys(rule.against for rule in rules if rule.against is not None)
