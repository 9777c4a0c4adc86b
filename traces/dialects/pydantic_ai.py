"""Pydantic AI (Logfire): message events in one attribute (format 1), GenAI attributes and some of its own (2 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.errors import described
from traces.dialects.content.messages import messages
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import as_text, is_record, read
from traces.dialects.facts import Facts, Kind, Message
from traces.dialects.otel_events import CHOICE, OTEL_EVENTS
from traces.dialects.otel_genai import KINDS, last_text, read_as
from traces.genai import (
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_TOKENS,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
    first_of,
)
from traces.log_record import LogRecord
from traces.span import Span

_EVENTS = "events"
_ALL = ("pydantic_ai.all_messages", "all_messages_events")
_NEW = "pydantic_ai.new_message_index"
_SIGNS = (*_ALL, "model_request_parameters", "tool_arguments", "tool_response", "pydantic_ai.tool.retry.cause")
_ADVICE = "\n\nFix the errors and try again."
_RETRY = ("ToolRetryError", "ModelRetry", None)


class PydanticAI:
    """An agent's span holds the conversation so far and where the run's own messages begin."""

    name = "pydantic-ai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of its scope, or with an attribute that only it writes."""
        return span.scope == "pydantic-ai" or any(sign in span.attributes for sign in _SIGNS)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the operation, or in the early formats by what is on the span."""
        kind = _kind(span)
        if kind == "model":
            return self._model(span, logs)
        if kind not in ("tool", "agent"):
            return begin(kind, self.name, span, logs)
        facts = read_as(kind, self.name, span, logs)
        facts.agent = facts.agent or text_or_none(span.attributes.get("agent_name"))
        if kind == "tool":
            _tool(facts)
        else:
            _agent(facts)
        return facts

    def _model(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        if _EVENTS not in span.attributes:
            reads = OTEL_EVENTS.read if OTEL_EVENTS.knows(span, logs) else None
            facts = reads(span, logs) if reads else read_as("model", self.name, span, logs)
            facts.dialect = self.name
            return facts
        facts = begin_model(self.name, span, logs)
        facts.input, facts.output = _events(span.attributes[_EVENTS])
        return facts


PYDANTIC_AI = PydanticAI()


def _kind(span: Span) -> Kind:
    at = span.attributes
    operation = at.get(OPERATION)
    if isinstance(operation, str) and operation in KINDS:
        return KINDS[operation]
    if TOOL_NAME in at or "tool_arguments" in at or "tool_response" in at:
        return "tool"
    if "model_request_parameters" in at:
        return "model"
    return "agent" if "agent_name" in at or any(name in at for name in _ALL) else "other"


def _events(value: Any) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The messages of a list of events, those before the choices and the choices."""
    rows = read(value)
    asked: list[Message] = []
    given: list[Message] = []
    for row in rows if isinstance(rows, list) else ():
        if is_record(row):
            chosen = row.get("event.name") == CHOICE
            body = row.get("message", row) if chosen else row
            (given if chosen else asked).extend(messages([body], "assistant" if chosen else "user"))
    return tuple(asked), tuple(given)


def _tool(facts: Facts) -> None:
    at = facts.span.attributes
    given, result = first_of(at, (TOOL_ARGUMENTS, "tool_arguments")), first_of(at, (TOOL_RESULT, "tool_response"))
    facts.tool = arguments_of(at.get(TOOL_NAME) or facts.span.name, at.get(TOOL_CALL_ID), given)
    if facts.error is None:
        take_result(facts, result)
        return
    facts.has_result, facts.result = False, None
    if facts.error.type in _RETRY:  # the tool asked the model to try again, in the words of its result
        kind, message = described(as_text(result).removesuffix(_ADVICE))
        own = facts.error.type or "ModelRetry"
        facts.error = ToolError(
            kind or own, message or (facts.error.message or "").removesuffix(_ADVICE) or None, facts.error.evidence
        )


def _agent(facts: Facts) -> None:
    at = facts.span.attributes
    told = first_of(at, _ALL)
    if told is not None:
        rows = read(told)
        new = at.get(_NEW)
        rows = rows[new:] if isinstance(rows, list) and isinstance(new, int) else rows
        own = messages(rows)
        facts.said = last_text(own, "user") or facts.said
        facts.replied = last_text(own, "assistant") or facts.replied
    final = at.get("final_result")
    if isinstance(final, str) and final:
        facts.replied = final
    if facts.usage is None:
        names = {f"gen_ai.aggregated_usage.{name.rsplit('.', 1)[-1]}": name for name in (INPUT_TOKENS, OUTPUT_TOKENS)}
        count(facts, {name: at[total] for total, name in names.items() if total in at})
    facts.counted = False
