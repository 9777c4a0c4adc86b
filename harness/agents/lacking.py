"""The mistake of a workflow that simulates fewer tools than its agent has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from harness.agents.problem import AgentProblem
from tools_sandbox.nearest import nearest


def lacking(missing: Collection[str], sandbox: Collection[str]) -> AgentProblem:
    """What is wrong and what to do, for tools that neither the sandbox has nor `passthrough` names."""
    return AgentProblem(
        f"the sandbox lacks {len(missing)} tool(s) of the agent: {', '.join(_hinted(missing, sandbox))}. "
        "Add them to the sandbox (without Python: under `tools:` in workflow.yaml), or name under "
        "`passthrough:` there those that may really run"
    )


def _hinted(missing: Iterable[str], sandbox: Collection[str]) -> Iterator[str]:
    for name in missing:
        near = nearest(name, sandbox)
        yield f"{name} (is it {near}?)" if near else name
