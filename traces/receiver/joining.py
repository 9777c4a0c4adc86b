"""What other processes tell of the traces that are begun here: gathered by trace, and waited for at its end."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic, time

from traces.dialects.common import CONVERSATION_IDS
from traces.log_record import LogRecord
from traces.receiver.joined import Joined, sizes
from traces.receiver.taking import Full, Records, Refused
from traces.span import Span

QUIET = 0.3
"""Seconds for which nothing has come: then nothing more is to be expected of those who have begun to send."""
DEADLINE = 10.0
"""Seconds that late spans are waited for at most: twice the pause between two batches of an exporter."""

_LOOK = 0.02
_ROOM = 2**29
"""Bytes of memory for what belongs to all open traces together."""
_STRAYS = 2**26
"""Bytes for what belongs to no open trace, but may turn out to: beyond that, the oldest traces are dropped."""
_LATE = 2**26
"""Bytes for what came late and nobody has taken yet: what is beyond that is refused."""
_REMEMBERED = 20_000
"""Ids of traces and conversations that are over, of which late spans are told apart from strangers."""

_SAMPLES = 20
_LEAST_PATIENCE = 1.0
_TIMES = 3


class Joining:
    """Takes what a receiver gets, for the traces that are open.

    A trace that the sender has begun itself joins by the conversation's id, where a span of it has that. `heard`:
    whether anything has come that joined; `late`: how many records came when their trace was over, by conversation;
    `strangers`: how many were of traces that nobody here has begun; `dropped`: how many of these are kept no longer.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: dict[str | None, Joined] = {}
        self._over: OrderedDict[str | None, str] = OrderedDict()
        self._strays: OrderedDict[str | None, Joined] = OrderedDict()
        self._tardy: dict[str, Joined] = {}
        self._held = self._astray = self._overdue = 0
        self._delays: deque[float] = deque(maxlen=10 * _SAMPLES)
        self.heard = False
        self.late: Counter[str] = Counter()
        self.strangers = 0
        self.dropped = 0

    @contextmanager
    def trace(self, trace_id: str, conversation: str) -> Iterator[Joined]:
        """A trace is open within the `with`, at the longest, and what names the conversation belongs to it."""
        joined = Joined(conversation)
        with self._lock:
            self._open[trace_id] = self._open[conversation] = joined
        try:
            yield joined
        finally:
            self.close(joined)

    def close(self, joined: Joined) -> None:
        """The trace is over: it holds all that was taken for it, and what comes from now on is late."""
        with self._lock:
            names = [name for name, other in self._open.items() if other is joined]
            for name in names:
                del self._open[name]
                self._is_over(name, joined.conversation)
            if names:
                self._held -= joined.size

    def take(self, records: Records) -> Refused | None:
        """Take the records of one request, in the receiver's thread. Raises Full."""
        measured = list(zip(records, sizes(records), strict=True))
        refused = 0
        with self._lock:
            for record in records:
                self._place(record)
            here = sum(size for record, size in measured if record.trace_id in self._open)
            if here and self._held + here > _ROOM:
                raise Full
            for record, size in measured:
                if (joined := self._open.get(record.trace_id)) is not None:
                    self._held += size
                    joined.add(record, size)
                    self.heard = True
                elif (conversation := self._over.get(record.trace_id)) is not None:
                    refused += not self._keep_late(conversation, record, size)
                else:
                    self._keep_stray(record, size)
            if spans := [record.end for record in records if isinstance(record, Span)]:
                self._delays.append(max(0.0, time() - min(spans) / 1e9))
        return Refused(refused, "what they belong to is over, and too much has come late") if refused else None

    def take_late(self) -> list[Joined]:
        """What has come when its trace was over, since this was last asked for: by conversation."""
        with self._lock:
            late, self._tardy, self._overdue = self._tardy, {}, 0
        return list(late.values())

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

    def _place(self, record: Span | LogRecord) -> None:
        """Let the trace of a record that names a conversation be of that from now on, with what of it came before."""
        trace = record.trace_id
        if trace is None or trace in self._open or trace in self._over:
            return
        for name in CONVERSATION_IDS:
            named = record.attributes.get(name)
            if not isinstance(named, str) or (named not in self._open and named not in self._over):
                continue
            before = self._strays.pop(trace, Joined())
            self._astray -= before.size
            if (joined := self._open.get(named)) is not None:
                self._open[trace] = joined
                joined.absorb(before)
                self._held += before.size
            else:
                self._is_over(trace, self._over[named])
                self._add_late(self._over[named], before)
            return

    def _keep_late(self, conversation: str, record: Span | LogRecord, size: int) -> bool:
        """Whether there is room for it. It is counted in any case."""
        if room := self._overdue + size <= _LATE:
            alone = Joined()
            alone.add(record, size)
            self._add_late(conversation, alone)
        else:
            self.late[conversation] += 1
        return room

    def _add_late(self, conversation: str, found: Joined) -> None:
        self.late[conversation] += len(found.records)
        self._tardy.setdefault(conversation, Joined(conversation)).absorb(found)
        self._overdue += found.size

    def _is_over(self, name: str | None, conversation: str) -> None:
        self._over[name] = conversation
        if len(self._over) > _REMEMBERED:
            self._over.popitem(last=False)

    def _keep_stray(self, record: Span | LogRecord, size: int) -> None:
        self.strangers += 1
        self._strays.setdefault(record.trace_id, Joined()).add(record, size)
        self._astray += size
        while self._astray > _STRAYS:
            _, oldest = self._strays.popitem(last=False)
            self._astray -= oldest.size
            self.dropped += len(oldest.records)
