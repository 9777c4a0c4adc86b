"""Spans from the JSON of Jaeger's interface and its query API: `{"data": [{"spans": […], "processes": {…}}]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from traces.otlp import decode, values
from traces.otlp.decode import objects
from traces.otlp.flaw import Flaw
from traces.otlp.scalars import integer, shown
from traces.span import Span

_SCOPES = ("otel.scope.name", "otel.library.name")


def is_trace(raw: Mapping[str, Any]) -> bool:
    """Whether this is one trace of Jaeger's."""
    return isinstance(raw.get("spans"), list) and isinstance(raw.get("processes"), dict)


def records(trace: Mapping[str, Any]) -> Iterator[Span | Flaw]:
    """The spans of one trace, each broken one as a Flaw."""
    processes = trace["processes"]
    for raw in trace["spans"]:
        found: Span | Flaw
        try:
            if not isinstance(raw, dict):
                raise ValueError(f"{shown(raw)} is no object")
            found = _span(raw, _process(raw.get("process") or processes.get(raw.get("processID"))))
        except (ValueError, TypeError, RecursionError) as error:
            name = raw.get("operationName") if isinstance(raw, dict) else None
            found = Flaw(f"span {shown(name)}: {'nested too deeply' if isinstance(error, RecursionError) else error}")
        yield found


def _span(raw: Mapping[str, Any], resource: dict[str, Any]) -> Span:
    tags = _tags(raw.get("tags"))
    start = _microseconds(raw.get("startTime"))
    scopes = [str(tags.pop(name)) for name in _SCOPES if name in tags]
    failed = tags.pop("error", False) in (True, "true")
    parent, links = _references(raw)
    return decode.span(
        {
            "traceId": raw.get("traceID"),
            "spanId": raw.get("spanID"),
            "parentSpanId": parent,
            "name": raw.get("operationName"),
            "kind": tags.pop("span.kind", None),
            "startTimeUnixNano": start,
            "endTimeUnixNano": start + _microseconds(raw.get("duration")),
            "attributes": tags,
            "status": {
                "code": tags.pop("otel.status_code", "ERROR" if failed else None),
                "message": tags.pop("otel.status_description", None),
            },
            "events": [_event(log) for log in objects(raw.get("logs"), "logs")],
            "links": links,
        },
        resource,
        scopes[0] if scopes else "",
    )


def _references(raw: Mapping[str, Any]) -> tuple[Any, list[dict[str, Any]]]:
    """The parent, which is the first CHILD_OF in the same trace, and the other references as links."""
    parent, links = raw.get("parentSpanID"), []
    for reference in objects(raw.get("references"), "references"):
        child = reference.get("refType") == "CHILD_OF" and reference.get("traceID") == raw.get("traceID")
        if child and not parent:
            parent = reference.get("spanID")
        elif reference.get("spanID") != parent:
            links.append({"traceId": reference.get("traceID"), "spanId": reference.get("spanID")})
    return parent, links


def _event(log: Mapping[str, Any]) -> dict[str, Any]:
    fields = _tags(log.get("fields"))
    name = fields.pop("event", "")
    return {"name": name, "timeUnixNano": _microseconds(log.get("timestamp")), "attributes": fields}


def _process(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        return {}
    found = _tags(raw.get("tags"))
    if raw.get("serviceName"):
        found["service.name"] = raw["serviceName"]
    return found


def _tags(raw: Any) -> dict[str, Any]:
    return {str(tag.get("key")): _value(tag) for tag in objects(raw, "tags")}


def _value(tag: Mapping[str, Any]) -> Any:
    """Jaeger's interface gives numbers and truths as such, some of its stores as text."""
    held, kind = tag.get("value"), tag.get("type")
    if isinstance(held, str) and kind in ("bool", "int64", "float64"):
        return values.value({{"bool": "boolValue", "int64": "intValue"}.get(kind, "doubleValue"): held})
    return held


def _microseconds(raw: Any) -> int:
    return integer(raw or 0) * 1000
