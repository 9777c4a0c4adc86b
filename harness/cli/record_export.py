"""`turngate record export`: recordings as a file of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.record_names import chosen
from harness.cli.whole_file import write_whole
from harness.model.recording import Recording
from harness.replay.recordings.own_form import to_text
from harness.reports.printable import printable
from harness.reports.traces.words import many
from harness.store.places import open_store

_ENDINGS = (".jsonl", ".jsonl.gz")


def export_recordings(names: Sequence[str], output: Path, where: Sequence[str], place: str | None) -> int:
    """Write them, and say how many."""
    if not output.name.endswith(_ENDINGS):
        raise UserError(f"-o {output}: recordings are written to a file whose name ends in {' or '.join(_ENDINGS)}")
    with open_store(place, must_exist=True) as store:
        ids = [told.id for told in chosen(store, names, where)]
        write_whole(output, _lines(counted(store.recordings.read(ids), "writing recordings")))
    console().print(f"{many(len(ids), 'recording')}, in {printable(str(output))}")
    return Exit.PASSED


def _lines(recordings: Iterator[Recording]) -> Iterator[bytes]:
    return (f"{to_text(recording)}\n".encode() for recording in recordings)
