"""Runs that are told by log records alone, of no trace at all: Claude Code's, unless it was told to trace too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from traces.dialects.claude_code import SCOPE
from traces.dialects.evaluations import event_name
from traces.log_record import LogRecord
from traces.span import Span

UNTRACED = (
    "no spans came of it, only log records, which leave out what tools gave; set CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1"
    " and OTEL_TRACES_EXPORTER"
)

_PROMPT = "prompt.id"
"""All records of what came of one prompt give the same."""

_KINDS = {"api_request": "llm_request", "api_error": "llm_request", "tool_result": "tool"}
"""The records that tell of something which took its time, each at its end."""

_COUNTED = ("_tokens", "_ms")


class Untraced(NamedTuple):
    """A span as it would have come, and the records that tell of it."""

    span: Span
    records: Sequence[LogRecord]


def untraced(records: Iterable[LogRecord]) -> Iterator[Untraced]:
    """The runs that records of no trace tell of, each before its steps; in a trace of their prompt."""
    prompts: dict[str, list[LogRecord]] = {}
    for record in records:
        if (prompt := prompt_of(record)) is not None:
            prompts.setdefault(prompt, []).append(record)
    for prompt, told in prompts.items():
        trace, run = _id(prompt, size=16), _id(f"{prompt} run")
        steps = [record for record in told if event_name(record) in _KINDS]
        rest = [record for record in told if event_name(record) not in _KINDS]
        said = next((record.attributes.get("prompt") for record in rest if event_name(record) == "user_prompt"), None)
        spans = [_step(record, trace, run) for record in steps]
        start = min([told[0].time, *(span.start for span in spans)])
        first = {"span.type": "interaction", "user_prompt": said}
        yield Untraced(_span(told[0], trace, run, None, start, told[-1].time, first), rest)
        yield from (Untraced(span, [record]) for span, record in zip(spans, steps, strict=True))


def prompt_of(record: LogRecord) -> str | None:
    """The id of the prompt that a record of Claude Code is about; None if it names none."""
    prompt = record.attributes.get(_PROMPT)
    return prompt if isinstance(prompt, str) and record.scope.startswith(SCOPE) else None


def _step(record: LogRecord, trace: str, run: str) -> Span:
    told, name = record.attributes, event_name(record)
    numbers = {name: int(value) for name, value in told.items() if name.endswith(_COUNTED) and _is_whole(value)}
    start = max(record.time - numbers.get("duration_ms", 0) * 1_000_000, 0)
    own = _id(f"{trace} {name} {told.get('event.sequence')} {record.time}")
    found = _span(record, trace, own, run, start, record.time, {**told, **numbers, "span.type": _KINDS[name]})
    if name == "api_error":
        found.status, found.status_text = "error", str(told.get("error", ""))
    return found


def _span(
    record: LogRecord, trace: str, own: str, parent: str | None, start: int, end: int, attributes: dict[str, Any]
) -> Span:
    session = record.attributes.get("session.id")
    shown = {name: value for name, value in {"session.id": session, **attributes}.items() if value is not None}
    return Span(trace, own, parent, "", "internal", start, end, shown, scope=record.scope, resource=record.resource)


def _is_whole(value: Any) -> bool:
    """Whether it is a number, which may be written as text, and no larger than any of these is."""
    if isinstance(value, str):
        return value.isdecimal() and len(value) < 16
    return type(value) is int and 0 <= value < 10**15


def _id(name: str, size: int = 8) -> str:
    return blake2b(name.encode(), digest_size=size).hexdigest()
