"""Strands Agents: messages are span events of Bedrock blocks, or by newer settings GenAI attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.conversation import ToolError
from traces.dialects.common import text_or_none
from traces.dialects.content.errors import described
from traces.dialects.content.messages import messages
from traces.dialects.content.parts import answered
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import as_text, is_record, read
from traces.dialects.facts import Facts, Kind, Message
from traces.dialects.otel_events import CHOICE
from traces.dialects.otel_genai import DETAILS, INPUT, OUTPUT, kind_of, read_as
from traces.dialects.spoken import spoken
from traces.genai import AGENT_NAME, OPERATION, TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT
from traces.log_record import LogRecord
from traces.span import Span, SpanEvent

_PROVIDER = "strands-agents"
_AGENTS = ("invoke_swarm", "invoke_graph")
_STATUS = ("gen_ai.tool.status", "tool.status")
_PROMPT = "gen_ai.prompt"
_COMPLETION = "gen_ai.completion"


class Strands:
    """All its spans name `strands-agents` as provider; the first versions put JSON into `gen_ai.prompt` and `tool.*`.

    The usage of an agent's span is the sum over the agent's life.
    """

    name = "strands"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the agent loop, unless another instrumentation put its own attributes in the place of these."""
        at = span.attributes
        if "openinference.span.kind" in at and not (OPERATION in at and any(map(_is_told, span.events))):
            return False
        return span.scope.startswith("strands") or _PROVIDER in (
            at.get("gen_ai.system"),
            at.get("gen_ai.provider.name"),
        )

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the operation, messages from wherever they are."""
        plain = _with_details(span)
        facts = read_as(_kind(plain), self.name, plain, logs)
        facts.span = span
        if facts.kind == "model":
            _model(facts)
        elif facts.kind == "tool":
            _tool(facts, plain)
        elif facts.kind == "agent":
            _agent(facts)
        return facts


STRANDS = Strands()


def _is_told(event: SpanEvent) -> bool:
    return event.name.startswith("gen_ai.")


def _with_details(span: Span) -> Span:
    """The span with the content of its details events among its attributes, the later event first."""
    told: dict[str, object] = {}
    for event in span.events:
        if event.name == DETAILS:
            told.update(event.attributes)
    return replace(span, attributes={**told, **span.attributes}) if told else span


def _kind(span: Span) -> Kind:
    at = span.attributes
    if at.get(OPERATION) in _AGENTS:
        return "agent"
    if OPERATION in at:
        return kind_of(at)
    if "tool.name" in at:
        return "tool"
    if AGENT_NAME in at and _PROMPT in at:
        return "model" if isinstance(read(at[_PROMPT]), list) else "agent"
    return "other"


def _model(facts: Facts) -> None:
    at = facts.span.attributes
    told = [(event.name.split(".")[1], event.attributes.get("content")) for event in _events(facts.span)]
    choice = next((event.attributes for event in facts.span.events if event.name == CHOICE), None)
    if told:
        facts.input = messages([{"role": role, "content": read(content)} for role, content in told])
        facts.gaps = facts.span.dropped > 0  # the oldest events are dropped first
    elif _PROMPT in at:
        facts.input = messages(at[_PROMPT])
    if choice is not None:
        facts.output = messages([{"role": "assistant", "content": read(choice.get("message"))}])
        facts.finish = facts.finish or text_or_none(choice.get("finish_reason"))
    elif _COMPLETION in at:
        facts.output = messages([{"role": "assistant", "content": read(at[_COMPLETION])}])


def _tool(facts: Facts, span: Span) -> None:
    at = span.attributes
    name, call_id = at.get(TOOL_NAME) or at.get("tool.name"), at.get(TOOL_CALL_ID) or at.get("tool.id")
    given = at.get(TOOL_ARGUMENTS, at.get("tool.parameters"))
    asked = next((event.attributes.get("content") for event in _events(span)), None)
    calls = [call for message in _asked(at.get(INPUT)) for call in message.calls]
    if given is None and asked is None and calls:
        facts.tool = replace(calls[0], id=calls[0].id or text_or_none(call_id))
    else:
        facts.tool = arguments_of(name, call_id, given if given is not None else asked)
    result = at.get(TOOL_RESULT, at.get("tool.result"))
    if result is None:
        result = next((event.attributes.get("message") for event in span.events if event.name == CHOICE), None)
    if result is None:
        answers = [answer for message in messages(at.get(OUTPUT)) for answer in message.answers]
        result = answers[0].content if answers else None
    if result is None:
        return
    content = answered(read(result))
    facts.told = as_text(content)
    if any(at.get(name) == "error" for name in _STATUS):
        facts.has_result, facts.result = False, None
        if facts.error is None:
            facts.error = ToolError(*described(facts.told), "result")
    elif facts.error is None:
        take_result(facts, content)


def _asked(value: object) -> tuple[Message, ...]:
    """The messages of a tool's input, which have the role `tool` though they ask for the call."""
    found = read(value)
    return messages(
        [{**item, "role": "assistant"} for item in found if is_record(item)] if isinstance(found, list) else None
    )


def _agent(facts: Facts) -> None:
    at = facts.span.attributes
    said = [event.attributes.get("content") for event in _events(facts.span, ("user",))]
    replied = next((event.attributes.get("message") for event in facts.span.events if event.name == CHOICE), None)
    facts.said = facts.said or spoken(said[-1] if said else at.get(_PROMPT))
    facts.replied = spoken(replied if replied is not None else at.get(_COMPLETION)) or spoken(facts.replied)
    rules = [event.attributes.get("content") for event in _events(facts.span, ("system",))]
    rules += [at[name] for name in ("system_prompt", "gen_ai.agent.system_prompt") if name in at]
    facts.system = facts.system or (spoken(rules[0]) if rules else None)
    facts.counted = False


def _events(span: Span, roles: Sequence[str] = ("system", "user", "assistant", "tool")) -> list[SpanEvent]:
    names = {f"gen_ai.{role}.message" for role in roles}
    return [event for event in span.events if event.name in names]
