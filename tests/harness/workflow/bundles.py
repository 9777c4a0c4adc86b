"""Small bundles for tests: files written into a folder, and what loading them complains of."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from harness.workflow.bundle import Bundle, load
from harness.workflow.problems import Problem, Problems

WORKFLOW = """
workflow: shop
clock: 2026-11-20T10:00:00+01:00
trials: 2
state:
  customers: {C-7: {email: ana@example.com}}
  orders: {O-1: {status: shipped, total: "49.90"}}
tools:
  get_order: {kind: reads, args: {order_id: text}, return: {from: "orders.{order_id}"}}
  refund: {kind: writes, args: {order_id: text, amount: decimal}, set: {"orders.{order_id}.status": refunded}}
knowledge: [policy.md]
scenario_map:
  refunds:
    about: Refunds
    source: [authored]
    measures: [task_success]
    failures: [TO1]
    gate: [{rule: works, metric: task_success, at_least: 0.9}]
    review: {always: [critical_failure]}
gate:
  - {rule: must pass, tier: critical, every: trial}
"""

SCENARIO = """
- id: refund-one
  family: refunds
  tier: critical
  clauses: [R1]
  slices: {language: en}
  user:
    knows: {order_id: O-1}
    turns: [I want my money back.]
  expect:
    state: {orders.O-1.status: refunded}
    calls: {required: [{refund: {order_id: O-1}}]}
  gold:
    - refund: {order_id: O-1, amount: "49.90"}
    - reply: Done.
"""

POLICY = "# Refunds\n\n## Window {#R1}\n\n30 days.\n"


def write(folder: Path, *, workflow: str = WORKFLOW, scenario: str = SCENARIO, **files: str) -> Path:
    """A bundle in a folder; further files by name, `_` before the suffix standing for a dot."""
    (folder / "scenarios").mkdir(parents=True, exist_ok=True)
    (folder / "workflow.yaml").write_text(workflow, encoding="utf-8")
    (folder / "scenarios" / "refunds.yaml").write_text(scenario, encoding="utf-8")
    (folder / "policy.md").write_text(POLICY, encoding="utf-8")
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(dedent(text), encoding="utf-8")
    return folder


def loaded(folder: Path, **files: str) -> Bundle:
    """The bundle of `write`, loaded."""
    return load(write(folder, **files), metrics=lambda workflow: {"task_success": None, "cost_usd": "USD"})


def problems(folder: Path, **files: str) -> list[Problem]:
    """What is wrong with the bundle of `write`; each place lies within its file."""
    with pytest.raises(Problems) as caught:
        loaded(folder, **files)
    for problem in caught.value.problems:
        assert_inside(problem)
    return list(caught.value.problems)


def only(folder: Path, **files: str) -> Problem:
    """The one thing that is wrong."""
    found = problems(folder, **files)
    assert len(found) == 1, found
    return found[0]


def assert_inside(problem: Problem) -> None:
    """The place exists: a file's line and column (one past the end counts), or a path that is no file at its start."""
    path = Path(problem.where.file)
    if not path.is_file():
        assert (problem.where.line, problem.where.column) == (1, 1)
        return
    lines = path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    assert 1 <= problem.where.line <= len(lines), problem
    assert 1 <= problem.where.column <= len(lines[problem.where.line - 1]) + 1, problem
