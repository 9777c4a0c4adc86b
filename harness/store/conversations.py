"""Imported conversations in the store: each once, whatever files it came from and however late parts of it come."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, String, and_, bindparam, delete, or_, select, type_coerce, update

from harness.store.codec import decode, encode
from harness.store.conversation_records import Imported, Source, Telemetry
from harness.store.conversation_rows import (
    Values,
    conversation_row,
    id_of,
    identity_of,
    imported_of,
    name_of,
    services_of,
    sources_of,
    telemetry_of,
)
from harness.store.conversation_tables import conversation_traces, conversations
from harness.store.problem import StoreProblem
from harness.store.queries import starts_with
from harness.store.statements import insert
from harness.store.tables import Json, written
from traces.conversation import Conversation

Fate = Literal["new", "updated", "unchanged", "homeless"]
Transaction = Callable[..., AbstractContextManager[Connection]]

_PAGE = 200
_MANY_TRACES = 500


@dataclass(frozen=True, slots=True)
class Arrival:
    """A conversation that came in, and from where."""

    conversation: Conversation
    sources: tuple[Source, ...]


class Conversations:
    """The imported conversations of a store. `transaction` opens one of its transactions."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def save(self, arrivals: Iterable[Arrival]) -> Counter[Fate]:
        """Store conversations, all or none of these; gives what became of how many.

        What belongs to a conversation that is there already (by the id that the same application gave, or by a trace)
        is put together with it and read anew. What was there already changes nothing. Log records that tell of no turn
        are only put to others: `homeless` if there are none.
        """
        now = datetime.now(UTC).isoformat()
        with self._transaction(writes=True) as connection:
            if connection.dialect.name == "postgresql":  # where writers don't take turns by themselves
                connection.exec_driver_sql("lock table conversations in share row exclusive mode")
            return Counter(_save(connection, arrival, now) for arrival in arrivals)

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
        a trace begins so.
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
            rows = connection.execute(select(*_FIGURES).where(fits).order_by(*_LATEST_FIRST).limit(_PAGE)).all()
        return [imported_of(row) for row in rows]


_TYPED = re.compile(r"[\w-]+", re.ASCII)
"""What ids of the store and of traces are made of."""
_FIGURES = [column for column in conversations.c if column.name != "document"]
_NONE = bindparam("none", None, Json)
"""In a column of JSON values, where it is one of them."""
_LATEST_FIRST = (conversations.c.started.desc(), conversations.c.pk.desc())


def _after(last: Row[Any]) -> ColumnElement[bool]:
    same = and_(conversations.c.started == last.started, conversations.c.pk < last.pk)
    return or_(conversations.c.started < last.started, same)


def _save(connection: Connection, arrival: Arrival, now: str) -> Fate:
    came = arrival.conversation
    known = _related(connection, came)
    if not known and not came.turns and not came.spans:
        return "homeless"
    if not known:
        _insert(connection, came, conversation_row(id_of(came), came, identity_of(came.id), arrival.sources, now))
        return "new"
    from traces.reading import conversations as read  # every dialect, which a store of episodes has no use for

    # As it would be stored, credentials masked: else what comes twice would differ from itself.
    parts = [decode(Telemetry, encode(telemetry_of(came))), *(decode(Telemetry, row.document) for row in known)]
    found = read((span for part in parts for span in part.spans), (log for part in parts for log in part.logs))
    told = {name_of(came): identity_of(came.id), **{row.conversation: row.identity for row in known}}
    whose = [told.get(name_of(one)) for one in found]
    if len(known) == len(found) == 1:
        names = [known[0].id]
    else:
        names = [id_of(one, identity) for one, identity in zip(found, whose, strict=True)]
    sources = tuple(dict.fromkeys([*(source for row in known for source in sources_of(row)), *arrival.sources]))
    rows = [
        conversation_row(name, one, identity, sources, now)
        for name, one, identity in zip(names, found, whose, strict=True)
    ]
    if {row["digest"] for row in rows} == {row.digest for row in known}:
        same = update(conversations).where(conversations.c.pk.in_([row.pk for row in known]))
        connection.execute(same.values(sources=rows[0]["sources"]))
        return "unchanged"
    connection.execute(delete(conversations).where(conversations.c.pk.in_([row.pk for row in known])))
    for one, row in zip(found, rows, strict=True):
        _insert(connection, one, row)
    return "updated"


def _related(connection: Connection, came: Conversation) -> Sequence[Row[Any]]:
    """What is stored of this conversation. Those of other ids in the same trace are conversations of their own."""
    found: dict[int, Row[Any]] = {}
    among: list[ColumnElement[bool]] = []
    if came.id is not None:
        named = select(conversations).where(conversations.c.identity == identity_of(came.id))
        found = {row.pk: row for row in _of_application(connection.execute(named).all(), came)}
        # By the masked name too: so it comes where it is imported from an export.
        among = [or_(conversations.c.conversation == _NONE, conversations.c.conversation == name_of(came))]
    for first in range(0, len(came.trace_ids), _MANY_TRACES):
        some = came.trace_ids[first : first + _MANY_TRACES]
        sharing = select(conversation_traces.c.conversation).where(conversation_traces.c.trace.in_(some))
        query = select(conversations).where(conversations.c.pk.in_(sharing), *among)
        found.update((row.pk, row) for row in connection.execute(query))
    return [found[pk] for pk in sorted(found)]


def _of_application(named: Sequence[Row[Any]], came: Conversation) -> Sequence[Row[Any]]:
    """Of the conversations of an id those that an application tells of which tells of this one too. What holds no spans
    may come from elsewhere, if there is but one that it can be about.
    """
    services = services_of(came)
    same = [row for row in named if not services.isdisjoint(row.services)]
    return named if not same and not came.spans and len(named) == 1 else same


def _insert(connection: Connection, one: Conversation, row: Values) -> None:
    pk = connection.execute(conversations.insert().returning(conversations.c.pk), [row]).scalar_one()
    insert(connection, conversation_traces, ({"trace": trace, "conversation": pk} for trace in one.trace_ids))
