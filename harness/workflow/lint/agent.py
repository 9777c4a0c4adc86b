"""Whether the workflow's agent can be there; its code is read, not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.model.remote import HttpAgent, mistakes
from harness.workflow.lint.subject import Report, Subject
from tools_sandbox.nearest import nearest


def check_agent(subject: Subject, report: Report) -> None:
    """A file that is not there, a name that its code does not seem to define. Both are warnings: the command line may
    name another agent. What is wrong with how a service is asked is an error.
    """
    spec = subject.workflow.agent
    if spec is None:
        return
    where = subject.at("agent")
    if isinstance(spec, HttpAgent):
        for path, wrong in mistakes(spec):
            report.error(subject.at("agent", *path), wrong)
        return
    if spec.startswith(("http://", "https://")):
        for _, wrong in mistakes(HttpAgent.model_validate({"url": spec})):
            report.error(where, wrong)
        return
    place, _, name = spec.rpartition(":")
    if not place or not name:
        report.warn(where, f"`{spec}` names no agent", "write `file.py:name` or `module:name`")
    if not place.endswith(".py"):
        return
    file = subject.root / place
    if not file.is_file():
        report.warn(where, f"there is no file `{place}`", "paths are relative to this file")
        return
    try:
        defined = list(_defined(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):
        return  # told with its place when the agent is loaded
    if name not in defined and "*" not in defined:
        report.warn(where, f"`{place}` defines no `{name}`", meant=nearest(name, defined))


def _defined(node: ast.AST) -> Iterator[str]:
    """The names that a module binds, but in functions and classes; `*` for those of a star import."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield child.name
                continue
            case ast.alias():
                yield child.asname or child.name.split(".")[0]
            case ast.Name(ctx=ast.Store()):
                yield child.id
        yield from _defined(child)
