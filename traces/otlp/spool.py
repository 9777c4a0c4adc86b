"""Telemetry in any order, given back by conversation, with no more than one of them in memory.

The spans of a conversation may be anywhere in a file and in many traces. So they are first laid down in a temporary
database, with the keys by which traces belong together; then the traces that share keys are taken out, group by group.
"""

from __future__ import annotations

import marshal
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import Any, Self

from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span, SpanEvent

Keys = Callable[[Span | LogRecord], Iterable[str]]
"""The keys of a span or log record: traces that share one are to be seen together. Most have none."""

BUFFER = 8 * 2**20
"""Bytes that are held back before they go to the database, so that the spans of a trace lie together in it."""

_LATEST = 2**63 - 1
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE trace (no INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, started INTEGER NOT NULL);
CREATE TABLE piece (trace INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE key (name BLOB NOT NULL, trace INTEGER NOT NULL, PRIMARY KEY (name, trace)) WITHOUT ROWID;
"""
_ADD_TRACE = """
INSERT INTO trace (id, started) VALUES (?, ?)
ON CONFLICT (id) DO UPDATE SET started = min(started, excluded.started) RETURNING no
"""


@dataclass(frozen=True, slots=True)
class Group:
    """What is to be seen together: traces that share keys. Each span and log record once, in order of time."""

    spans: list[Span]
    logs: list[LogRecord]


@dataclass(slots=True)
class _Pending:
    """What came of one trace since it was last laid down."""

    started: int = _LATEST
    records: list[bytes] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


class Spool:
    """Takes spans and log records in any order and gives them back in groups; a context manager.

    A group is all that hangs together by trace ids and by the keys that the caller's function gives, be it through
    other traces. Log records outside of any trace join by their keys, else each is a group of its own. In memory: one
    group, some 16 MiB, and some 60 bytes for each trace; the rest is in a temporary file that SQLite removes by itself.
    """

    def __init__(self, keys: Keys, buffer: int = BUFFER) -> None:
        self._keys, self._buffer = keys, buffer
        self._pending: dict[str, _Pending] = {}
        self._held = 0
        self._resource: tuple[dict[str, Any], bytes] = ({}, marshal.dumps({}))
        self._db = sqlite3.connect("")  # a private file, in memory as long as it is small
        self._db.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary file."""
        self._db.close()

    def add(self, record: Span | LogRecord) -> None:
        """Take one. OSError if there is no room for it."""
        if self._resource[0] is not record.resource:
            self._resource = (record.resource, marshal.dumps(record.resource))
        packed = marshal.dumps(_row(record, self._resource[1]))
        trace = record.trace_id
        if trace is None:
            trace = f"log {blake2b(packed, digest_size=16).hexdigest()}"
        if (pending := self._pending.get(trace)) is None:
            pending = self._pending[trace] = _Pending()
        pending.records.append(packed)
        pending.keys.update(self._keys(record))
        pending.started = min(pending.started, record.start if isinstance(record, Span) else record.time)
        self._held += len(packed)
        if self._held > self._buffer:
            self._lay_down()

    def groups(self) -> Iterator[Group]:
        """The groups, in order of their first span; within it and among them the order of arrival changes nothing."""
        self._lay_down()
        self._db.execute("CREATE INDEX IF NOT EXISTS piece_of_trace ON piece (trace)")
        order = array("q", map(itemgetter(0), self._db.execute("SELECT no FROM trace ORDER BY started, id")))
        heads = self._heads(order)
        for _, members in groupby(sorted(range(len(order)), key=heads.__getitem__), key=heads.__getitem__):
            yield self._group(order[member] for member in members)

    def _lay_down(self) -> None:
        try:
            for trace, pending in self._pending.items():
                (number,) = self._db.execute(_ADD_TRACE, (trace, pending.started)).fetchone()
                self._db.execute("INSERT INTO piece VALUES (?, ?)", (number, marshal.dumps(pending.records)))
                named = ((_digest(key), number) for key in pending.keys)
                self._db.executemany("INSERT OR IGNORE INTO key VALUES (?, ?)", named)
        except sqlite3.Error as error:
            raise OSError(f"no room for the telemetry in the folder for temporary files (TMPDIR): {error}") from error
        self._pending.clear()
        self._held = 0

    def _heads(self, order: array[int]) -> array[int]:
        """For each trace, by its place in the order, the place of the first trace that it hangs together with."""
        places = array("q", bytes(8 * (len(order) + 1)))
        for place, number in enumerate(order):
            places[number] = place
        heads = array("q", range(len(order)))

        def head(place: int) -> int:
            while heads[place] != place:
                heads[place] = heads[heads[place]]
                place = heads[place]
            return place

        last, first = None, 0
        for key, number in self._db.execute("SELECT name, trace FROM key ORDER BY name"):
            place = head(places[number])
            if key == last:
                first, place = sorted((head(first), place))
                heads[place] = first
            else:
                last, first = key, place
        for place in range(len(heads)):
            heads[place] = head(place)
        return heads

    def _group(self, traces: Iterable[int]) -> Group:
        resources: dict[bytes, dict[str, Any]] = {}
        spans: list[Span] = []
        logs: list[LogRecord] = []
        for trace in traces:
            for (data,) in self._db.execute("SELECT data FROM piece WHERE trace = ?", (trace,)):
                for packed in marshal.loads(data):  # noqa: S302  # written above, by this very process
                    record = _record(marshal.loads(packed), resources)  # noqa: S302
                    if isinstance(record, Span):
                        spans.append(record)
                    else:
                        logs.append(record)
        return Group(distinct_spans(spans), distinct_logs(logs))


def _digest(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _row(record: Span | LogRecord, resource: bytes) -> tuple[Any, ...]:
    if isinstance(record, Span):
        span = record
        named = (span.trace_id, span.span_id, span.parent_id, span.name, span.kind, span.start, span.end)
        events = [(event.name, event.time, event.attributes) for event in span.events]
        ending = (span.status, span.status_text, span.scope, span.links, span.dropped)
        return (True, resource, named, span.attributes, events, ending)
    log = record
    return (
        False,
        resource,
        log.trace_id,
        log.span_id,
        log.time,
        log.name,
        log.body,
        log.attributes,
        log.severity,
        log.scope,
    )


def _record(row: tuple[Any, ...], resources: dict[bytes, dict[str, Any]]) -> Span | LogRecord:
    of_span, packed, *held = row
    if (resource := resources.get(packed)) is None:
        resource = resources[packed] = marshal.loads(packed)  # noqa: S302
    if of_span:
        (trace, span, parent, name, kind, start, end), attributes, events, (status, text, scope, links, dropped) = held
        happened = tuple([SpanEvent(*event) for event in events])
        return Span(
            trace,
            span,
            parent,
            name,
            kind,
            start,
            end,
            attributes,
            happened,
            status,
            text,
            scope,
            resource,
            links,
            dropped,
        )
    trace, span, time, name, body, attributes, severity, scope = held
    return LogRecord(trace, span, time, name, body, attributes, resource, severity, scope)
