"""`turngate rescore`: a stored run scored again from the store alone."""

from __future__ import annotations

from harness.cli.exits import Exit
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.places import open_store
from harness.reports.printable import short
from harness.runs.rescore import rescore as rescore_run


def rescore(name: str | None, place: str | None) -> int:
    """Score again, and say which verdicts changed."""
    out = console()
    with open_store(place, must_exist=True) as store:
        run = find_run(store, name)
        changed = scored = 0
        for change in rescore_run(store, run.id):
            scored += 1
            if change.before != change.after:
                changed += 1
                before, after = change.before or "not scored", change.after
                out.print(f"{short(change.key.id)}: {before} -> {after}")
    out.print(f"run {run.id}: {scored} episodes scored again, {changed} verdict(s) changed")
    return Exit.PASSED
