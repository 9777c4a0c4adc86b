"""A bundle: one workflow with its scenarios, knowledge, sandbox and prices, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from harness.model.episode import Digests
from harness.model.material import Document, Ground, Material, Price
from harness.model.scenario import Scenario
from harness.model.source import Scalar
from harness.model.source import Sequence as SequenceNode
from harness.model.workflow import Workflow
from harness.workflow import digests
from harness.workflow.find import find_workflow, shown
from harness.workflow.knowledge import read_knowledge
from harness.workflow.lint import Subject, lint
from harness.workflow.prices import builtin_prices, prices_with
from harness.workflow.problems import Problem, Problems, in_order
from harness.workflow.read import WorkflowSource, read_scenarios, read_workflow
from harness.workflow.sandbox import read_sandbox
from tools_sandbox.call import Json
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.start import StartState


@dataclass(frozen=True)
class Bundle:
    """One workflow, ready to be played. `scenarios` by id in order of writing; `start` is the sandbox's start state,
    `schema` its shape with the marks of tools that live elsewhere; `clock` the workflow's clock (None: it has none);
    `warnings` what is doubtful but no error.
    """

    root: Path
    workflow: Workflow
    scenarios: dict[str, Scenario]
    knowledge: tuple[Document, ...]
    start: StartState
    schema: SandboxSchema
    prices: tuple[Price, ...]
    clock: datetime | None
    warnings: tuple[Problem, ...] = ()

    def material(self, scenario_id: str) -> Material:
        """What an episode of this scenario is scored against."""
        given = self.given_rows(scenario_id)
        return Material(
            self.workflow,
            self.scenarios[scenario_id],
            self.schema,
            self._ground.laid_over(given),
            self.knowledge,
            self.prices,
            given=given,
            ground=self._ground,
        )

    def given_rows(self, scenario_id: str) -> dict[str, dict[str, Json]]:
        """The rows of the start state that are this scenario's own; None stands for one that it removes."""
        return self.start.given_rows(self.scenarios[scenario_id].given)

    def digests(self, scenario: Scenario) -> Digests:
        """The digests of all that an episode of a scenario depends on, be it the bundle's own or made on the spot."""
        own = self.scenarios.get(scenario.id) is scenario
        digest, _ = self._entries[scenario.id] if own else digests.item_entry(scenario)
        return Digests(scenario=digest, **self._shared_digests)

    @cached_property
    def _entries(self) -> dict[str, tuple[str, str]]:
        """Digest and text of each scenario."""
        return {name: digests.item_entry(scenario) for name, scenario in self.scenarios.items()}

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self.schema, self.start.tables({}), self.knowledge)

    @cached_property
    def _shared_entries(self) -> dict[str, tuple[str, str]]:
        """Digest and text of what all scenarios share, but for the start state."""
        return {
            "workflow": digests.item_entry(self.workflow),
            "knowledge": digests.entry(digests.knowledge_text(self.knowledge)),
            "schema": digests.entry(digests.schema_text(self.schema)),
            "prices": digests.entry(digests.prices_text(self.prices)),
        }

    @cached_property
    def _shared_digests(self) -> dict[str, str]:
        return {
            "start_state": self.start.digest,
            **{name: digest for name, (digest, _) in self._shared_entries.items()},
        }

    def sources(self) -> dict[str, str]:
        """The text behind every digest, as JSON; the start state is without any scenario's `given`."""
        entries = dict([*self._entries.values(), *self._shared_entries.values()])
        return {**entries, self.start.digest: digests.state_text(self.start.tables({}))}


Metrics = Callable[[Workflow], Mapping[str, str | None]]
Check = Callable[[Workflow, Sequence[Scenario], Sequence[Document]], Iterable[Problem]]


def load(path: Path, metrics: Metrics | None = None, check: Check | None = None, *, played: bool = True) -> Bundle:
    """The bundle that a path means: a folder with a `workflow.yaml`, that file, or a folder or scenario file below.

    `metrics` gives the names that gates and `measures` may use (None: not checked), each with its unit, which is None
    for one that passes or fails. `check` finds what else is wrong with a workflow, its scenarios and knowledge.
    `played`: its scenarios are to be played, so that there must be one. Raises Problems with all that is wrong in all
    files.
    """
    file = find_workflow(path)
    root, name = file.parent, shown(file.parent)
    problems: list[Problem] = []
    source = read_workflow(file, problems)
    written = read_scenarios(root, source, problems, needed=played)
    if source is None or source.workflow is None:
        raise Problems(problems)
    workflow = source.workflow
    knowledge = read_knowledge(root, _scalars(source, "knowledge"), name, problems)
    prices = builtin_prices()
    sandbox = None
    try:
        for own in _scalars(source, "prices"):
            prices = prices_with(root / own.raw, f"{name}/{own.raw}")
    except Problems as error:
        problems.extend(error.problems)
    try:
        sandbox = read_sandbox(workflow, source.node, root, name)
    except Problems as error:
        problems.extend(error.problems)
    if problems or sandbox is None:
        raise Problems(problems)
    start, schema = sandbox
    subject = Subject(root, workflow, source.node, written, knowledge, schema, start)
    report = lint(subject, None if metrics is None else metrics(workflow))
    scenarios = {each.scenario.id: each.scenario for each in written}
    if check is not None:
        report.errors.extend(check(workflow, list(scenarios.values()), knowledge))
    if report.errors:
        raise Problems(report.errors)
    return Bundle(root, workflow, scenarios, knowledge, start, schema, prices, source.clock, in_order(report.warnings))


def _scalars(source: WorkflowSource, key: str) -> list[Scalar]:
    node = source.node.get(key)
    return [item for item in (node if isinstance(node, SequenceNode) else [node]) if isinstance(item, Scalar)]
