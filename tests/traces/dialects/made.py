"""Spans and log records by hand, as the tests of the dialects need them."""

from __future__ import annotations

import json
from typing import Any

from traces.dialects.registry import facts
from traces.log_record import LogRecord
from traces.span import Span, SpanEvent

TRACE = "0af7651916cd43dd8448eb211c80319c"


def span(scope: str = "", name: str = "span", *, parent: str | None = None, events: Any = (), **more: Any) -> Any:
    """A maker: `span("scope")({"attribute": value})`. `events` are pairs of name and attributes."""
    told = tuple(SpanEvent(event, at, dict(attributes)) for at, (event, attributes) in enumerate(events))

    def make(attributes: dict[str, Any]) -> Span:
        return Span(TRACE, "b7ad6b7169203331", parent, name, "internal", 1, 2, attributes, told, scope=scope, **more)

    return make


def log(name: str, body: Any, time: int = 1, **attributes: Any) -> LogRecord:
    """A log record of that span."""
    return LogRecord(TRACE, "b7ad6b7169203331", time, name, body, attributes)


def failed(scope: str, attributes: dict[str, Any], kind: str, message: str, status_text: str = "") -> Span:
    """A span that ended with an exception."""
    exception = ("exception", {"exception.type": kind, "exception.message": message})
    return span(scope, events=[exception], status="error", status_text=status_text)(attributes)


def text(value: Any) -> str:
    """A value as JSON, the way it stands in attributes."""
    return json.dumps(value, ensure_ascii=False)


__all__ = ["facts", "failed", "log", "span", "text"]
