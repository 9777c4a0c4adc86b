"""`turngate record show`: one recording."""

from __future__ import annotations

import json

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.record_names import find_recording
from harness.replay.recordings.own_form import to_document
from harness.reports.recordings.page import recording_page
from harness.store.places import open_store


def show_recording(name: str, full: bool, as_json: bool, place: str | None) -> int:
    """Print it."""
    out = console()
    with open_store(place, must_exist=True) as store:
        (recording,) = store.recordings.read([find_recording(store, name).id])
    if as_json:
        out.out(json.dumps(to_document(recording), ensure_ascii=True, indent=2))
    else:
        out.print(recording_page(recording, full=full))
    return Exit.PASSED
