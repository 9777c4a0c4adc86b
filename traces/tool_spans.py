"""Reading tool calls from spans, whichever instrumentation made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from traces.genai import (
    ERROR_TYPE,
    EXECUTE_TOOL,
    OPERATION,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
    first_of,
    turns_of,
)
from traces.span import Span

_NAME = (TOOL_NAME, "tool.name")
_ARGUMENTS = (TOOL_ARGUMENTS, "input.value")
_RESULT = (TOOL_RESULT, "output.value")


@dataclass(frozen=True, slots=True)
class ToolCallSpan:
    """One tool call as a span shows it; what the span does not tell is None. Times in seconds since the epoch.

    `turn`: the number of the turn span above it. `arguments` and `result` as they were written, JSON text mostly.
    `error`: its text, or its type.
    """

    span_id: str
    turn: int | None
    tool: str
    call_id: str | None
    arguments: Any
    result: Any
    error: str | None
    started: float
    ended: float


def tool_calls(spans: Iterable[Span], known: Iterable[str | None] = ()) -> list[ToolCallSpan]:
    """The tool calls of one trace, in order of their start, but those of the `known` span ids."""
    every, left_out = list(spans), frozenset(known)
    shown = [span for span in every if _is_tool(span.attributes) and span.span_id not in left_out]
    if not shown:
        return []
    turns = turns_of(every)
    return [_read(span, turns[span.span_id]) for span in sorted(shown, key=lambda span: span.start)]


def _is_tool(attributes: Mapping[str, Any]) -> bool:
    return attributes.get(OPERATION) == EXECUTE_TOOL or attributes.get("openinference.span.kind") == "TOOL"


def _read(span: Span, turn: int | None) -> ToolCallSpan:
    given = span.attributes
    failed = span.status == "error" or given.get(ERROR_TYPE) is not None
    return ToolCallSpan(
        span_id=span.span_id,
        turn=turn,
        tool=str(first_of(given, _NAME) or span.name.removeprefix(f"{EXECUTE_TOOL} ")),
        call_id=given.get(TOOL_CALL_ID),
        arguments=first_of(given, _ARGUMENTS),
        result=first_of(given, _RESULT),
        error=span.status_text or str(given.get(ERROR_TYPE) or "the tool failed") if failed else None,
        started=span.start / 1e9,
        ended=span.end / 1e9,
    )
