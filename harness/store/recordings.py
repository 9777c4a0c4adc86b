"""Recordings in the store: each once, its conversation never rewritten, and none with a credential in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Literal

from sqlalchemy import ColumnElement, Connection, select, update

from harness.model.recording import Recording
from harness.store.ambiguous import MOST
from harness.store.codec import decode
from harness.store.problem import StoreProblem
from harness.store.queries import starts_with
from harness.store.recording_rows import RecordingSummary, recording_row, summary_of_row
from harness.store.recording_tables import recordings
from harness.store.rows import Values
from harness.store.secret_places import secret_places
from harness.store.statements import insert_new

RecordingFate = Literal["new", "known", "updated", "differs"]
"""What became of a recording. `updated`: it was there, with other feedback or labels, or of no workflow. `differs`:
another conversation is stored under its id, and stays as it is.
"""

_PAGE = 200
_SAID = (recordings.c.workflow, recordings.c.feedback, recordings.c.labels)
"""What is said of a conversation, and may be said anew."""
_FIGURES = [column for column in recordings.c if column.name != "document"]


class Recordings:
    """The recordings of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def save(self, arrivals: Iterable[Recording]) -> list[RecordingFate]:
        """Store recordings, all or none of these; gives what became of each. A conversation that is there is never
        rewritten; which workflow it is of, feedback and labels become as they come now.

        Raises StoreProblem for a recording in which a credential remains; see `secret_places`.
        """
        now = datetime.now(UTC).isoformat()
        found = list(arrivals)
        for recording in found:
            if places := secret_places(recording):
                raise StoreProblem(f"{recording.id} is not stored: a secret remains at {', '.join(places[:5])}")
        rows = [recording_row(recording, now) for recording in found]
        with self._transaction(writes=True) as connection:
            new = {row.id for row in insert_new(connection, recordings, rows, "id")}
            return [_fate(connection, each, row, new) for each, row in zip(found, rows, strict=True)]

    def all(self, *fits: ColumnElement[bool]) -> Iterator[RecordingSummary]:
        """The figures of every recording, the last to come first, a few at a time in memory."""
        last: int | None = None
        while True:
            query = select(*_FIGURES).where(*fits, *([] if last is None else [recordings.c.pk < last]))
            with self._transaction() as connection:
                rows = connection.execute(query.order_by(recordings.c.pk.desc()).limit(_PAGE)).all()
            yield from map(summary_of_row, rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1].pk

    def matching(self, name: str) -> list[RecordingSummary]:
        """The recording of that id, else those whose ids begin so, at most `MOST` of them."""
        exact = list(self.all(recordings.c.id == name))
        return exact or list(islice(self.all(starts_with(recordings.c.id, name)), MOST))

    def read(self, ids: Iterable[str]) -> Iterator[Recording]:
        """The recordings of these ids, in their order, a few at a time in memory. Raises StoreProblem for one that is
        not there.
        """
        waiting = iter(ids)
        while some := list(islice(waiting, _PAGE)):
            query = select(recordings.c.id, recordings.c.document).where(recordings.c.id.in_(some))
            with self._transaction() as connection:
                found = {row.id: row.document for row in connection.execute(query)}
            for name in some:
                if name not in found:
                    raise StoreProblem(f"there is no recording {name}")
                yield decode(Recording, found[name])


def _fate(connection: Connection, recording: Recording, row: Values, new: set[str]) -> RecordingFate:
    if recording.id in new:
        new.discard(recording.id)  # a second one of that id may have come with it
        return "new"
    there = recordings.c.id == recording.id
    known = connection.execute(select(recordings.c.digest, *_SAID).where(there)).one()
    if known.digest != row["digest"]:
        return "differs"
    workflow = recording.workflow or known.workflow
    if (workflow, row["feedback"], row["labels"]) == (known.workflow, known.feedback, known.labels):
        return "known"
    row = recording_row(replace(recording, workflow=workflow), row["imported"])
    said = {column.name: row[column.name] for column in (*_SAID, recordings.c.document)}
    connection.execute(update(recordings).where(there).values(said))
    return "updated"
