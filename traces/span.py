"""A finished span as plain data, whatever SDK or file it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class SpanEvent:
    """An event within a span; `time` in nanoseconds since the epoch. Never changed; not frozen, as spans aren't."""

    name: str
    time: int
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Span:
    """Ids are lower-case hex (32 and 16 digits); times are nanoseconds since the epoch; attributes are JSON values.

    `resource`: what the process said of itself, shared by its spans. `links`: trace and span ids of other spans.
    `dropped`: how many attributes and events a limit of its SDK cut off.
    Never changed; not frozen, for that takes ten times as long to make, and there are a great many.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: str
    start: int
    end: int
    attributes: dict[str, Any] = field(default_factory=dict)
    events: tuple[SpanEvent, ...] = ()
    status: str = "unset"
    status_text: str = ""
    scope: str = ""
    resource: dict[str, Any] = field(default_factory=dict)
    links: tuple[tuple[str, str], ...] = ()
    dropped: int = 0
