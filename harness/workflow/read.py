"""From files to models: syntax, defaults, variants, moments and shapes, with the problems of all files at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from harness.model.scenario import Scenario
from harness.model.source import Mapping, Scalar, Sequence, Where
from harness.model.workflow import Workflow
from harness.workflow.clock import compute_moments, read_clock
from harness.workflow.defaults import fill_defaults
from harness.workflow.find import SCENARIOS, scenario_files, shown
from harness.workflow.lint.ids import check_ids
from harness.workflow.lint.subject import Written
from harness.workflow.problems import Problem, Problems
from harness.workflow.validate import validate
from harness.workflow.variants import resolve_variants
from harness.workflow.yaml_nodes import Node, parse, read_text


@dataclass(frozen=True, slots=True)
class WorkflowSource:
    """A workflow as read: the model (None: it has problems), its node and its clock."""

    workflow: Workflow | None
    node: Mapping
    clock: datetime | None


def read_workflow(file: Path, problems: list[Problem]) -> WorkflowSource | None:
    """The workflow of a file; None if it isn't even YAML."""
    node = _node(file, problems)
    if node is None:
        return None
    if not isinstance(node, Mapping):
        problems.append(Problem(node.at, "a workflow file is a mapping that begins with `workflow: name`"))
        return None
    written = node.get("clock")
    clock = read_clock(written, problems) if written is not None else None
    node = fill_defaults(node, problems)
    if clock is not None or written is None:
        node = compute_moments(node, clock, problems)
    return WorkflowSource(validate(Workflow, node, problems), node, clock)


def read_scenarios(
    root: Path, source: WorkflowSource | None, problems: list[Problem], *, needed: bool = True
) -> tuple[Written, ...]:
    """The scenarios of a bundle, file by file in order of writing. `needed`: that there is none is a problem."""
    before = len(problems)
    nodes = list(_scenario_nodes(root, problems, needed=needed))
    whole = len(problems) == before
    check_ids(nodes, problems)
    found = []
    for node in resolve_variants(nodes, problems, whole=whole):
        if source is not None and (source.clock is not None or "clock" not in source.node):
            node = compute_moments(node, source.clock, problems)
        scenario = validate(Scenario, node, problems)
        if scenario is not None:
            found.append(Written(scenario, node))
    return tuple(found)


def _scenario_nodes(root: Path, problems: list[Problem], *, needed: bool) -> Iterator[Mapping]:
    files = scenario_files(root)
    if not files and needed:
        what = f"there is no scenario: no `*.yaml` in `{SCENARIOS}/` beside the workflow file"
        problems.append(Problem(Where(shown(root / SCENARIOS), 1), what))
    for file in files:
        node = _node(file, problems)
        for item in node if isinstance(node, Sequence) else [node]:
            if isinstance(item, Mapping):
                yield item
            elif isinstance(item, Scalar | Sequence):
                problems.append(Problem(item.at, "a scenario is a mapping that begins with `id:`"))


def _node(file: Path, problems: list[Problem]) -> Node | None:
    name = shown(file)
    try:
        return parse(read_text(file, name), name)
    except Problems as error:
        problems.extend(error.problems)
        return None
