"""Recordings in the store: each once, never rewritten, and none with a credential in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, select

from harness.model.recording import Recording
from harness.store.codec import decode
from harness.store.problem import StoreProblem
from harness.store.queries import starts_with
from harness.store.recording_rows import RecordingSummary, recording_row, summary_of_row
from harness.store.recording_tables import recordings
from harness.store.secret_places import secret_places
from harness.store.statements import insert_new

RecordingFate = Literal["new", "known", "differs"]
"""What became of a recording. `differs`: another one is stored under its id, and stays as it is."""

_PAGE = 200
_DIGEST = (recordings.c.id, recordings.c.digest)
_FIGURES = [column for column in recordings.c if column.name != "document"]


class Recordings:
    """The recordings of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Callable[..., AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction

    def save(self, arrivals: Iterable[Recording]) -> list[RecordingFate]:
        """Store recordings, all or none of these; gives what became of each. What is there is never rewritten.

        Raises StoreProblem for a recording in which a credential remains; see `secret_places`.
        """
        now = datetime.now(UTC).isoformat()
        rows = []
        for recording in arrivals:
            if places := secret_places(recording):
                raise StoreProblem(f"{recording.id} is not stored: a secret remains at {', '.join(places[:5])}")
            rows.append(recording_row(recording, now))
        with self._transaction(writes=True) as connection:
            new = {row.id for row in insert_new(connection, recordings, rows, "id")}
            known = _digests(connection, [row["id"] for row in rows])
        return [_fate(row, new, known) for row in rows]

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
        """The recording of that id, else those whose ids begin so, at most a page of them."""
        exact = list(self.all(recordings.c.id == name))
        return exact or list(islice(self.all(starts_with(recordings.c.id, name)), _PAGE))

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


def _digests(connection: Connection, ids: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for first in range(0, len(ids), _PAGE):
        some = recordings.c.id.in_(ids[first : first + _PAGE])
        found |= {row.id: row.digest for row in connection.execute(select(*_DIGEST).where(some))}
    return found


def _fate(row: dict[str, Any], new: set[str], known: dict[str, str]) -> RecordingFate:
    if row["id"] in new:
        new.discard(row["id"])  # a second one of that id came with it
        return "new"
    return "known" if known[row["id"]] == row["digest"] else "differs"
