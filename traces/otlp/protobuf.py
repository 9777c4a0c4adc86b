"""OTLP requests in protobuf to and from spans and log records.

An ExportTraceServiceRequest and a TracesData are the same bytes, and so are those for logs.
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord as LogMessage
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData, ResourceLogs, ScopeLogs, SeverityNumber
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Status, TracesData
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage

from traces.log_record import LogRecord
from traces.otlp.encode import grouped
from traces.otlp.flaw import Flaw
from traces.otlp.scalars import KINDS, STATUSES
from traces.otlp.values import DEEPEST, LARGEST, SMALLEST
from traces.span import Span, SpanEvent

M = TypeVar("M", TracesData, LogsData)

_KINDS = {kind: SpanMessage.SpanKind.Value(f"SPAN_KIND_{kind.upper()}") for kind in KINDS}
_CODES = {status: Status.StatusCode.Value(f"STATUS_CODE_{status.upper()}") for status in STATUSES}


def records(body: bytes) -> Iterator[Span | LogRecord | Flaw]:
    """The spans or the log records of a request, whichever it is told by what is in it. ValueError if it is neither."""
    try:
        message = _parsed(TracesData(), body)
    except ValueError:  # the body of a log record stands where spans have their name, which is UTF-8
        return log_records(body)
    return log_records(body) if _has_logs(message) else _of_traces(message)


def spans(body: bytes) -> Iterator[Span | Flaw]:
    """The spans of a request, each broken one as a Flaw. ValueError if it is no such request."""
    return _of_traces(_parsed(TracesData(), body))


def log_records(body: bytes) -> Iterator[LogRecord | Flaw]:
    """The log records of a request. ValueError if it is no such request."""
    return _of_logs(_parsed(LogsData(), body))


def traces_data(spans: Sequence[Span]) -> bytes:
    """Spans as a TracesData. What protobuf has no place for: as in OTLP's JSON, and lone surrogates become U+FFFD."""
    return TracesData(
        resource_spans=[
            ResourceSpans(
                resource=Resource(attributes=_key_values(resource)),
                scope_spans=[
                    ScopeSpans(scope=InstrumentationScope(name=_text(scope)), spans=map(_span_message, members))
                    for scope, members in scopes
                ],
            )
            for resource, scopes in grouped(spans)
        ]
    ).SerializeToString()


def logs_data(logs: Sequence[LogRecord]) -> bytes:
    """Log records as a LogsData."""
    return LogsData(
        resource_logs=[
            ResourceLogs(
                resource=Resource(attributes=_key_values(resource)),
                scope_logs=[
                    ScopeLogs(scope=InstrumentationScope(name=_text(scope)), log_records=map(_log_message, members))
                    for scope, members in scopes
                ],
            )
            for resource, scopes in grouped(logs)
        ]
    ).SerializeToString()


def _parsed(message: M, body: bytes) -> M:
    try:
        message.ParseFromString(body)
    except DecodeError:
        raise ValueError("no OTLP request in protobuf") from None
    return message


def _has_logs(message: TracesData) -> bool:
    """Whether these are log records, which begin with a time where spans have an id: read as spans they have none."""
    for group in message.resource_spans:
        for scoped in group.scope_spans:
            for span in scoped.spans:
                return not span.trace_id and not span.span_id
    return False


def _of_traces(message: TracesData) -> Iterator[Span | Flaw]:
    for group in message.resource_spans:
        resource = _attributes(group.resource.attributes)
        for scoped in group.scope_spans:
            scope = scoped.scope.name
            for raw in scoped.spans:
                yield _span(raw, resource, scope)


def _of_logs(message: LogsData) -> Iterator[LogRecord | Flaw]:
    for group in message.resource_logs:
        resource = _attributes(group.resource.attributes)
        for scoped in group.scope_logs:
            scope = scoped.scope.name
            for raw in scoped.log_records:
                attributes = _attributes(raw.attributes)
                yield LogRecord(
                    _id(raw.trace_id),
                    _id(raw.span_id),
                    raw.time_unix_nano or raw.observed_time_unix_nano,
                    raw.event_name or str(attributes.get("event.name") or ""),
                    _value(raw.body),
                    attributes,
                    resource,
                    raw.severity_number,
                    scope,
                )


def _span(raw: SpanMessage, resource: dict[str, Any], scope: str) -> Span | Flaw:
    trace, own = raw.trace_id, raw.span_id
    if len(trace) != 16 or len(own) != 8 or not any(trace) or not any(own):
        return Flaw(f"span {raw.name!r}: its ids are {len(trace)} and {len(own)} bytes, or all zero; 16 and 8 are due")
    return Span(
        trace.hex(),
        own.hex(),
        _id(raw.parent_span_id),
        raw.name,
        KINDS[raw.kind] if 0 <= raw.kind < len(KINDS) else KINDS[0],
        raw.start_time_unix_nano,
        raw.end_time_unix_nano,
        _attributes(raw.attributes),
        tuple([SpanEvent(event.name, event.time_unix_nano, _attributes(event.attributes)) for event in raw.events]),
        STATUSES[raw.status.code] if 0 <= raw.status.code < len(STATUSES) else STATUSES[0],
        raw.status.message,
        scope,
        resource,
        tuple([(link.trace_id.hex(), link.span_id.hex()) for link in raw.links]),
        raw.dropped_attributes_count + raw.dropped_events_count,
    )


def _id(raw: bytes) -> str | None:
    return raw.hex() if any(raw) else None


def _attributes(items: Iterable[KeyValue]) -> dict[str, Any]:
    return {item.key: _value(item.value) for item in items}


def _value(held: AnyValue) -> Any:
    kind = held.WhichOneof("value")
    if kind == "string_value":
        return held.string_value
    return None if kind is None else _READ[kind](held)


def _double(held: AnyValue) -> Any:
    number = held.double_value
    return number if math.isfinite(number) else str(number)


_READ: dict[str, Callable[[AnyValue], Any]] = {
    "bool_value": lambda held: held.bool_value,
    "int_value": lambda held: held.int_value,
    "double_value": _double,
    "array_value": lambda held: [_value(member) for member in held.array_value.values],
    "kvlist_value": lambda held: _attributes(held.kvlist_value.values),
    "bytes_value": lambda held: b64encode(held.bytes_value).decode(),
}


def _span_message(span: Span) -> SpanMessage:
    return SpanMessage(
        trace_id=bytes.fromhex(span.trace_id),
        span_id=bytes.fromhex(span.span_id),
        parent_span_id=bytes.fromhex(span.parent_id or ""),
        name=_text(span.name),
        kind=_KINDS.get(span.kind, SpanMessage.SPAN_KIND_UNSPECIFIED),
        start_time_unix_nano=span.start,
        end_time_unix_nano=span.end,
        attributes=_key_values(span.attributes),
        events=[
            SpanMessage.Event(
                name=_text(event.name), time_unix_nano=event.time, attributes=_key_values(event.attributes)
            )
            for event in span.events
        ],
        links=[
            SpanMessage.Link(trace_id=bytes.fromhex(trace), span_id=bytes.fromhex(linked))
            for trace, linked in span.links
        ],
        status=Status(code=_CODES.get(span.status, Status.STATUS_CODE_UNSET), message=_text(span.status_text)),
        dropped_attributes_count=span.dropped,
    )


def _log_message(log: LogRecord) -> LogMessage:
    return LogMessage(
        trace_id=bytes.fromhex(log.trace_id or ""),
        span_id=bytes.fromhex(log.span_id or ""),
        time_unix_nano=log.time,
        event_name=_text(log.name),
        body=_any_value(log.body),
        attributes=_key_values(log.attributes),
        severity_number=cast("SeverityNumber.ValueType", log.severity),
    )


def _key_values(plain: Mapping[str, Any], depth: int = 0) -> list[KeyValue]:
    return [KeyValue(key=_text(str(name)), value=_any_value(member, depth)) for name, member in plain.items()]


def _any_value(plain: Any, depth: int = 0) -> AnyValue:
    if isinstance(plain, str):
        return AnyValue(string_value=_text(plain))
    if plain is None:
        return AnyValue()
    if isinstance(plain, bool):
        return AnyValue(bool_value=plain)
    if isinstance(plain, int) and SMALLEST <= plain <= LARGEST:
        return AnyValue(int_value=plain)
    if isinstance(plain, float) and math.isfinite(plain):
        return AnyValue(double_value=plain)
    if isinstance(plain, dict | list | tuple):
        if depth == DEEPEST:
            return AnyValue(string_value=json.dumps(plain, default=str))
        if isinstance(plain, dict):
            return AnyValue(kvlist_value=KeyValueList(values=_key_values(plain, depth + 1)))
        return AnyValue(array_value=ArrayValue(values=[_any_value(member, depth + 1) for member in plain]))
    return AnyValue(string_value=str(plain))


def _text(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
