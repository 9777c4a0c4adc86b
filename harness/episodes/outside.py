"""Calls that never came to the sandbox, as the agent's own instrumentation or code tells of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from tools_sandbox.call import Call, CallError, Json
from tools_sandbox.schema import SandboxSchema
from traces.span import Span
from traces.tool_spans import ToolCallSpan, tool_calls


def own_account(call: Call, schema: SandboxSchema, simulated: Collection[str]) -> Call:
    """A call that only the agent's side tells of, as it counts: of a `simulated` tool, no success. Whatever it did, it
    did not do it in the sandbox.
    """
    known = schema.tools.get(call.tool)
    if call.kind is None and known is not None:
        call.kind = known.kind
    if call.origin == "sandbox":
        call.origin = "span"
    if call.ok and call.tool in simulated:
        call.error = CallError(
            "outside",
            f"{call.tool} did not run in the sandbox, which simulates it: only the agent's own record tells of this "
            "call, so it counts as tried, not as done",
        )
    return call


def with_outside_calls(
    calls: Sequence[Call], spans: Iterable[Span], schema: SandboxSchema, simulated: Collection[str]
) -> list[Call]:
    """The recorded calls in the order of the record, and among them those that only a span shows, by turn and time.
    Each call once, though it may have a span of the sandbox and several of instrumentations.
    """
    every = list(calls)
    for shown in tool_calls(spans, (call.span_id for call in calls)):
        call = own_account(_call(shown), schema, simulated)
        if not any(_same(call, known) for known in every):
            later = (at for at, known in enumerate(every) if (known.turn, known.started) > (call.turn, call.started))
            every.insert(next(later, len(every)), call)
    return every


def _call(shown: ToolCallSpan) -> Call:
    arguments = _read(shown.arguments)
    return Call(
        id=shown.call_id or shown.span_id,
        turn=shown.turn or 0,
        tool=shown.tool,
        raw=shown.arguments if isinstance(shown.arguments, str) else None,
        arguments=arguments if isinstance(arguments, dict) else None,
        kind=None,
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
