"""The sandbox of a workflow: a class of the bundle's Python, or the `state:` and `tools:` of the file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from harness.model.source import Mapping as MappingNode
from harness.model.source import Scalar
from harness.model.workflow import StubReturn as WrittenReturn
from harness.model.workflow import Tool, Workflow
from harness.sources import local_sources
from harness.workflow.code import guarded, load_object
from harness.workflow.digests import digest_of_item
from harness.workflow.problems import Problem, Problems
from harness.workflow.validate import key_place
from tools_sandbox.nearest import hint
from tools_sandbox.sandbox import Sandbox
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.start import StartState
from tools_sandbox.stubs import StubCase, StubReturn, StubTool, misfits, stub_sandbox, stub_spec

_DOES = ("cases", "set", "return")
"""What of a tool of the file says what it does."""


def read_sandbox(workflow: Workflow, node: MappingNode, root: Path, shown: str) -> tuple[StartState, SandboxSchema]:
    """The start state of a workflow's sandbox, and its schema with the marks of tools that live elsewhere.

    Raises Problems.
    """
    stubs = {name: _stub(tool) for name, tool in workflow.tools.items()}
    spec = node.get("sandbox")
    if not isinstance(spec, Scalar):
        _refuse_misfits(workflow, stubs, node)
        start = guarded(lambda: stub_sandbox(workflow.state, workflow.private, stubs), node.at, root, shown)
        return start, replace(start.schema, sources=_cases(workflow))
    _refuse_both(workflow, node)
    found = load_object(spec, root, shown)
    if not (isinstance(found, type) and issubclass(found, Sandbox)):
        what = f"`{spec.raw}` is no sandbox"
        raise Problems([Problem(spec.at, what, do="name a class derived from tools_sandbox.Sandbox")])
    start = guarded(lambda: StartState.of(found), spec.at, root, shown)
    _refuse_doubles(stubs, start, node)
    marks = {name: stub_spec(name, stub) for name, stub in stubs.items()}
    return start, replace(start.schema, tools={**start.schema.tools, **marks}, sources=_files(found, root))


def _cases(workflow: Workflow) -> dict[str, str]:
    """Digests of what the tools of the file do, by tool."""
    written = {name: tool.dump() for name, tool in workflow.tools.items()}
    return {
        name: digest_of_item({part: tool[part] for part in _DOES if part in tool}) for name, tool in written.items()
    }


def _files(sandbox: type[Sandbox], root: Path) -> dict[str, str]:
    """Digests of the Python that a sandbox is written in, by file; however its lines end."""
    home = getattr(sys.modules.get(sandbox.__module__), "__file__", None)
    if home is None:
        return {}
    file = Path(home).resolve()
    texts = {os.path.relpath(each, file.parent): each.read_bytes() for each in local_sources(file, root.resolve())}
    return {Path(name).as_posix(): sha256(text.replace(b"\r\n", b"\n")).hexdigest() for name, text in texts.items()}


def _stub(tool: Tool) -> StubTool:
    cases = tuple(StubCase(case.when, case.set, _answer(case.return_), case.error) for case in tool.cases)
    if tool.return_ is not None or tool.set:
        cases = (StubCase(set=tool.set, answer=_answer(tool.return_)),)
    return StubTool(
        kind=tool.kind,
        about=tool.about,
        args=dict(tool.args),
        cases=cases,
        proves=tool.proves,
        needs=tuple(tool.needs),
        ends=tool.ends,
        retrieves=tool.retrieves,
    )


def _answer(written: WrittenReturn | None) -> StubReturn:
    return StubReturn() if written is None else StubReturn(written.value, written.from_)


def _refuse_misfits(workflow: Workflow, stubs: Mapping[str, StubTool], node: MappingNode) -> None:
    """Private tables and tools' paths and arguments that are not there, each at its place."""
    problems = [
        Problem(key_place(node, ("private", name)), f"no table `{name}` in the state; {hint(name, workflow.state)}")
        for name in workflow.private
        if name not in workflow.state
    ]
    for name, stub in stubs.items():
        for (number, word, what), text in misfits(stub, workflow.state):
            case = ("cases", number) if workflow.tools[name].cases else ()
            below = ("return", "from") if word == "from" else (word, what)
            problems.append(Problem(key_place(node, ("tools", name, *case, *below)), f"{name}: {text}"))
    if problems:
        raise Problems(problems)


def _refuse_both(workflow: Workflow, node: MappingNode) -> None:
    """With a class, the file gives no state and no answers."""
    problems = [
        Problem(node.keys_at[key], f"`{key}` and `sandbox` are two sandboxes", do="keep one of them")
        for key in ("state", "private")
        if key in node
    ]
    problems += [
        Problem(key_place(node, ("tools", name)), f"`{name}` has answers, but `sandbox` is where tools are simulated")
        for name, tool in workflow.tools.items()
        if tool.cases or tool.set or tool.return_ is not None
    ]
    if problems:
        raise Problems(problems)


def _refuse_doubles(stubs: Mapping[str, StubTool], start: StartState, node: MappingNode) -> None:
    problems = [
        Problem(key_place(node, ("tools", name)), f"`{name}` is a tool of the sandbox, which has its own marks")
        for name in stubs
        if name in start.schema.tools
    ]
    if problems:
        raise Problems(problems)
