"""A small workflow for tests of whole conversations: a desk with orders, its tools as stubs, agents as functions."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from harness.agents.resolve import resolve
from harness.episodes.play import play
from harness.episodes.task import Limits, Task
from harness.model.episode import EpisodeKey
from harness.runs.prepare import load_bundle, stages
from harness.runs.seeds import seed_of
from traces.capture import Tracing

ROOT = Path(__file__).resolve().parents[2]

WORKFLOW = """
workflow: desk
agent: agent.py:agent
clock: 2026-11-20T10:00:00+01:00
trials: 2
state:
  customers: {C-7: {email: ana@example.com}}
  orders: {O-1: {status: paid, total: "49.90"}, O-2: {status: shipped, total: "10.00"}}
tools:
  get_order: {kind: reads, args: {order_id: text}, return: {from: "orders.{order_id}"}}
  cancel_order: {kind: writes, args: {order_id: text}, set: {"orders.{order_id}.status": cancelled}, return: {ok: true}}
  escalate: {kind: writes, args: {}, ends: escalated, return: {ok: true}}
passthrough: [outside]
scenario_map:
  orders:
    about: Orders
    source: [authored]
    measures: [task_success]
    failures: [TO1]
    gate: [{rule: works, metric: task_success, at_least: 0.9}]
    review: {always: [critical_failure]}
"""

SCENARIO = """
- id: cancel-one
  family: orders
  slices: {language: en}
  user:
    knows: {order_id: O-1}
    turns: [Please cancel my order.]
  expect:
    state: {orders.O-1.status: cancelled}
  gold:
    - reply: Which order number is it?
    - cancel_order: {order_id: O-1}
    - reply: It is cancelled.
"""

AGENT = """
def agent(message, session):
    if "O-1" not in message:
        return "Which order number is it?"
    session.call_tool("cancel_order", {"order_id": "O-1"}, None)
    return "I have cancelled order O-1."
"""


def scenario(*turns, id="talk", knows="{}", expect="{outcome: resolved}", more=""):
    """A scenario without a gold path, in which these lines are said."""
    lines = "".join(f"\n      - {turn}" for turn in turns)
    extra = "".join(f"\n  {line}" for line in dedent(more).strip().splitlines())
    return f"- id: {id}\n  family: orders\n  user:\n    knows: {knows}\n    turns:{lines}\n  expect: {expect}{extra}\n"


def write(folder: Path, *, workflow=WORKFLOW, scenarios=SCENARIO, agent=AGENT, **files) -> Path:
    """The bundle in a folder, made if need be; more files by name, `_py` at the end standing for `.py`."""
    (folder / "scenarios").mkdir(parents=True, exist_ok=True)
    (folder / "workflow.yaml").write_text(workflow, encoding="utf-8")
    (folder / "scenarios" / "orders.yaml").write_text(scenarios, encoding="utf-8")
    (folder / "agent.py").write_text(dedent(agent), encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name.removesuffix('_py')}.py").write_text(dedent(text), encoding="utf-8")
    return folder


def tasks(folder: Path, *, trials=1, limits=Limits(), **texts):
    """A task a scenario and trial of the bundle with these texts."""
    bundle = load_bundle(write(folder, **texts))
    prepared = stages(bundle, bundle.scenarios.values())
    return bundle, [
        Task(EpisodeKey("r-1", "agent@1", item, trial), stage, seed_of("desk", item, trial, "clean"), limits=limits)
        for item, stage in prepared.items()
        for trial in range(1, trials + 1)
    ]


def played(folder: Path, agent, *turns, limits=Limits(), workflow=WORKFLOW, run=asyncio.run, **told):
    """The episode of one scenario with these lines, played against an agent object. `run`: what runs a coroutine."""
    _, (task,) = tasks(folder, limits=limits, workflow=workflow, scenarios=scenario(*turns, **told))
    return run(play(task, resolve(agent, folder), Tracing()))


def turngate(*arguments, cwd: Path, stdin: str | bytes | None = None, env=None, **options):
    """Run the command in a process of its own; what it prints is decoded as UTF-8."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        input=given if given is not None else b"",
        capture_output=True,
        env={**environment(), **(env or {})},
        timeout=120,
        check=False,
        **options,
    )
    done.stdout, done.stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return done


def command(*arguments):
    return [sys.executable, "-c", "from harness.cli import main; main()", *map(str, arguments)]


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TURNGATE_", "COLUMNS"))}
    # Most tests are of what is in one process, and quicker there; those of worker processes ask for them.
    ours = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    return {**kept, **ours, "TURNGATE_WORKERS": "0"}
