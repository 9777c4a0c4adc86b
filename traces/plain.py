"""From an SDK span to plain data."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan

from traces.span import Span, SpanEvent

AS_IS = frozenset({str, int, bool, type(None)})
"""Types of attribute values that are JSON already."""


def plain(span: ReadableSpan) -> Span:
    """The finished SDK span as plain data, sharing nothing mutable with it."""
    context, parent, scope, status = span.context, span.parent, span.instrumentation_scope, span.status
    return Span(
        f"{context.trace_id:032x}",
        f"{context.span_id:016x}",
        f"{parent.span_id:016x}" if parent is not None else None,
        span.name,
        span.kind.name.lower(),
        span.start_time or 0,
        span.end_time or 0,
        members(span.attributes),
        tuple([SpanEvent(event.name, event.timestamp, members(event.attributes)) for event in span.events]),
        status.status_code.name.lower(),
        status.description or "",
        scope.name if scope is not None else "",
    )


def members(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Attributes as a new dict of JSON values."""
    if not attributes:
        return {}
    # The SDK's own mapping, behind a proxy, is walked value by value under a lock; its copy is a dict.
    return in_json(attributes.copy() if isinstance(attributes, MappingProxyType) else dict(attributes))


def in_json(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes with JSON values: the same dict where they are JSON already."""
    if AS_IS.issuperset(map(type, attributes.values())):
        return attributes
    return {name: _json(value) for name, value in attributes.items()}


def _json(value: Any) -> Any:
    """An attribute value as JSON: bytes as base64 text, numbers that JSON has no word for as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, Mapping):
        return {str(name): _json(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_json(member) for member in value]
    return value
