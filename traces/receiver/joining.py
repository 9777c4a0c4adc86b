"""What other processes tell of the traces that are begun here: gathered by trace, and waited for at its end."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from time import monotonic, time

from traces.dialects.common import CONVERSATION_IDS
from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.receiver.inbox import Full, Records, Refused
from traces.span import Span

QUIET = 0.3
"""Seconds for which nothing has come: then nothing more is to be expected of those who have begun to send."""
DEADLINE = 10.0
"""Seconds that late spans are waited for at most: twice the pause between two batches of an exporter."""

_LOOK = 0.02
_ROOM = 200_000
"""Spans and log records of all open traces together."""
_STRAYS = 20_000
"""Those that belong to no open trace, but may turn out to."""
_REMEMBERED = 10_000
"""Traces that are over, of which late spans are told apart from strangers."""

_OURS = "turngate."
"""Marks that begin so are set by turngate alone: another process can't say of itself what they say."""

_SAMPLES = 20
_LEAST_PATIENCE = 1.0
_TIMES = 3


class Joined:
    """What has come for one trace so far. `latest`: when, by the monotonic clock; `parents`: the spans that spans of it
    are directly below.
    """

    def __init__(self) -> None:
        self.records: list[Span | LogRecord] = []
        self.latest: float | None = None
        self.parents: set[str | None] = set()

    @property
    def spans(self) -> list[Span]:
        """The spans, each once."""
        return distinct_spans([record for record in self.records if isinstance(record, Span)])

    @property
    def logs(self) -> list[LogRecord]:
        """The log records, each once."""
        return distinct_logs([record for record in self.records if isinstance(record, LogRecord)])

    def add(self, record: Span | LogRecord) -> None:
        """Take one."""
        if any(name.startswith(_OURS) for name in record.attributes):
            told = {name: value for name, value in record.attributes.items() if not name.startswith(_OURS)}
            record = replace(record, attributes=told)
        self.records.append(record)
        self.latest = monotonic()
        if isinstance(record, Span):
            self.parents.add(record.parent_id)


class Joining:
    """Takes what a receiver gets, for the traces that are open.

    A trace that the sender has begun itself joins by the conversation's id, where a span of it has that. `heard`:
    whether anything has come that joined; `late`: how many records came when their trace was over; `strangers`: how
    many were of traces that nobody here has begun.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._traces: dict[str | None, Joined] = {}
        self._conversations: dict[str, Joined] = {}
        self._strays: OrderedDict[str | None, list[Span | LogRecord]] = OrderedDict()
        self._over: OrderedDict[str | None, None] = OrderedDict()
        self._held = self._astray = 0
        self._delays: deque[float] = deque(maxlen=10 * _SAMPLES)
        self.heard = False
        self.late = 0
        self.strangers = 0

    @contextmanager
    def trace(self, trace_id: str, conversation: str) -> Iterator[Joined]:
        """A trace is open within the `with`, and spans that name the conversation belong to it."""
        joined = Joined()
        with self._lock:
            self._traces[trace_id] = self._conversations[conversation] = joined
        try:
            yield joined
        finally:
            with self._lock:
                del self._conversations[conversation]
                for each in [each for each, other in self._traces.items() if other is joined]:
                    del self._traces[each]
                    self._over[each] = None
                while len(self._over) > _REMEMBERED:
                    self._over.popitem(last=False)
                self._held -= len(joined.records)

    def take(self, records: Records) -> Refused | None:
        """Take the records of one request, in the receiver's thread. Raises Full."""
        late = 0
        with self._lock:
            if self._held + len(records) > _ROOM:
                raise Full
            for record in records:
                if (joined := self._of(record)) is not None:
                    self._join(joined, record)
                elif record.trace_id in self._over:
                    late += 1
                else:
                    self._keep_stray(record)
            self.late += late
            if spans := [record.end for record in records if isinstance(record, Span)]:
                self._delays.append(max(0.0, time() - min(spans) / 1e9))
        return Refused(late, "what they belong to is over: spans are waited for, but not for ever") if late else None

    async def settle(self, joined: Joined, asked: Collection[str]) -> None:
        """Wait for what is still to come for a trace: until all the spans of ours that were `asked` below, by their
        ids, have one below them and nothing more has come for a while; or for as long as experience tells.
        """
        began = monotonic()
        while not self._settled(joined, asked, monotonic() - began):
            await asyncio.sleep(_LOOK)

    def _settled(self, joined: Joined, asked: Collection[str], waited: float) -> bool:
        if waited >= DEADLINE:
            return True
        with self._lock:
            silent = None if joined.latest is None else monotonic() - joined.latest
            if silent is not None and silent < QUIET:
                return False
            return (silent is not None and joined.parents.issuperset(asked)) or waited >= self._patience()

    def _patience(self) -> float:
        """Seconds that it makes sense to wait for spans that may never come. Exporters send in batches, be it every
        five seconds; how long after its end a span comes at the worst shows after a while.
        """
        if len(self._delays) < _SAMPLES:
            return DEADLINE
        return min(DEADLINE, max(_LEAST_PATIENCE, _TIMES * max(self._delays)))

    def _of(self, record: Span | LogRecord) -> Joined | None:
        """The open trace that it belongs to; its whole trace does from then on."""
        joined = self._traces.get(record.trace_id)
        if joined is None and record.trace_id is not None and (joined := self._named(record)) is not None:
            self._traces[record.trace_id] = joined
            held = self._strays.pop(record.trace_id, [])
            self._astray -= len(held)
            for stray in held:
                self._join(joined, stray)
        return joined

    def _named(self, record: Span | LogRecord) -> Joined | None:
        given = record.attributes
        for name in CONVERSATION_IDS:
            if name in given and isinstance(given[name], str):
                joined = self._conversations.get(given[name])
                if joined is not None:
                    return joined
        return None

    def _join(self, joined: Joined, record: Span | LogRecord) -> None:
        joined.add(record)
        self._held += 1
        self.heard = True

    def _keep_stray(self, record: Span | LogRecord) -> None:
        self.strangers += 1
        self._strays.setdefault(record.trace_id, []).append(record)
        self._astray += 1
        while self._astray > _STRAYS:
            self._astray -= len(self._strays.popitem(last=False)[1])
