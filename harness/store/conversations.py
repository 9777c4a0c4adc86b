"""Imported conversations in the store: each once, whatever files it came from and however late parts of it come."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, String, and_, or_, select, type_coerce

from harness.store.ambiguous import MOST
from harness.store.arrivals import Arrival, Fate, save, together
from harness.store.codec import decode
from harness.store.conversation_records import Imported, Telemetry
from harness.store.conversation_rows import identity_of, imported_of
from harness.store.conversation_tables import conversation_traces, conversations
from harness.store.problem import StoreProblem
from harness.store.queries import starts_with
from harness.store.tables import written

Transaction = Callable[..., AbstractContextManager[Connection]]

_PAGE = 200


class Conversations:
    """The imported conversations of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def save(self, arrivals: Iterable[Arrival]) -> Counter[Fate]:
        """Store conversations, all or none of these; gives what became of how many.

        What belongs to conversations that are there already (by the id that the same application gave, or by a trace)
        is put together with them and read anew. What was there already changes nothing. Log records that tell of no
        turn are only put to others; if there are none, they are kept until these come (`homeless`, then `awaited`).
        """
        now = datetime.now(UTC).isoformat()
        with self._transaction(writes=True) as connection:
            if connection.dialect.name == "postgresql":  # where writers don't take turns by themselves
                connection.exec_driver_sql("lock table conversations in share row exclusive mode")
            return Counter(fate for group in together(arrivals) for fate in save(connection, group, now))

    def all(self, since: float | None = None, until: float | None = None) -> Iterator[Imported]:
        """Those that began in that time (seconds since the epoch), the latest first, a few at a time in memory."""
        within: list[ColumnElement[bool]] = []
        if since is not None:
            within.append(conversations.c.started >= since)
        if until is not None:
            within.append(conversations.c.started < until)
        last: Row[Any] | None = None
        while True:
            query = select(*_FIGURES).where(*within, *([] if last is None else [_after(last)]))
            with self._transaction() as connection:
                rows = connection.execute(query.order_by(*_LATEST_FIRST).limit(_PAGE)).all()
            yield from map(imported_of, rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1]

    def matching(self, name: str) -> list[Imported]:
        """Those of that id of the application's, else the one of that id; else those of which one of these or the id of
        a trace begins so. At most `MOST`.
        """
        found = self._where(or_(conversations.c.conversation == name, conversations.c.identity == identity_of(name)))
        if found or not _TYPED.fullmatch(name):
            return found
        traces = select(conversation_traces.c.conversation).where(
            starts_with(conversation_traces.c.trace, name.lower())
        )
        return self._where(conversations.c.id == name) or self._where(
            or_(
                starts_with(conversations.c.id, name),
                starts_with(type_coerce(conversations.c.conversation, String), written(name)[:-1]),
                conversations.c.pk.in_(traces),
            )
        )

    def telemetry(self, name: str) -> Telemetry:
        """What the conversation of that id is read from."""
        with self._transaction() as connection:
            document = connection.execute(select(conversations.c.document).where(conversations.c.id == name)).scalar()
        if document is None:
            raise StoreProblem(f"there is no conversation {name}")
        return decode(Telemetry, document)

    def _where(self, fits: ColumnElement[bool]) -> list[Imported]:
        with self._transaction() as connection:
            rows = connection.execute(select(*_FIGURES).where(fits).order_by(*_LATEST_FIRST).limit(MOST)).all()
        return [imported_of(row) for row in rows]


_TYPED = re.compile(r"[\w-]+", re.ASCII)
"""What ids of the store and of traces are made of."""
_FIGURES = [column for column in conversations.c if column.name != "document"]
_LATEST_FIRST = (conversations.c.started.desc(), conversations.c.pk.desc())


def _after(last: Row[Any]) -> ColumnElement[bool]:
    same = and_(conversations.c.started == last.started, conversations.c.pk < last.pk)
    return or_(conversations.c.started < last.started, same)
