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
from harness.gates.effective import ALWAYS
from harness.reports.gate_rules import gate_rules
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import result_json
from harness.reports.terminal import show_run
from harness.runs.decided import NothingToDecide, decided
from harness.runs.prepare import load_bundle


def gate(target: str | None, explain: bool, place: str | None, files: Sequence[Path] = ()) -> int:
    """Print it, and write it to `files`; gives the exit code of the decision."""
    outputs = outputs_to(files)
    if explain:
        return _explain(Path(target) if target else Path())
    with open_store(place, must_exist=True) as store:
        run = find_run(store, target)
        try:
            found = decided(store, run)
        except NothingToDecide as error:
            raise UserError(str(error), Exit.UNDECIDED if run.observed else Exit.WRONG) from None
        view = gather(store, run.id, found.workflow, found.verdict, found.results, elsewhere(place))
        show_run(console(), view, dimensions())
        write_all(outputs, [view], result_json(view))
    return exit_code(found.verdict, found.results)


def _explain(path: Path) -> int:
    bundle = load_bundle(path)
    out = console()
    out.print(gate_rules(bundle.workflow))
    for line in ALWAYS:
        out.print(f"- {line}")
    return Exit.PASSED
