"""What telemetry came of an episode when it was over: kept beside it, and in none of its scores."""

from __future__ import annotations

from dataclasses import dataclass, field

from traces.log_record import LogRecord
from traces.span import Span


@dataclass(frozen=True, slots=True)
class Late:
    """What came at one time. `conversation`: the id that the episode was played under; `at`: when it was taken, in
    seconds since the epoch.
    """

    conversation: str
    at: float
    spans: list[Span] = field(default_factory=list)
    logs: list[LogRecord] = field(default_factory=list)
