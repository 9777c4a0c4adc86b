"""`turngate record list`: which recordings there are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice

from rich import box
from rich.table import Table

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.record_names import conditions_of
from harness.reports.printable import one_line
from harness.reports.recordings.search import holds
from harness.reports.recordings.words import feedback_text, labels_text
from harness.reports.traces.words import moment
from harness.reports.whole import Whole
from harness.store.places import open_store
from harness.store.recording_rows import RecordingSummary
from harness.store.store import Store


def list_recordings(where: Sequence[str], text: str | None, limit: int, as_json: bool, place: str | None) -> int:
    """Print them, the last to come first; `limit` 0 is all."""
    out = console()
    conditions = conditions_of(where)
    with open_store(place, must_exist=True) as store:
        every = (told for told in store.recordings.all() if all(each.fits(told) for each in conditions))
        found = every if text is None else _holding(store, every, text)
        shown = list(islice(found, limit) if limit else found)
        more = next(found, None) is not None
    if as_json:
        out.out(json.dumps([asdict(told) for told in shown], ensure_ascii=True, indent=2))
    elif not shown:
        out.print("no recording fits" if where or text else "no recordings yet: turngate record import FILE")
    else:
        out.print(_table(shown))
        if more:
            out.print(f"the latest {limit}; --limit 0 shows all", style="bright_black")
    return Exit.PASSED


def _holding(store: Store, every: Iterator[RecordingSummary], text: str) -> Iterator[RecordingSummary]:
    """Those with a text in what was said, called or answered, whatever the case."""
    for told in every:
        (recording,) = store.recordings.read([told.id])
        if holds(recording, text):
            yield told


def _table(recordings: Iterable[RecordingSummary]) -> Whole:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("recording", no_wrap=True)
    for column in ("begun (UTC)", "source", "turns", "calls", "flaws", "workflow", "agent", "feedback", "labels"):
        right = column in ("turns", "calls", "flaws")
        folds = column in ("agent", "feedback", "labels")
        table.add_column(column, overflow="fold", justify="right" if right else "left", no_wrap=not folds)
    for told in recordings:
        table.add_row(
            told.id,
            "" if told.begun is None else moment(told.begun)[:16],
            told.source.kind,
            str(told.turns),
            str(told.calls),
            str(told.flaws or ""),
            one_line(told.workflow or "", 30),
            one_line(told.agent or "", 40),
            "; ".join(map(feedback_text, told.feedback)),
            labels_text(told.labels),
        )
    return Whole(table, bare=("begun (UTC)", "source", "agent"))
