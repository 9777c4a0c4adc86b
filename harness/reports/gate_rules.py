"""The effective gate of a workflow as a table: what every rule asks for, and how many clean trials it takes."""

from __future__ import annotations

from rich import box
from rich.table import Table

from harness.gates.effective import effective
from harness.gates.needs import clean_trials_needed
from harness.model.workflow import Workflow
from harness.reports.printable import printable
from harness.reports.whole import Whole


def gate_rules(workflow: Workflow) -> Whole:
    """A row a rule, those that always apply included. Raises UnclearRule for a gate that `load_bundle` refuses."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", no_wrap=True)
    table.add_column("holds when", overflow="fold")
    table.add_column("clean trials", justify="right", no_wrap=True)
    table.add_column("written at", no_wrap=True)
    for rule in effective(workflow):
        name, where = (f"{rule.rule.rule} (always)", "") if rule.implicit else (rule.rule.rule, str(rule.rule.at or ""))
        table.add_row(printable(name), printable(rule.says), str(clean_trials_needed(rule.rule)), where)
    return Whole(table, bare=("holds when", "written at"))
