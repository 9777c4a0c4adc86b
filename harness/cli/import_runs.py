"""`turngate import`: runs that were exported elsewhere, put into the store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.reports.printable import printable
from harness.reports.traces.words import many
from harness.runs.arriving import arriving
from harness.store.places import open_store
from harness.store.portable import Arrived


def import_runs(files: Sequence[Path], place: str | None) -> int:
    """Import them one after the other, each whole or not at all, and say what came of it."""
    absent(files)
    out = console()
    with open_store(place) as store:
        for file in files:
            came = store.portable.put(counted(arriving(file), f"reading records of {file.name}"))
            out.print(f"{printable(str(file))}: {_told(came)}", soft_wrap=True)
    return Exit.PASSED


def absent(files: Sequence[Path]) -> None:
    """Raise UserError for the first that is no file, before anything is read."""
    for file in files:
        if file.is_dir():
            raise UserError(f"{file}: it is a folder: name the files in it, {file}/*.turngate")
        if not file.exists():
            raise UserError(f"{file}: there is no such file; `turngate export RUN -o {file}` writes one")


def _told(came: Arrived) -> str:
    fates = {
        "new": f"run {came.run}, {many(came.episodes, 'episode')}",
        "unchanged": f"run {came.run} was here already, and is the same: nothing changed",
        "added to": f"run {came.run} was here already: scores and labels that it lacked were added",
    }
    return fates[came.fate]
