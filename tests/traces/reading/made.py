"""Traces by hand: an agent's runs with their model calls, tools and other spans."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.conversation import Conversation
from traces.reading import conversations, stream
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
