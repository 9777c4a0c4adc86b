"""Traces by hand: an agent's runs with their model calls, tools and other spans."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.conversation import Conversation, ModelCall, ToolCall, Turn
from traces.reading import conversation, conversations, stream
from traces.span import Span, SpanEvent

SECOND = 10**9


class Trace:
    """One trace; every span gets the next id, and starts a second after the one before unless a time is given."""

    def __init__(self, number: int = 1, start: int = 0) -> None:
        self.id = f"{number:032x}"
        self.spans: list[Span] = []
        self._start = start

    def add(
        self,
        attributes: dict[str, Any],
        parent: Span | None = None,
        *,
        at: float | None = None,
        lasting: float = 0.5,
        scope: str = "test",
        **more: Any,
    ) -> Span:
        number = len(self.spans) + 1
        start = int((self._start + (number if at is None else at)) * SECOND)
        made = Span(
            self.id,
            f"{int(self.id, 16) * 1000 + number:016x}",
            parent.span_id if parent else None,
            "span",
            "internal",
            start,
            start + int(lasting * SECOND),
            attributes,
            scope=scope,
            **more,
        )
        self.spans.append(made)
        return made

    def run(
        self, agent: str = "support", conversation: str | None = "c1", parent: Span | None = None, **more: Any
    ) -> Span:
        attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent}
        if conversation:
            attributes["gen_ai.conversation.id"] = conversation
        return self.add(attributes, parent, lasting=more.pop("lasting", 100), **more)

    def model(
        self,
        parent: Span | None,
        history: list[Any] | None,
        output: list[Any] | None,
        tokens: tuple[int, int] | None = (10, 5),
        extra: dict[str, Any] | None = None,
        **more: Any,
    ) -> Span:
        attributes: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
        if history is not None:
            attributes["gen_ai.input.messages"] = json.dumps(history)
        if output is not None:
            attributes["gen_ai.output.messages"] = json.dumps(output)
        if tokens:
            attributes |= {"gen_ai.usage.input_tokens": tokens[0], "gen_ai.usage.output_tokens": tokens[1]}
        return self.add(attributes | (extra or {}), parent, **more)

    def tool(
        self,
        parent: Span | None,
        name: str,
        arguments: Any = None,
        result: Any = None,
        call_id: str | None = None,
        **more: Any,
    ) -> Span:
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
        if arguments is not None:
            attributes["gen_ai.tool.call.arguments"] = json.dumps(arguments)
        if result is not None:
            attributes["gen_ai.tool.call.result"] = result if isinstance(result, str) else json.dumps(result)
        if call_id:
            attributes["gen_ai.tool.call.id"] = call_id
        return self.add(attributes, parent, **more)


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "parts": [{"type": "text", "content": text}]}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def assistant(text: str = "", *calls: tuple[str, str | None, Any]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "content": text}] if text else []
    parts += [
        {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments} for name, call_id, arguments in calls
    ]
    return {"role": "assistant", "parts": parts}


def answer(call_id: str | None, text: Any) -> dict[str, Any]:
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": text}]}


def exception(kind: str, message: str) -> tuple[SpanEvent, ...]:
    return (SpanEvent("exception", 1, {"exception.type": kind, "exception.message": message}),)


def limited(span: Span, most: int) -> Span:
    """What is left of a span whose SDK forgets the oldest attribute for each beyond so many."""
    left = dict(list(span.attributes.items())[-most:])
    return replace(span, attributes=left, dropped=len(span.attributes) - len(left))


def turn(number: int, history: list[Any], reply: str, conversation: str | None = None) -> Trace:
    trace = Trace(number, number * 1000)
    trace.model(trace.run(conversation=conversation), history, [assistant(reply)])
    return trace


def spans_of(*traces: Trace) -> list[Span]:
    return [span for trace in traces for span in trace.spans]


def streamed(spans: Sequence[Span]) -> list[Conversation]:
    """In any order; and as all at once, which is read another way."""
    mixed = random.Random(5).sample(spans, len(spans))
    found = list(stream(mixed))
    assert sorted(map(repr, found)) == sorted(map(repr, conversations(spans)))
    return found


def tool_calls(found: Conversation) -> list[ToolCall]:
    return [call for turn in found.turns for call in turn.tool_calls]


def asked_and_answered(
    told: Any = '{"v": 1}', call_id: str | None = "1", span: dict[str, Any] | None = None
) -> ToolCall:
    """One call of `get`, with a span of these attributes if there are any."""
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", call_id, {"k": 1}))
    trace.model(run, [user("a")], [asks])
    if span is not None:
        more = {key: span.pop(key) for key in ("events", "scope", "status", "status_text") if key in span}
        trace.add({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", **span}, run, **more)
    trace.model(run, [user("a"), asks, answer(call_id, told)], [assistant("b")])
    (call,) = tool_calls(conversation(trace.spans))
    return call


def talk(found: Conversation) -> list[tuple[str | None, str | None]]:
    return [(turn.user, turn.assistant) for turn in found.turns]


def tool_names(turn: Turn) -> list[str]:
    return [call.name for call in turn.tool_calls]


HISTORY, OUTPUT = [user("a")], [assistant("b")]


def model_calls(spans: list[Span]) -> list[ModelCall]:
    return [call for turn in conversation(spans).turns for call in turn.model_calls]


def response(value: str) -> dict[str, Any]:
    return {"gen_ai.response.id": value}


def words(found: Conversation) -> list[str | None]:
    return [turn.user for turn in found.turns]


def handled(
    number: int,
    history: list[Any],
    reply: str,
    attributes: dict[str, Any] | None = None,
    conversation_id: str | None = None,
) -> list[Span]:
    """A trace with a run and one model call; the attributes go on the call."""
    trace = Trace(number, number * 1000)
    trace.model(trace.run(conversation=conversation_id), history, [assistant(reply)], extra=attributes)
    return trace.spans


def of_service(spans: list[Span], service: str | None) -> list[Span]:
    return [replace(span, resource={} if service is None else {"service.name": service}) for span in spans]


def doubts(found: Conversation) -> list[str]:
    return [warning for warning in found.warnings if "began alike" in warning]
