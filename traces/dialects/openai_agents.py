"""OpenTelemetry's first instrumentation of OpenAI's Agents SDK: what it does not know it writes as Python shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from traces.dialects.content.messages import messages
from traces.dialects.content.python_text import expression
from traces.dialects.content.values import as_text, record
from traces.dialects.facts import AskedCall, Facts, Message
from traces.dialects.otel_genai import OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "opentelemetry.instrumentation.openai_agents"
_ITEM, _PART = "Response", "{'annotations': "
_CALL, _TEXT = "ResponseFunctionToolCall", "ResponseOutputText"


class OpenAIAgents:
    """The conventions' attributes. Only an agent's span names the agent; on all others is the instrumentation's own."""

    name = "otel-genai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of that instrumentation; OpenLLMetry's is of the same name, and does not describe itself."""
        return span.scope == _SCOPE and "gen_ai.agent.description" in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of the conventions, with the items of responses as what they are."""
        facts = OTEL_GENAI.read(span, logs)
        if facts.kind != "agent":
            facts.agent = None
        facts.input = None if facts.input is None else tuple(map(_meant, facts.input))
        facts.output = None if facts.output is None else tuple(map(_meant, facts.output))
        return facts


OPENAI_AGENTS = OpenAIAgents()


def _meant(message: Message) -> Message:
    """The message with the items among its lines as calls and words; reasoning is neither."""
    if message.role != "assistant" or not any(mark in message.text for mark in (_ITEM, _PART)):
        return message
    words: list[str] = []
    calls: list[AskedCall] = []
    for line in message.text.split("\n"):
        if line.startswith(_PART):
            words.append(as_text(record(line).get("text", line)))
        elif line.startswith(_ITEM) and (item := _item(line)) is not None:
            words += _texts(item)
            calls += _calls(item)
        else:
            words.append(line)
    return replace(message, text="\n".join(words), calls=(*message.calls, *calls))


def _item(line: str) -> ast.Call | None:
    """The object that a line is the repr of."""
    try:
        found = expression(line)
    except ValueError:
        return None
    return found if isinstance(found, ast.Call) and _class(found).startswith(_ITEM) else None


def _calls(item: ast.Call) -> Sequence[AskedCall]:
    if _class(item) != _CALL:
        return ()
    names = ("call_id", "name", "arguments")
    asked = {"type": "function_call", **{name: value for name, value in _fields(item) if name in names}}
    return [call for message in messages([asked], "assistant") for call in message.calls]


def _texts(item: ast.Call) -> Iterator[str]:
    for inner in ast.walk(item):
        if isinstance(inner, ast.Call) and _class(inner) == _TEXT:
            yield from (value for name, value in _fields(inner) if name == "text")


def _fields(item: ast.Call) -> Iterator[tuple[str | None, str]]:
    """The fields of an object that hold text."""
    for field in item.keywords:
        if isinstance(field.value, ast.Constant) and isinstance(field.value.value, str):
            yield field.arg, field.value.value


def _class(item: ast.Call) -> str:
    return item.func.id if isinstance(item.func, ast.Name) else ""
