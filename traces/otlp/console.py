"""Spans and log records as the console exporters of OpenTelemetry SDKs print them.

Python prints a span with its `context` and an instant as text, a record with its `trace_id`; Go prints a span with a
`SpanContext`. Both wrap what a language names itself, so that each has its own words for the same fields of OTLP.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from traces.log_record import LogRecord
from traces.otlp import decode, values
from traces.otlp.decode import objects
from traces.span import Span

_CONVENTION = "openinference.span.kind"


def is_span(raw: Mapping[str, Any]) -> bool:
    """Whether this is a span as a console exporter of Python or Go prints it."""
    return isinstance(raw.get("context"), dict) or isinstance(raw.get("SpanContext"), dict)


def is_log_record(raw: Mapping[str, Any]) -> bool:
    """Whether this is a log record as the console exporter of Python prints it."""
    return "body" in raw and "severity_number" in raw


def span(raw: Mapping[str, Any]) -> Span:
    """The span. ValueError if it can't be read."""
    return _of_go(raw) if isinstance(raw.get("SpanContext"), dict) else _of_python(raw)


def log_record(raw: Mapping[str, Any]) -> LogRecord:
    """The log record. ValueError if it can't be read."""
    return decode.log_record(
        {
            "traceId": raw.get("trace_id"),
            "spanId": raw.get("span_id"),
            "timeUnixNano": raw.get("timestamp"),
            "observedTimeUnixNano": raw.get("observed_timestamp"),
            "eventName": raw.get("event_name"),
            "body": raw.get("body"),
            "attributes": raw.get("attributes"),
            "severityNumber": raw.get("severity_number"),
        },
        _members(raw.get("resource")),
        "",
    )


def _of_python(raw: Mapping[str, Any]) -> Span:
    context, status = raw["context"], raw.get("status")
    attributes = dict(_plain(raw.get("attributes")))
    if isinstance(kind := raw.get("span_kind"), str):  # as Phoenix exports them
        attributes.setdefault(_CONVENTION, kind)
    if not isinstance(status, dict):
        status = {"status_code": raw.get("status_code"), "description": raw.get("status_message")}
    scope = raw.get("instrumentation_scope") or raw.get("instrumentation_info")
    return decode.span(
        {
            "traceId": context.get("trace_id"),
            "spanId": context.get("span_id"),
            "parentSpanId": raw.get("parent_id"),
            "name": raw.get("name"),
            "kind": raw.get("kind"),
            "startTimeUnixNano": raw.get("start_time"),
            "endTimeUnixNano": raw.get("end_time"),
            "attributes": attributes,
            "status": {"code": status.get("status_code"), "message": status.get("description")},
            "events": [
                {
                    "name": event.get("name"),
                    "timeUnixNano": event.get("timestamp"),
                    "attributes": event.get("attributes"),
                }
                for event in objects(raw.get("events"), "events")
            ],
            "links": [_plain(link.get("context")) for link in objects(raw.get("links"), "links")],
        },
        _members(raw.get("resource")),
        str(scope.get("name") or "") if isinstance(scope, dict) else "",
    )


def _of_go(raw: Mapping[str, Any]) -> Span:
    context, status = raw["SpanContext"], _plain(raw.get("Status"))
    return decode.span(
        {
            "traceId": context.get("TraceID"),
            "spanId": context.get("SpanID"),
            "parentSpanId": _plain(raw.get("Parent")).get("SpanID"),
            "name": raw.get("Name"),
            "kind": raw.get("SpanKind"),
            "startTimeUnixNano": raw.get("StartTime"),
            "endTimeUnixNano": raw.get("EndTime"),
            "attributes": _pairs(raw.get("Attributes")),
            "status": {"code": status.get("Code"), "message": status.get("Description")},
            "events": [
                {
                    "name": event.get("Name"),
                    "timeUnixNano": event.get("Time"),
                    "attributes": _pairs(event.get("Attributes")),
                }
                for event in objects(raw.get("Events"), "Events")
            ],
            "links": [
                {"traceId": other.get("TraceID"), "spanId": other.get("SpanID")}
                for link in objects(raw.get("Links"), "Links")
                if (other := _plain(link.get("SpanContext")))
            ],
            "droppedAttributesCount": raw.get("DroppedAttributes"),
            "droppedEventsCount": raw.get("DroppedEvents"),
        },
        _pairs(raw.get("Resource")),
        str(_plain(raw.get("InstrumentationScope") or raw.get("InstrumentationLibrary")).get("Name") or ""),
    )


def _pairs(raw: Any) -> dict[str, Any]:
    """Attributes as Go prints them: `{"Key": …, "Value": {"Type": …, "Value": …}}`."""
    return values.attributes(
        {str(pair.get("Key")): _plain(pair.get("Value")).get("Value") for pair in objects(raw, "Attributes")}
    )


def _members(resource: Any) -> dict[str, Any]:
    """A resource's attributes, which older versions printed without a name for them."""
    held = _plain(resource)
    return values.attributes(_plain(held["attributes"]) if "attributes" in held else held)


def _plain(raw: Any) -> Mapping[str, Any]:
    return raw if isinstance(raw, dict) else {}
