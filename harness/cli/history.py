"""`turngate history`: the runs of a workflow over time."""

from __future__ import annotations

import json
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.names import NO_RUN
from harness.cli.out import console
from harness.reports.history.as_json import history_json
from harness.reports.history.history import history as history_of
from harness.reports.history.page import history_page
from harness.reports.history.sparkline import letters_for
from harness.store.places import open_store
from harness.store.store import Store
from harness.workflow.find import find_workflow
from harness.workflow.problems import Problem, Problems
from harness.workflow.read import read_workflow
from tools_sandbox.nearest import hint


def history(workflow: str | None, last: int, place: str | None, *, as_json: bool) -> int:
    """Print it."""
    out = console()
    with open_store(place, must_exist=True) as store:
        found = history_of(store, _named(store, workflow), last)
    if as_json:
        # ASCII only: what a file or an agent said can't steer the terminal it is shown in.
        out.out(json.dumps(history_json(found), ensure_ascii=True, indent=2))
        return Exit.PASSED
    for piece in history_page(found, letters_for(out.encoding)):
        out.print(piece)
    return Exit.PASSED


def _named(store: Store, workflow: str | None) -> str:
    """The name of a workflow that runs are stored of, or that a file has; by default of the one here, else of the only
    one that is stored. Raises UserError and Problems.
    """
    known = list(dict.fromkeys(run.workflow for run in store.runs()))
    if not known:
        raise UserError(NO_RUN)
    if workflow in known:
        return str(workflow)
    path = Path(workflow or "")
    if workflow is not None and not path.exists():
        raise UserError(f"{workflow}: no such file, and no run of such a workflow is stored; {hint(workflow, known)}")
    try:
        name = _name_of(path)
    except Problems:
        if workflow is None and len(known) == 1:
            return known[0]
        raise
    if name not in known:
        raise UserError(f"no run of the workflow {name} is stored; {hint(name, known)}")
    return name


def _name_of(path: Path) -> str:
    problems: list[Problem] = []
    source = read_workflow(find_workflow(path), problems)
    if source is None or source.workflow is None:
        raise Problems(problems)
    return source.workflow.workflow
