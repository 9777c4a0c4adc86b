"""`turngate lint`: checks a workflow without playing it."""

from __future__ import annotations

from pathlib import Path

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.reports.gate_rules import gate_rules
from harness.reports.printable import printable
from harness.runs.prepare import gate_plan, load_bundle


def lint(workflow: Path | None) -> int:
    """Print warnings, and the clean trials that each gate rule needs; errors are raised as Problems."""
    bundle = load_bundle(workflow or Path(), played=False)
    out = console()
    for warning in bundle.warnings:
        out.print(printable(str(warning)), soft_wrap=True)
    out.print(gate_rules(gate_plan(bundle)))
    if not bundle.scenarios:
        out.print("note: there is no scenario, so this scores traces (`turngate score`); nothing can be played")
    found = f"{len(bundle.warnings)} warning(s)" if bundle.warnings else "nothing is wrong"
    counted = f"{len(bundle.scenarios)} scenarios in {len({s.family for s in bundle.scenarios.values()})} families"
    out.print(f"{bundle.workflow.workflow}: {counted}, {len(bundle.start.tools)} tools: {found}")
    return Exit.PASSED
