"""The log records of each span; those of a tool may stand on another: Claude Code logs on its run what tools do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from traces.dialects.claude_code import SCOPE
from traces.genai import TOOL_CALL_ID
from traces.log_record import LogRecord
from traces.span import Span

Key = tuple[str | None, str | None]

NO_TRACE: Key = (None, None)
"""Where the records are that belong to no span at all."""

_ID = "tool_use_id"
"""How a record of Claude Code names the tool call that it is about."""


def by_span(logs: Iterable[LogRecord], spans: Sequence[Span]) -> dict[Key, list[LogRecord]]:
    """The records by trace and span, in the order in which they come.

    One of Claude Code that names a tool call is put to the first span of that call in its trace, if there is one.
    """
    found: dict[Key, list[LogRecord]] = {}
    calls: dict[Key, Key] | None = None
    for record in logs:
        key = record.trace_id, record.span_id
        call = record.attributes.get(_ID)
        if isinstance(call, str) and record.scope.startswith(SCOPE):
            if calls is None:
                calls = _calls(spans)
            key = calls.get((record.trace_id, call), key)
        found.setdefault(key, []).append(record)
    return found


def _calls(spans: Iterable[Span]) -> dict[Key, Key]:
    """The first span of each tool call, by trace and the call's id."""
    found: dict[Key, Key] = {}
    for span in spans:
        call = span.attributes.get(TOOL_CALL_ID)
        if isinstance(call, str):
            found.setdefault((span.trace_id, call), (span.trace_id, span.span_id))
    return found
