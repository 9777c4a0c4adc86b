"""Spans and log records as OTLP JSON, grouped by what emitted them.

Reading gives back what was written, but for what OTLP has no word for: see `any_value`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from traces.json_text import dumps
from traces.log_record import LogRecord
from traces.otlp.scalars import KINDS, STATUSES
from traces.otlp.values import any_value, key_values
from traces.span import Span

BATCH = 512
"""Spans or log records in one line, at most."""

_KINDS = {kind: number for number, kind in enumerate(KINDS)}
_CODES = {status: number for number, status in enumerate(STATUSES)}

R = TypeVar("R", Span, LogRecord)
Grouped = list[tuple[dict[str, Any], list[tuple[str, list[R]]]]]
"""Resources, each with its scopes, each with what came of it."""


def lines(records: Iterable[Span | LogRecord]) -> Iterator[bytes]:
    """OTLP JSON lines, each ended by a line break: TracesData and LogsData of up to BATCH spans or log records."""
    spans: list[Span] = []
    logs: list[LogRecord] = []
    for record in records:
        if isinstance(record, Span):
            spans.append(record)
            if len(spans) == BATCH:
                yield dumps(traces_data(spans)) + b"\n"
                spans.clear()
        else:
            logs.append(record)
            if len(logs) == BATCH:
                yield dumps(logs_data(logs)) + b"\n"
                logs.clear()
    if spans:
        yield dumps(traces_data(spans)) + b"\n"
    if logs:
        yield dumps(logs_data(logs)) + b"\n"


def traces_data(spans: Sequence[Span]) -> dict[str, Any]:
    """A TracesData, which is an ExportTraceServiceRequest too, in OTLP's JSON."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": key_values(resource)},
                "scopeSpans": [
                    {"scope": {"name": scope}, "spans": [_span(span) for span in members]} for scope, members in scopes
                ],
            }
            for resource, scopes in grouped(spans)
        ]
    }


def logs_data(logs: Sequence[LogRecord]) -> dict[str, Any]:
    """A LogsData, which is an ExportLogsServiceRequest too, in OTLP's JSON."""
    return {
        "resourceLogs": [
            {
                "resource": {"attributes": key_values(resource)},
                "scopeLogs": [
                    {"scope": {"name": scope}, "logRecords": [_log_record(log) for log in members]}
                    for scope, members in scopes
                ],
            }
            for resource, scopes in grouped(logs)
        ]
    }


def grouped(records: Sequence[R]) -> Grouped[R]:
    """The records by resource and scope, both in the order in which they first come."""
    resources: dict[str, tuple[dict[str, Any], dict[str, list[R]]]] = {}
    keys: dict[int, str] = {}  # of the dicts themselves, which the records of one process share
    for record in records:
        resource = record.resource
        if (key := keys.get(id(resource))) is None:
            key = keys[id(resource)] = json.dumps(resource, sort_keys=True, default=str)
        scopes = resources.setdefault(key, (resource, {}))[1]
        scopes.setdefault(record.scope, []).append(record)
    return [(resource, list(scopes.items())) for resource, scopes in resources.values()]


def _span(span: Span) -> dict[str, Any]:
    written: dict[str, Any] = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "kind": _KINDS.get(span.kind, 0),
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": key_values(span.attributes),
        "status": {"code": _CODES.get(span.status, 0)},
    }
    if span.parent_id:
        written["parentSpanId"] = span.parent_id
    if span.status_text:
        written["status"]["message"] = span.status_text
    if span.events:
        written["events"] = [
            {"name": event.name, "timeUnixNano": str(event.time), "attributes": key_values(event.attributes)}
            for event in span.events
        ]
    if span.links:
        written["links"] = [{"traceId": trace, "spanId": linked} for trace, linked in span.links]
    if span.dropped:
        written["droppedAttributesCount"] = span.dropped
    return written


def _log_record(log: LogRecord) -> dict[str, Any]:
    written: dict[str, Any] = {"timeUnixNano": str(log.time), "attributes": key_values(log.attributes)}
    if log.trace_id:
        written["traceId"] = log.trace_id
    if log.span_id:
        written["spanId"] = log.span_id
    if log.name:
        written["eventName"] = log.name
    if log.body is not None:
        written["body"] = any_value(log.body)
    if log.severity:
        written["severityNumber"] = log.severity
    return written
