"""Telemetry in any order, given back by conversation, with no more than one of them in memory.

The spans of a conversation may be anywhere in a file and in many traces. So they are first laid down in a temporary
file, and in a temporary database where they lie and by which keys traces belong together; then the traces that share
keys are taken out, cluster by cluster.
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
from itertools import chain, groupby, islice, starmap
from operator import attrgetter, itemgetter
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Self

from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span, SpanEvent

Keys = Callable[[Span | LogRecord], Iterable[str]]
"""The keys of a span or log record: traces that share one are to be seen together.

A cluster may be of more than one conversation all the same: keys may be shared by chance, or their hashes equal.
"""

BATCH = 512
"""Records that are held back, so that those of one trace are laid down together."""

_OPEN = """
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -16384;
CREATE TABLE piece (
    trace INTEGER NOT NULL, started INTEGER NOT NULL, of_spans INTEGER NOT NULL,
    at INTEGER NOT NULL, size INTEGER NOT NULL
);
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
_MEMBERS = """
SELECT member.head, member.trace, piece.of_spans, piece.at, piece.size
FROM member CROSS JOIN trace ON trace.no = member.trace CROSS JOIN piece ON piece.trace = trace.id ORDER BY member.no
"""
_OF_SPAN, _OF_EVENT, _OF_LOG = ([field.name for field in fields(kind)] for kind in (Span, SpanEvent, LogRecord))
_SPAN, _EVENT, _LOG = attrgetter(*_OF_SPAN), attrgetter(*_OF_EVENT), attrgetter(*_OF_LOG)
_AT = _OF_SPAN.index("events")
_EVENTS, _START, _TIME = itemgetter(_AT), itemgetter(_OF_SPAN.index("start")), itemgetter(_OF_LOG.index("time"))
_LATEST = 2**63 - 1

_Row = tuple[Any, ...]
"""The fields of a span or log record."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What is to be seen together: traces that share keys. Each span and log record once, in order of time.

    `traces`: their numbers.
    """

    spans: list[Span]
    logs: list[LogRecord]
    traces: tuple[int, ...]


class Spool:
    """Takes spans and log records in any order and gives them back in clusters; a context manager.

    A cluster is all that hangs together by trace ids and by the keys that the caller's function gives, be it through
    other traces. Log records outside of any trace join by their keys, else each is a cluster of its own. In memory: one
    cluster, BATCH records, some 20 MiB, and some 60 bytes for each trace; the rest is in temporary files that go by
    themselves. OSError where there is no room for those.
    """

    def __init__(self, keys: Keys, batch: int = BATCH) -> None:
        self._keys, self._batch = keys, batch
        self._held: list[Span | LogRecord] = []
        self._heads = array("q")
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115  # closed with the spool
        self._end = 0
        self._db = sqlite3.connect("")  # a private file, in memory as long as it is small
        self._db.executescript(_OPEN)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary files."""
        self._db.close()
        self._file.close()

    def add(self, record: Span | LogRecord) -> None:
        """Take one."""
        self._held.append(record)
        if len(self._held) >= self._batch:
            with room():
                self._lay_down()

    def extend(self, records: Iterable[Span | LogRecord]) -> None:
        """Take many."""
        rest = iter(records)
        while some := list(islice(rest, self._batch)):
            self._held += some
            if len(self._held) >= self._batch:
                with room():
                    self._lay_down()

    def numbers(self, keyed: bool) -> array[int]:
        """The numbers of the traces with keys, or of those without, once all is in."""
        self._settle()
        found = self._db.execute("SELECT no FROM trace WHERE keyed = ? ORDER BY no", (keyed,))
        return array("q", (number for (number,) in found))

    def traces(self, numbers: Iterable[int]) -> Iterator[Cluster]:
        """These traces, one by one."""
        return self._taken((number, number) for number in numbers)

    def head(self, trace: int) -> int:
        """The number of the first trace of the cluster that this one is in, as far as is known."""
        heads = self._heads
        while heads[trace] != trace:
            heads[trace] = trace = heads[heads[trace]]
        return trace

    def join(self, one: int, other: int) -> None:
        """Make one cluster of those of two traces."""
        first, second = sorted((self.head(one), self.head(other)))
        self._heads[second] = first

    def clusters(self, numbers: Iterable[int] | None = None) -> Iterator[Cluster]:
        """The clusters of these traces, else all of them, once all is in, by their first span.

        The order in which it all came changes nothing. Of each cluster all traces are to be named.
        """
        self._settle()
        heads = array("q", map(self.head, range(len(self._heads))))
        some = range(1, len(heads)) if numbers is None else sorted(numbers)
        return self._taken((heads[number], number) for number in sorted(some, key=heads.__getitem__))

    def _taken(self, members: Iterable[tuple[int, int]]) -> Iterator[Cluster]:
        """What these traces hold, those behind the same number together."""
        with room():
            self._db.execute("DELETE FROM member")
            self._db.executemany("INSERT INTO member (head, trace) VALUES (?, ?)", members)
        for _, pieces in groupby(self._db.execute(_MEMBERS), key=itemgetter(0)):
            yield self._cluster(pieces)

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
        """Writes down what is held back, what is of one trace in one piece."""
        spans = _by_trace([record for record in self._held if isinstance(record, Span)])
        logs = _by_trace([record for record in self._held if not isinstance(record, Span)])
        pieces: list[tuple[int, int, bool, int, int]] = []
        links: list[tuple[int, int]] = []
        written: list[bytes] = []
        for of_spans, fields_of, held in ((True, _SPAN, spans), (False, _LOG, logs)):
            for trace, records in held.items():
                number = _number(trace)
                links += [(hash(key), number) for key in set(chain.from_iterable(map(self._keys, records)))]
                rows = list(map(fields_of, records))
                if of_spans and any(map(_EVENTS, rows)):
                    rows = list(map(_without_events, rows))
                data = marshal.dumps(rows)
                started = min(_LATEST, *map(_START if of_spans else _TIME, rows))
                pieces.append((number, started, of_spans, self._end, len(data)))
                written.append(data)
                self._end += len(data)
        self._db.executemany("INSERT INTO piece VALUES (?, ?, ?, ?, ?)", pieces)
        self._db.executemany("INSERT INTO link VALUES (?, ?)", links)
        self._file.write(b"".join(written))
        if self._file.tell() < self._end:
            raise OSError("the disk is full")
        self._held.clear()

    def _cluster(self, pieces: Iterable[tuple[int, int, bool, int, int]]) -> Cluster:
        spans: list[Span] = []
        logs: list[LogRecord] = []
        traces: dict[int, None] = {}
        for _, trace, of_spans, at, size in pieces:
            traces[trace] = None
            self._file.seek(at)
            rows = marshal.loads(self._file.read(size))  # noqa: S302  # written above, by this very process
            if not of_spans:
                logs.extend(starmap(LogRecord, rows))
            else:
                spans.extend(starmap(Span, map(_with_events, rows) if any(map(_EVENTS, rows)) else rows))
        return Cluster(distinct_spans(spans), distinct_logs(logs), tuple(traces))


def _by_trace(records: Iterable[Span | LogRecord]) -> dict[str, list[Span | LogRecord]]:
    """The records by the ids of their traces."""
    found: dict[str, list[Span | LogRecord]] = {}
    for trace, some in groupby(records, key=_trace):
        found.setdefault(trace, []).extend(some)
    return found


def _trace(record: Span | LogRecord) -> str:
    """The id of a record's trace; what is of none stands for itself."""
    return record.trace_id or repr(record)


def _number(trace: str) -> int:
    """A trace's id in 63 bits: the last of its digits, which are the ones that are random; if it has others, a hash."""
    try:
        return int(trace, 16) & _LATEST
    except ValueError:
        return int.from_bytes(blake2b(trace.encode(errors="replace"), digest_size=8).digest()) & _LATEST


@contextmanager
def room() -> Iterator[None]:
    """Tells of temporary files that can't be written as an OSError that says where they are."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise OSError(f"no room for the telemetry in the folder for temporary files (TMPDIR): {error}") from error


def _without_events(row: _Row) -> _Row:
    """The row with its events as rows of their own."""
    return (*row[:_AT], tuple(map(_EVENT, row[_AT])), *row[_AT + 1 :])


def _with_events(row: _Row) -> _Row:
    return (*row[:_AT], tuple(starmap(SpanEvent, row[_AT])), *row[_AT + 1 :])
