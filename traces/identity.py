"""The same span or log record sent more than once: a lost answer makes exporters send again, which is legal."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from operator import attrgetter, itemgetter
from typing import Any

from traces.log_record import LogRecord
from traces.span import Span

_PLACE = attrgetter("start", "trace_id", "span_id")
_LOG_PLACE = itemgetter(0, 1, 2)


def service_of(record: Span | LogRecord) -> str:
    """The application that a record is from: its `service.name`, empty where it gives none."""
    return str(record.resource.get("service.name") or "")


def distinct_spans(spans: Iterable[Span]) -> list[Span]:
    """Each span once, by its trace and span id, in order of start; the order in which they come changes nothing.

    Of two that differ the one that has ended is kept, then the one that holds more, then the one that ended later.
    """
    spans = list(spans)
    kept = {(span.trace_id, span.span_id): span for span in spans}
    if len(kept) == len(spans):
        return sorted(spans, key=_PLACE)
    kept.clear()
    for span in spans:
        other = kept.setdefault((span.trace_id, span.span_id), span)
        if other is not span and _weight(span, other) > _weight(other, span):
            kept[span.trace_id, span.span_id] = span
    return sorted(kept.values(), key=_PLACE)


def distinct_logs(logs: Iterable[LogRecord]) -> list[LogRecord]:
    """Each log record once, in order of time; of those of one time and span the one that came first is first.

    Records have no id: those that are equal in everything are one that was sent again. A loop writes the messages of a
    model call within one tick of the clock, so only the order in which they came tells which was said first.
    """
    kept: dict[tuple[Any, ...], LogRecord] = {}
    for log in logs:
        place = log.time, log.trace_id or "", log.span_id or ""
        kept.setdefault((*place, log.name, _text(log.body), _text(log.attributes)), log)
    return [kept[key] for key in sorted(kept, key=_LOG_PLACE)]


def _weight(span: Span, other: Span) -> tuple[Any, ...]:
    """What decides between a span and another of the same id; their whole text only where nothing else does."""
    weight = _fullness(span)
    return weight if weight != _fullness(other) else (*weight, _text(dataclasses.asdict(span)))


def _fullness(span: Span) -> tuple[Any, ...]:
    held = len(span.attributes) + len(span.events) + len(span.links)
    return (span.end > 0, held, span.status != "unset", span.end)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)
