"""`turngate export`: a run as one file that travels, or as evidence."""

from __future__ import annotations

from pathlib import Path

from harness.cli.counting import counted
from harness.cli.evidence import export_evidence
from harness.cli.exits import Exit, UserError
from harness.cli.gate import decided_or_told
from harness.cli.names import find_run
from harness.cli.out import console
from harness.reports.printable import printable
from harness.reports.result_json import gate_json
from harness.reports.traces.words import many
from harness.reports.wording import verdict_words
from harness.runs.resume import still_played
from harness.store.places import open_store
from harness.store.portable_file import SUFFIX, write_run


def export(name: str | None, output: Path | None, place: str | None, *, evidence: bool) -> int:
    """Write the file or the evidence, and say what is in it."""
    with open_store(place, must_exist=True) as store:
        run = find_run(store, name)
        if still_played(run):
            raise UserError(f"run {run.id} is still being played: export it when it has ended")
        if evidence:
            return export_evidence(store, run, output)
        file = output or Path(f"{run.id}{SUFFIX}")
        _writable(file)
        found = decided_or_told(store, run)
        store.exports.add(run.id, file)
        try:
            records = counted(store.portable.records(run.id), "writing records")
            write_run(file, records, gate_json(found.verdict))
        except OSError as error:
            raise UserError(f"-o {file}: can't be written: {error.strerror}") from None
    played = sum(result.state == "played" for result in found.results)
    out = console()
    out.print(f"run {run.id}: {many(played, 'episode')}, {verdict_words(found.verdict).words}", soft_wrap=True)
    out.print(f"in {printable(str(file))}, {size_of(file)}; the conversations are in it as they were", soft_wrap=True)
    return Exit.PASSED


def size_of(file: Path) -> str:
    """`812 B`, `34 kB`, `5.1 MB`."""
    size = file.stat().st_size
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _writable(file: Path) -> None:
    if not file.name.endswith(SUFFIX):
        raise UserError(f"-o {file}: a run is written to a file whose name ends in {SUFFIX}")
    if file.is_dir():
        raise UserError(f"-o {file}: it is a folder: name a file in it")
    try:
        file.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"-o {file}: no folder {file.absolute().parent} can be made: {error.strerror}") from None
