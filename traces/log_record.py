"""A log record as plain data: instrumentations put messages, feedback and exceptions into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class LogRecord:
    """Ids are lower-case hex, None where the record belongs to no span; `time` in nanoseconds since the epoch.

    `name`: the event's name, empty if it has none. `body` and attributes are JSON values. Never changed.
    """

    trace_id: str | None
    span_id: str | None
    time: int
    name: str
    body: Any = None
    attributes: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    severity: int = 0
    scope: str = ""
