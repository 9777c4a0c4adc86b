"""Telemetry in any order, given back by conversation, with no more than one of them in memory.

The spans of a conversation may be anywhere in a file and in many traces. So they are first laid down in a temporary
database, with the keys by which traces belong together; then the traces that share keys are taken out, group by group.
What no key tells may be found in the traces themselves before that: they can be read one by one, and be joined.
"""

from __future__ import annotations

import marshal
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter, itemgetter
from types import TracebackType
from typing import Any, Self

from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span, SpanEvent

Keys = Callable[[Span | LogRecord], Iterable[str]]
"""The keys of a span or log record: traces that share one are to be seen together.

A group may be of more than one conversation all the same: keys may be shared by chance, or their hashes equal.
"""

BATCH = 512
"""Records that are held back, so that those of one trace are laid down together."""

_OPEN = """
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -16384;
CREATE TABLE piece (trace INTEGER NOT NULL, started INTEGER NOT NULL, of_spans INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE link (key INTEGER NOT NULL, trace INTEGER NOT NULL);
"""
_TRACES = """
CREATE INDEX piece_of_trace ON piece (trace, started);
CREATE TABLE trace (no INTEGER PRIMARY KEY, id INTEGER UNIQUE NOT NULL, keyed INTEGER NOT NULL);
INSERT INTO trace (id, keyed)
    SELECT trace, trace IN (SELECT trace FROM link) FROM piece GROUP BY trace ORDER BY min(started), trace;
CREATE TABLE member (no INTEGER PRIMARY KEY, head INTEGER NOT NULL, trace INTEGER NOT NULL);
"""
_LINKS = "SELECT link.key, trace.no FROM link JOIN trace ON trace.id = link.trace ORDER BY link.key"
_ALONE = """
SELECT trace.no, piece.of_spans, piece.data FROM trace CROSS JOIN piece ON piece.trace = trace.id
WHERE trace.keyed = ? ORDER BY trace.no
"""
_GROUPS = """
SELECT member.head, piece.of_spans, piece.data FROM member CROSS JOIN trace ON trace.no = member.trace
CROSS JOIN piece ON piece.trace = trace.id ORDER BY member.no
"""
_OF_SPAN, _OF_EVENT, _OF_LOG = ([field.name for field in fields(kind)] for kind in (Span, SpanEvent, LogRecord))
_SPAN, _EVENT, _LOG = attrgetter(*_OF_SPAN), attrgetter(*_OF_EVENT), attrgetter(*_OF_LOG)
_EVENTS, _START, _TIME = _OF_SPAN.index("events"), attrgetter("start"), attrgetter("time")
_LATEST = 2**63 - 1

_Records = list[Any]
"""Spans, or log records, of one trace."""


@dataclass(frozen=True, slots=True)
class Group:
    """What is to be seen together: traces that share keys. Each span and log record once, in order of time."""

    spans: list[Span]
    logs: list[LogRecord]


class Spool:
    """Takes spans and log records in any order and gives them back in groups; a context manager.

    A group is all that hangs together by trace ids and by the keys that the caller's function gives, be it through
    other traces. Log records outside of any trace join by their keys, else each is a group of its own. In memory: one
    group, BATCH records, some 20 MiB, and some 60 bytes for each trace; the rest is in a temporary file that SQLite
    removes by itself. OSError where there is no room for that.
    """

    def __init__(self, keys: Keys, batch: int = BATCH) -> None:
        self._keys, self._batch, self._count = keys, batch, 0
        self._spans: dict[str, list[Span]] = {}
        self._logs: dict[str, list[LogRecord]] = {}
        self._links: set[tuple[str, str]] = set()
        self._heads = array("q")
        self._db = sqlite3.connect("")  # a private file, in memory as long as it is small
        self._db.executescript(_OPEN)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary file."""
        self._db.close()

    def add(self, record: Span | LogRecord) -> None:
        """Take one."""
        if isinstance(record, Span):
            trace = record.trace_id
            if (spans := self._spans.get(trace)) is None:
                self._spans[trace] = [record]
            else:
                spans.append(record)
        else:
            trace = record.trace_id or repr(record)
            self._logs.setdefault(trace, []).append(record)
        for key in self._keys(record):
            self._links.add((key, trace))
        self._count += 1
        if self._count >= self._batch:
            with room():
                self._lay_down()

    def traces(self, keyed: bool) -> Iterator[tuple[int, Group]]:
        """The traces with keys, or those without, one by one, once all is in; with the numbers to join them by."""
        self._settle()
        for number, pieces in groupby(self._db.execute(_ALONE, (keyed,)), key=itemgetter(0)):
            yield number, _group(pieces)

    def head(self, trace: int) -> int:
        """The number of the first trace of the group that this one is in, as far as is known."""
        heads = self._heads
        while heads[trace] != trace:
            heads[trace] = trace = heads[heads[trace]]
        return trace

    def join(self, one: int, other: int) -> None:
        """Make one group of those of two traces."""
        first, second = sorted((self.head(one), self.head(other)))
        self._heads[second] = first

    def groups(self) -> Iterator[Group]:
        """The groups, once all is in, by their first span; the order in which it all came changes nothing."""
        self._settle()
        heads = [self.head(trace) for trace in range(len(self._heads))]
        together = sorted(range(1, len(heads)), key=heads.__getitem__)
        with room():
            members = ((heads[trace], trace) for trace in together)
            self._db.executemany("INSERT INTO member (head, trace) VALUES (?, ?)", members)
        for _, pieces in groupby(self._db.execute(_GROUPS), key=itemgetter(0)):
            yield _group(pieces)

    def _settle(self) -> None:
        """Numbers the traces from 1, by their first spans, and joins those that share keys."""
        if self._heads:
            return
        with room():
            self._lay_down()
            self._db.executescript(_TRACES)
            (count,) = self._db.execute("SELECT count(*) FROM trace").fetchone()
            self._heads = array("q", range(count + 1))
            last, first = None, 0
            for key, trace in self._db.execute(_LINKS):
                if key == last:
                    self.join(first, trace)
                else:
                    last, first = key, trace

    def _lay_down(self) -> None:
        pieces = [
            (_number(trace), min(_LATEST, *[time(record) for record in records]), of_spans, _written(records))
            for of_spans, time, held in ((True, _START, self._spans), (False, _TIME, self._logs))
            for trace, records in held.items()
        ]
        links = [(hash(key), _number(trace)) for key, trace in self._links]
        self._db.executemany("INSERT INTO piece VALUES (?, ?, ?, ?)", pieces)
        self._db.executemany("INSERT INTO link VALUES (?, ?)", links)
        self._spans.clear()
        self._logs.clear()
        self._links.clear()
        self._count = 0


def _number(trace: str) -> int:
    """A trace's id in 63 bits: the last of its digits, which are the ones that are random; if it has others, a hash."""
    try:
        return int(trace, 16) & _LATEST
    except ValueError:
        return int.from_bytes(blake2b(trace.encode(errors="replace"), digest_size=8).digest()) & _LATEST


@contextmanager
def room() -> Iterator[None]:
    """Tells of a temporary database that can't be written as an OSError."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(f"no room for the telemetry in the folder for temporary files (TMPDIR): {error}") from error


def _group(pieces: Iterable[tuple[Any, ...]]) -> Group:
    spans: list[Span] = []
    logs: list[LogRecord] = []
    for _, of_spans, data in pieces:
        (spans if of_spans else logs).extend(_read(data, of_spans))
    return Group(distinct_spans(spans), distinct_logs(logs))


def _written(records: _Records) -> bytes:
    rows: list[tuple[Any, ...]] = []
    for record in records:
        if isinstance(record, Span):
            row = _SPAN(record)
            if record.events:
                row = (*row[:_EVENTS], tuple(map(_EVENT, record.events)), *row[_EVENTS + 1 :])
        else:
            row = _LOG(record)
        rows.append(row)
    return marshal.dumps(rows)


def _read(data: bytes, of_spans: bool) -> _Records:
    rows = marshal.loads(data)  # noqa: S302  # written above, by this very process
    if not of_spans:
        return [LogRecord(*row) for row in rows]
    return [Span(*(_with_events(row) if row[_EVENTS] else row)) for row in rows]


def _with_events(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*row[:_EVENTS], tuple([SpanEvent(*event) for event in row[_EVENTS]]), *row[_EVENTS + 1 :])
