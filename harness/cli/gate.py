"""`turngate gate`: a stored run decided again, or the effective gate of a workflow explained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.outputs import outputs_to, write_all
from harness.cli.places import elsewhere, open_store
from harness.cli.run import exit_code
from harness.gates.decide import decide
from harness.gates.effective import ALWAYS
from harness.reports.gate_rules import gate_rules
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import result_json
from harness.reports.terminal import show_run
from harness.runs.observe import decide_observed
from harness.runs.prepare import load_bundle


def gate(target: str | None, explain: bool, place: str | None, files: Sequence[Path] = ()) -> int:
    """Print it, and write it to `files`; gives the exit code of the decision."""
    outputs = outputs_to(files)
    if explain:
        return _explain(Path(target) if target else Path())
    with open_store(place, must_exist=True) as store:
        run = find_run(store, target)
        results = tuple(store.results(run.id))
        if not results and run.observed:
            raise UserError(f"run {run.id}: no conversation had arrived, so there is no gate", Exit.UNDECIDED)
        if not results:
            raise UserError(f"run {run.id} was ended before anything was planned: there is nothing to decide on")
        workflow = store.material(run.id, results[0].key.item).workflow
        if run.observed:
            verdict = decide_observed(workflow, results, run)
        else:
            verdict = decide(workflow, results, run.options.get("partial"), deterministic=run.deterministic)
        view = gather(store, run.id, workflow, verdict, results, elsewhere(place))
        show_run(console(), view, dimensions())
        write_all(outputs, [view], result_json(view))
    return exit_code(verdict, results)


def _explain(path: Path) -> int:
    bundle = load_bundle(path)
    out = console()
    out.print(gate_rules(bundle.workflow))
    for line in ALWAYS:
        out.print(f"- {line}")
    return Exit.PASSED
