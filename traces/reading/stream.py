"""Conversations out of any amount of telemetry, with a small part of it in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from traces.conversation import Conversation
from traces.log_record import LogRecord
from traces.otlp.spool import Group, Spool
from traces.reading.keys import keys
from traces.reading.read import conversations
from traces.span import Span

AT_ONCE = 2000
"""Spans that are read together at least, if there are so many: what no key ties together may still join by what it says
(a history that goes on, a tool call without its id)."""


def stream(records: Iterable[Span | LogRecord]) -> Iterator[Conversation]:
    """The conversations that spans and log records in any order tell of, once all of them are in.

    In memory are AT_ONCE spans, or the largest conversation; the rest is in a temporary file. OSError where there is
    no room for that.
    """
    with Spool(keys) as spool:
        for record in records:
            spool.add(record)
        for spans, logs in _together(spool.groups()):
            yield from conversations(spans, logs)


def _together(groups: Iterable[Group]) -> Iterator[tuple[list[Span], list[LogRecord]]]:
    spans: list[Span] = []
    logs: list[LogRecord] = []
    for group in groups:
        if spans and len(spans) + len(group.spans) > AT_ONCE:
            yield spans, logs
            spans, logs = [], []
        spans += group.spans
        logs += group.logs
    if spans or logs:
        yield spans, logs
