"""The sandbox of a workflow: a class of the bundle's Python, or the `state:` and `tools:` of the file."""

from __future__ import annotations

from pathlib import Path

from harness.model.source import Mapping, Scalar
from harness.model.workflow import Workflow
from harness.workflow.code import guarded, load_object
from harness.workflow.problems import Problem, Problems
from tools_sandbox.sandbox import Sandbox
from tools_sandbox.start import StartState


def read_sandbox(workflow: Workflow, node: Mapping, root: Path, shown: str) -> StartState:
    """The start state of a workflow's sandbox. Raises Problems."""
    spec = node.get("sandbox")
    if not isinstance(spec, Scalar):
        raise NotImplementedError
    found = load_object(spec, root, shown)
    if not (isinstance(found, type) and issubclass(found, Sandbox)):
        what = f"`{spec.raw}` is no sandbox"
        raise Problems([Problem(spec.at, what, do="name a class derived from tools_sandbox.Sandbox")])
    return guarded(lambda: StartState.of(found), spec.at, root, shown)
