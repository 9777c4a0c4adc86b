"""Calls that never came to the sandbox, from the spans that the agent's own instrumentation made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from tools_sandbox.call import Call, CallError, Json
from tools_sandbox.schema import SandboxSchema
from traces.span import Span
from traces.tool_spans import ToolCallSpan, tool_calls


def with_outside_calls(calls: Sequence[Call], spans: Iterable[Span], schema: SandboxSchema) -> list[Call]:
    """The recorded calls in the order of the record, and among them those that only a span shows, by turn and time.
    Each call once, though it may have a span of the sandbox and several of instrumentations.
    """
    every = list(calls)
    for shown in tool_calls(spans, (call.span_id for call in calls)):
        call = _call(shown, schema)
        if not any(_same(call, known) for known in every):
            later = (at for at, known in enumerate(every) if (known.turn, known.started) > (call.turn, call.started))
            every.insert(next(later, len(every)), call)
    return every


def _call(shown: ToolCallSpan, schema: SandboxSchema) -> Call:
    arguments, known = _read(shown.arguments), schema.tools.get(shown.tool)
    return Call(
        id=shown.call_id or shown.span_id,
        turn=shown.turn or 0,
        tool=shown.tool,
        raw=shown.arguments if isinstance(shown.arguments, str) else None,
        arguments=arguments if isinstance(arguments, dict) else None,
        kind=known.kind if known is not None else None,
        origin="span",
        result=_read(shown.result),
        error=CallError("passthrough", shown.error) if shown.error is not None else None,
        started=shown.started,
        ended=shown.ended,
        span_id=shown.span_id,
    )


def _read(value: Json) -> Json:
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return value


def _same(call: Call, known: Call) -> bool:
    """Whether what a span shows is a call that is known already: by its id, else by name, arguments and time. Models
    number their calls anew in every turn, so that an id says something only within one.
    """
    if call.turn != known.turn:
        return False
    if call.id == known.id:
        return True
    if known.origin == "span" and call.span_id != call.id:
        return False  # two ids, two calls; the sandbox's own ids say nothing
    return (
        call.tool == known.tool
        and (call.arguments is None or call.arguments == known.arguments)
        and call.started <= known.ended
        and known.started <= call.ended
    )
