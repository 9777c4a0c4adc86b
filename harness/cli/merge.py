"""`turngate merge`: the shards of one run made one run, and its gate decided."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from harness.cli.counting import counted
from harness.cli.exits import UserError
from harness.cli.gate import decided_or_told
from harness.cli.import_runs import absent
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.outputs import outputs_to, write_all
from harness.cli.places import elsewhere
from harness.cli.run import exit_code
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import result_json
from harness.reports.terminal import show_run
from harness.runs.arriving import arriving
from harness.runs.merge import CantMerge, Part
from harness.runs.merge import merge as merge_parts
from harness.store.places import open_store
from harness.store.portable_file import SUFFIX, is_run_file
from harness.store.store import Store


def merge(names: Sequence[str], files: Sequence[Path], place: str | None, annotations: str | None = None) -> int:
    """Merge them, print the whole run, and write it to `files`; gives the exit code of its gate."""
    outputs = outputs_to(files, annotations)
    absent([Path(name) for name in names if name.endswith(SUFFIX)])
    with open_store(place) as store, _parts(store, names) as parts:
        try:
            merged = merge_parts(store, parts)
        except CantMerge as error:
            raise UserError(f"these can't be merged: {error}") from None
        run = store.run(merged.run)
        found = decided_or_told(store, run)
        known = ["these shards were merged before, into the same run"] if merged.known else []
        said = [*merged.notes, *known, *elsewhere(place)]
        view = gather(store, run.id, found.workflow, found.verdict, found.results, said)
        show_run(console(), view, dimensions())
        write_all(outputs, [view], result_json(view))
    return exit_code(found.verdict, found.results)


@contextmanager
def _parts(store: Store, names: Sequence[str]) -> Iterator[list[Part]]:
    """The shards, be they in the store or in files, whose runs are kept apart from it."""
    with tempfile.TemporaryDirectory(prefix="turngate-") as folder, Store.open(Path(folder) / "shards.db") as apart:
        parts = []
        for name in names:
            if is_run_file(name):
                came = apart.portable.put(counted(arriving(Path(name)), f"reading records of {Path(name).name}"))
                parts.append(Part(name, apart, apart.run(came.run)))
            else:
                parts.append(Part(name, store, find_run(store, name)))
        yield parts
