"""What has come for one trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from sys import getsizeof
from time import monotonic
from typing import Any

from traces.identity import distinct_logs, distinct_spans
from traces.log_record import LogRecord
from traces.span import Span

_OURS = "turngate."
"""Marks that begin so are set by turngate alone: another process can't say of itself what they say."""


class Joined:
    """What has come for one trace so far. `latest`: when, by the monotonic clock; `parents`: the spans that spans of it
    are directly below; `size`: bytes of memory. `conversation`: which it belongs to, empty where that is not known.
    """

    def __init__(self, conversation: str = "") -> None:
        self.conversation = conversation
        self.records: list[Span | LogRecord] = []
        self.latest: float | None = None
        self.parents: set[str | None] = set()
        self.size = 0

    @property
    def spans(self) -> list[Span]:
        """The spans, each once."""
        return distinct_spans([record for record in self.records if isinstance(record, Span)])

    @property
    def logs(self) -> list[LogRecord]:
        """The log records, each once."""
        return distinct_logs([record for record in self.records if isinstance(record, LogRecord)])

    def add(self, record: Span | LogRecord, size: int) -> None:
        """Take one, of so many bytes."""
        if any(name.startswith(_OURS) for name in record.attributes):
            told = {name: value for name, value in record.attributes.items() if not name.startswith(_OURS)}
            record = replace(record, attributes=told)
        self.records.append(record)
        self.size += size
        self.latest = monotonic()
        if isinstance(record, Span):
            self.parents.add(record.parent_id)

    def absorb(self, other: Joined) -> None:
        """Take all that another holds."""
        self.records += other.records
        self.size += other.size
        self.latest = monotonic()
        self.parents |= other.parents


def sizes(records: Iterable[Span | LogRecord]) -> list[int]:
    """About how many bytes of memory each record of a request takes; a resource that several share counts once."""
    found, resources = [], set[int]()
    for record in records:
        held: list[Any] = [record.name, record.attributes]
        if isinstance(record, Span):
            held += [record.status_text, record.links, *((event.name, event.attributes) for event in record.events)]
        else:
            held.append(record.body)
        if id(record.resource) not in resources:
            resources.add(id(record.resource))
            held.append(record.resource)
        found.append(getsizeof(record) + _size(held))
    return found


def _size(held: list[Any]) -> int:
    size = 0
    for each in held:  # grows while it is walked
        size += getsizeof(each)
        if isinstance(each, dict):
            held += each
            held += each.values()
        elif isinstance(each, list | tuple):
            held += each
    return size
