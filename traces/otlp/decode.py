"""Spans and log records from OTLP's JSON, as generously as it can be read without guessing.

Beyond the specification: ids in base64 or as lists of bytes, snake_case keys and the names of enums as other protobuf
libraries write them, `instrumentationLibrarySpans` of old versions, attributes as a plain mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from traces.log_record import LogRecord
from traces.otlp.flaw import Flaw
from traces.otlp.raw import RawSpan
from traces.otlp.scalars import KINDS, STATUSES, counted, named, nanoseconds, severity, shown, span_id, trace_id
from traces.otlp.values import attributes, value
from traces.span import Span, SpanEvent

TRACES = ("resourceSpans", "resource_spans", "batches")
LOGS = ("resourceLogs", "resource_logs")
"""The keys that spans and that log records stand under."""
_SCOPE_SPANS = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_SCOPE_LOGS = ("scopeLogs", "scope_logs", "instrumentationLibraryLogs", "instrumentation_library_logs")
_SCOPE = ("scope", "instrumentationLibrary", "instrumentation_library")
_METRICS = ("resourceMetrics", "resource_metrics")
ENVELOPES = frozenset((*TRACES, *LOGS, *_METRICS))
"""The keys one of which an OTLP request, TracesData or LogsData has. Of metrics nothing is read."""

_UNSET = {"code": 0}
_OF_SPAN = RawSpan.__struct_encode_fields__

_CAMEL = {
    "trace_id": "traceId",
    "span_id": "spanId",
    "parent_span_id": "parentSpanId",
    "start_time_unix_nano": "startTimeUnixNano",
    "end_time_unix_nano": "endTimeUnixNano",
    "time_unix_nano": "timeUnixNano",
    "observed_time_unix_nano": "observedTimeUnixNano",
    "dropped_attributes_count": "droppedAttributesCount",
    "dropped_events_count": "droppedEventsCount",
    "severity_number": "severityNumber",
    "event_name": "eventName",
}


def records(document: Mapping[str, Any]) -> Iterator[Span | LogRecord | Flaw]:
    """The spans and log records of a TracesData, a LogsData or an export request, each broken one as a Flaw."""
    yield from _signal(document, TRACES, _SCOPE_SPANS, ("spans",), span)
    yield from _signal(document, LOGS, _SCOPE_LOGS, ("logRecords", "log_records", "logs"), log_record)


def span(raw: Mapping[str, Any], resource: dict[str, Any], scope: str) -> Span:
    """One OTLP span. ValueError if it can't be read."""
    if "traceId" not in raw:
        raw = _camel(raw)
    return built(RawSpan(*map(raw.get, _OF_SPAN)), attributes(raw.get("attributes")), resource, scope)


def built(raw: RawSpan, attributes: dict[str, Any], resource: dict[str, Any], scope: str) -> Span:
    """The span of what was decoded of it, and its attributes. ValueError if it can't be read."""
    trace, own = trace_id(raw.trace_id), span_id(raw.span_id)
    if trace is None or own is None:
        raise ValueError(f"it has no {'trace' if trace is None else 'span'} id")
    status, events, links = raw.status, raw.events, raw.links
    cut, lost = raw.dropped_attributes_count, raw.dropped_events_count
    code, text = _status(status) if status and status != _UNSET else ("unset", "")
    return Span(
        trace,
        own,
        span_id(raw.parent_span_id),
        str(raw.name or ""),
        named(raw.kind, KINDS, "span_kind_"),
        nanoseconds(raw.start_time_unix_nano),
        nanoseconds(raw.end_time_unix_nano),
        attributes,
        tuple([_event(event) for event in objects(events, "events")]) if events else (),
        code,
        text,
        scope,
        resource,
        tuple([pair for link in objects(links, "links") if (pair := _link(link)) is not None]) if links else (),
        sum(map(counted, filter(None, (cut, lost)))) if cut or lost else 0,
    )


def log_record(raw: Mapping[str, Any], resource: dict[str, Any], scope: str) -> LogRecord:
    """One OTLP log record. ValueError if it can't be read."""
    get = _camel(raw).get
    members = attributes(get("attributes"))
    return LogRecord(
        trace_id(get("traceId")),
        span_id(get("spanId")),
        nanoseconds(get("timeUnixNano")) or nanoseconds(get("observedTimeUnixNano")),
        str(get("eventName") or members.get("event.name") or ""),
        value(get("body")),
        members,
        resource,
        severity(get("severityNumber")),
        scope,
    )


def objects(value: Any, what: str) -> list[Mapping[str, Any]]:
    """The objects of a JSON list, none where there is no list. ValueError if it is something else."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(member, dict) for member in value):
        raise ValueError(f"`{what}` is no list of objects")
    return value


def _signal(
    document: Mapping[str, Any],
    names: tuple[str, ...],
    scoped: tuple[str, ...],
    items: tuple[str, ...],
    read: Callable[[Mapping[str, Any], dict[str, Any], str], Span | LogRecord],
) -> Iterator[Span | LogRecord | Flaw]:
    for group in _listed(document, names):
        if isinstance(group, Flaw):
            yield group
            continue
        try:
            resource = _resource(group.get("resource") or {})
        except (ValueError, RecursionError) as error:
            resource = {}
            yield Flaw(f"`resource` can't be read: {_why(error)}")
        for inner in _listed(group, scoped):
            if isinstance(inner, Flaw):
                yield inner
                continue
            scope = _first(inner, _SCOPE)
            name = str(scope.get("name") or "") if isinstance(scope, dict) else ""
            for raw in _listed(inner, items):
                if isinstance(raw, Flaw):
                    yield raw
                    continue
                found: Span | LogRecord | Flaw
                try:
                    found = read(raw, resource, name)
                except (ValueError, RecursionError) as error:
                    what = f"{'span' if read is span else 'log record'} {shown(raw.get('name') or raw.get('spanId'))}"
                    found = Flaw(f"{what}: {_why(error)}")
                yield found


def _resource(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise ValueError(f"{shown(raw)} is no object")
    return attributes(raw.get("attributes"))


def _why(error: ValueError | RecursionError) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _listed(holder: Mapping[str, Any], names: tuple[str, ...]) -> Iterable[Mapping[str, Any] | Flaw]:
    """The objects of the list under the first of these names that is there."""
    held = _first(holder, names)
    if held is None:
        return ()
    if not isinstance(held, list):
        return (Flaw(f"`{names[0]}` is no list"),)
    if {dict}.issuperset(map(type, held)):
        return held
    what = f"`{names[0]}` holds {{}}, which is no object"
    return [member if isinstance(member, dict) else Flaw(what.format(shown(member))) for member in held]


def _first(holder: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    for name in names:
        if (held := holder.get(name)) is not None:
            return held
    return None


def _camel(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    return raw if _CAMEL.keys().isdisjoint(raw) else {_CAMEL.get(name, name): held for name, held in raw.items()}


def _status(raw: Any) -> tuple[str, str]:
    if not isinstance(raw, dict):
        return named(raw, STATUSES, "status_code_"), ""
    return named(raw.get("code"), STATUSES, "status_code_"), str(raw.get("message") or "")


def _event(raw: Mapping[str, Any]) -> SpanEvent:
    get = _camel(raw).get
    return SpanEvent(str(get("name") or ""), nanoseconds(get("timeUnixNano")), attributes(get("attributes")))


def _link(raw: Mapping[str, Any]) -> tuple[str, str] | None:
    get = _camel(raw).get
    trace, own = trace_id(get("traceId")), span_id(get("spanId"))
    return None if trace is None or own is None else (trace, own)
