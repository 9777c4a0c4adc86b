"""`turngate demo`: the bundled workflow against two versions of its agent."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from rich.text import Text

from harness.cli.out import console
from harness.cli.run import RunOptions, run
from harness.workflow.bundled import bundled


def demo(store: str | None) -> int:
    """Today's version, whose gate passes, then an earlier one, whose gate must fail; the exit code of the first."""
    out = console()
    workflow = bundled("customer_service")
    out.print(
        "The bundled customer-service workflow, on the agent's version of today. The agent is a LangGraph graph on an "
        "offline planner: a fixture, so that this runs without a key or a network."
    )
    code = run(workflow, RunOptions((f"{workflow / 'agent.py'}:build",), store=store))
    out.print()
    out.print(
        "And an earlier version, with faults that such agents really have: it acts before it has verified the "
        "customer, asks again after three turns, claims a refund that it did not make, quotes a wrong window, and lets "
        "a second customer's e-mail out."
    )
    earlier = run(workflow, RunOptions((f"{workflow / 'agent.py'}:build_earlier",), store=store))
    out.print()
    told = (
        "its gate fails, as it must" if earlier == 1 else f"its gate should have failed, but gave exit code {earlier}"
    )
    if shutil.which("turngate") is None:
        out.print(f"`turngate` is not on the PATH here; write {_command()} in its place.", soft_wrap=True)
    out.print(Text(f"Today's version: exit code {int(code)}. The earlier version: {told}.", style="bold"))
    return code


def _command() -> str:
    """How the command that runs now can be typed again."""
    here = Path(sys.argv[0])
    return (
        shlex.quote(str(here)) if here.name == "turngate" else f"{shlex.quote(sys.executable)} {shlex.quote(str(here))}"
    )
