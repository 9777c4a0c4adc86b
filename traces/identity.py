"""The same span or log record sent more than once: a lost answer makes exporters send again, which is legal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from traces.log_record import LogRecord
from traces.span import Span


def distinct_spans(spans: Iterable[Span]) -> list[Span]:
    """Each span once, by its trace and span id, in order of start; the order in which they come changes nothing.

    Of two that differ the one that has ended is kept, then the one that holds more, then the one that ended later.
    """
    kept: dict[tuple[str, str], Span] = {}
    for span in spans:
        key = (span.trace_id, span.span_id)
        other = kept.get(key)
        if other is None or _weight(span, other) > _weight(other, span):
            kept[key] = span
    return sorted(kept.values(), key=lambda span: (span.start, span.trace_id, span.span_id))


def distinct_logs(logs: Iterable[LogRecord]) -> list[LogRecord]:
    """Each log record once, in order of time: records have no id, so those that are equal in everything are one."""
    kept: dict[tuple[Any, ...], LogRecord] = {}
    for log in logs:
        key = (log.time, log.trace_id or "", log.span_id or "", log.name, _text(log.body), _text(log.attributes))
        kept.setdefault(key, log)
    return [kept[key] for key in sorted(kept)]


def _weight(span: Span, other: Span) -> tuple[Any, ...]:
    """What decides between a span and another of the same id; all of it only where nothing simpler does."""
    weight = (span.end > 0, len(span.attributes) + len(span.events) + len(span.links), span.status != "unset", span.end)
    rival = (
        other.end > 0,
        len(other.attributes) + len(other.events) + len(other.links),
        other.status != "unset",
        other.end,
    )
    return weight if weight != rival else (*weight, _text(span))


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)
