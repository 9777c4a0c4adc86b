"""The effective gate of a workflow as a table: what every rule asks for, and how many clean trials it takes."""

from __future__ import annotations

from rich import box
from rich.table import Table

from harness.gates.effective import effective
from harness.gates.needs import need_of
from harness.gates.plan import Plan, planned
from harness.reports.printable import printable
from harness.reports.whole import Whole


def gate_rules(plan: Plan) -> Whole:
    """A row a rule, those that always apply included. Raises UnclearRule for a gate that `load_bundle` refuses."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", no_wrap=True)
    table.add_column("holds when", overflow="fold")
    table.add_column("clean trials", justify="right", no_wrap=True)
    table.add_column("written at", no_wrap=True)
    found = planned(plan)
    for rule in effective(plan.workflow):
        name, where = (f"{rule.rule.rule} (always)", "") if rule.implicit else (rule.rule.rule, str(rule.rule.at or ""))
        need = max((each.need for each in found if each.rule == rule.rule), default=need_of(rule.rule))
        table.add_row(printable(name), printable(rule.says), str(need), where)
    return Whole(table, bare=("holds when", "written at"))
