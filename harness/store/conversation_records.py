"""What is kept of a conversation that was imported."""

from __future__ import annotations

from dataclasses import dataclass

from traces.log_record import LogRecord
from traces.outline import Status
from traces.span import Span


@dataclass(frozen=True, slots=True)
class Source:
    """What telemetry came from. `digest`: SHA-256 (hex) of the file as it was; None of what can't be read twice."""

    name: str
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Telemetry:
    """All that tells of a conversation, in order of time: what every view of it is read from."""

    spans: tuple[Span, ...] = ()
    logs: tuple[LogRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation that was imported, in figures. `id`: the store's own; `conversation`: the application's, None if
    it gave none; `joined`: the rule that put its traces together. Times in seconds since the epoch; `imported` is when
    it came or changed, in ISO 8601.
    """

    id: str
    conversation: str | None
    joined: str
    started: float
    ended: float
    status: Status
    turns: int
    model_calls: int
    tool_calls: int
    errors: int
    tools: tuple[str, ...]
    dialects: tuple[str, ...]
    agents: tuple[str, ...]
    sources: tuple[Source, ...]
    imported: str
