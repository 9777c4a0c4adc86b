"""`turngate gate`: a stored run decided again, or the effective gate of a workflow explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from harness.cli.exits import Exit, UserError
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.outputs import outputs_to, write_all
from harness.cli.places import elsewhere
from harness.cli.run import exit_code
from harness.gates.effective import ALWAYS
from harness.gates.exemptions import exempted
from harness.gates.noise import ASSUMED, planned_floors
from harness.gates.ruling import percent
from harness.reports.gate_rules import gate_rules
from harness.reports.gather import dimensions, gather
from harness.reports.printable import printable
from harness.reports.result_json import result_json
from harness.reports.statistics_lines import noise_text
from harness.reports.terminal import show_run
from harness.runs.decided import Decided, NothingToDecide, decided
from harness.runs.prepare import gate_plan, load_bundle
from harness.store.places import open_store
from harness.store.records import RunRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle
from harness.workflow.digests import item_entry


def gate(
    target: str | None,
    explain: bool,
    workflow: Path | None,
    place: str | None,
    files: Sequence[Path] = (),
    annotations: str | None = None,
) -> int:
    """Print it, and write it to `files`; gives the exit code of the decision. `workflow`: decide by its gate as it is
    now, not by that of the run.
    """
    outputs = outputs_to(files, annotations)
    if explain:
        return _explain(workflow or Path(target or ""))
    with open_store(place, must_exist=True) as store:
        run = find_run(store, target)
        bundle = None if workflow is None else _as_it_is(workflow, run)
        found = decided_or_told(store, run, bundle)
        said = [*_changed(store, found, bundle), *elsewhere(place)]
        view = gather(store, run.id, found.workflow, found.verdict, found.results, said)
        show_run(console(), view, dimensions())
        write_all(outputs, [view], result_json(view))
    return exit_code(found.verdict, found.results)


def decided_or_told(store: Store, run: RunRecord, bundle: Bundle | None = None) -> Decided:
    """The gate of a stored run. Raises UserError where there is nothing to decide on."""
    try:
        return decided(store, run, bundle)
    except NothingToDecide as error:
        raise UserError(str(error), Exit.UNDECIDED if run.observed else Exit.WRONG) from None


def _as_it_is(path: Path, run: RunRecord) -> Bundle:
    bundle = load_bundle(path)
    if bundle.workflow.workflow != run.workflow:
        raise UserError(f"--workflow {path}: it is {bundle.workflow.workflow}, and run {run.id} is of {run.workflow}")
    return bundle


def _changed(store: Store, found: Decided, bundle: Bundle | None) -> list[str]:
    """What is to be said where a run is decided by a workflow that is no longer its own."""
    if bundle is None or item_entry(bundle.workflow)[0] == item_entry(store.workflow(found.run.id))[0]:
        return []
    return [
        "the gate is that of the workflow as it is now; the scores are those of the run: what else has changed (rules, "
        "scenarios, measures) is not in them, and takes a new run"
    ]


def _explain(path: Path) -> int:
    bundle = load_bundle(path)
    out = console()
    plan = gate_plan(bundle)
    out.print(gate_rules(plan))
    for line in (*ALWAYS, *exempted(bundle.workflow)):
        out.print(Text(f"- {printable(line)}"))
    rated = Counter(scenario.family for scenario in plan.scenarios if scenario.tier != "explore")
    if noise := noise_text(planned_floors(rated, plan.trials)):
        out.print(f"- If {percent(ASSUMED)} pass: {noise}")
    return Exit.PASSED
