"""Where what is received goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from time import monotonic

from traces.identity import distinct_spans
from traces.log_record import LogRecord
from traces.span import Span

Records = Sequence[Span | LogRecord]


class Full(Exception):
    """There is no room now: the sender is to keep what it has, and send it again after so many `seconds`."""

    def __init__(self, seconds: int = 1) -> None:
        super().__init__(f"the inbox is full; send it again in {seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Refused:
    """How many spans or log records of a request are not taken, and will not be if they are sent again, and why."""

    count: int
    why: str


Take = Callable[[Records], Refused | None]
"""Takes the records of one request, all at once, in the receiver's thread: once it returns, they are safe.

Raises Full, having taken none, and OSError where they can't be kept.
"""


class Inbox:
    """Keeps what comes in memory, by trace, until it is fetched: at most `room` spans and log records at a time."""

    def __init__(self, room: int = 100_000) -> None:
        self._room = room
        self._held = 0
        self._traces: dict[str | None, list[Span | LogRecord]] = {}
        self._latest: dict[str | None, float] = {}
        self._change = Condition()

    def take(self, records: Records) -> None:
        """Take the records of one request. Raises Full."""
        with self._change:
            if self._held + len(records) > self._room:
                raise Full
            self._held += len(records)
            for record in records:
                self._traces.setdefault(record.trace_id, []).append(record)
                self._latest[record.trace_id] = monotonic()
            self._change.notify_all()

    def wait(self, trace_id: str, quiet: float = 0.3, deadline: float = 10.0) -> list[Span | LogRecord]:
        """Fetch what belongs to a trace, once nothing more of it has come for `quiet` seconds, or after `deadline`
        seconds at the latest. A trace has no end marker: that nothing comes is all there is to tell by.
        """
        until = monotonic() + deadline
        with self._change:
            while (left := min(until, self._latest.get(trace_id, until) + quiet) - monotonic()) > 0:
                self._change.wait(left)
            return self._fetch([trace_id])

    def fetch(self) -> list[Span | LogRecord]:
        """Fetch all there is."""
        with self._change:
            return self._fetch(list(self._traces))

    def _fetch(self, traces: list[str | None]) -> list[Span | LogRecord]:
        found = [record for trace in traces for record in self._traces.pop(trace, ())]
        for trace in traces:
            self._latest.pop(trace, None)
        self._held -= len(found)
        spans = distinct_spans(record for record in found if isinstance(record, Span))
        return [*spans, *(record for record in found if isinstance(record, LogRecord))]
