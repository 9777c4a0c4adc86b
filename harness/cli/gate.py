"""`turngate gate`: a stored run decided again, or the effective gate of a workflow explained."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.table import Table

from harness.cli.exits import Exit, UserError
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.places import open_store
from harness.cli.run import exit_code
from harness.gates.decide import decide
from harness.gates.effective import ALWAYS, effective
from harness.gates.needs import clean_trials_needed
from harness.reports.gather import dimensions, gather
from harness.reports.printable import printable
from harness.reports.terminal import show_run
from harness.runs.prepare import load_bundle


def gate(target: str | None, explain: bool, place: str | None) -> int:
    """Print it; gives the exit code of the decision."""
    if explain:
        return _explain(Path(target) if target else Path())
    with open_store(place, must_exist=True) as store:
        run = find_run(store, target)
        results = tuple(store.results(run.id))
        if not results:
            raise UserError(f"run {run.id} was ended before anything was planned: there is nothing to decide on")
        workflow = store.material(run.id, results[0].key.item).workflow
        verdict = decide(workflow, results, run.options.get("partial"))
        show_run(console(), gather(store, run.id, workflow, verdict, results), dimensions())
    return exit_code(verdict, results)


def _explain(path: Path) -> int:
    bundle = load_bundle(path)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", no_wrap=True)
    table.add_column("holds when", overflow="fold")
    table.add_column("clean trials", justify="right")
    table.add_column("written at", no_wrap=True)
    for rule in effective(bundle.workflow):
        where = "always" if rule.implicit else str(rule.rule.at or "")
        table.add_row(printable(rule.rule.rule), printable(rule.says), str(clean_trials_needed(rule.rule)), where)
    out = console()
    out.print(table)
    for line in ALWAYS:
        out.print(f"- {line}")
    return Exit.PASSED
