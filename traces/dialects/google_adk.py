"""Google's Agent Development Kit: GenAI conventions (schema 2), `gcp.vertex.agent.*` with Gemini's JSON (schema 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.dialects.common import begin, count
from traces.dialects.content.errors import described
from traces.dialects.content.exchange import history, response
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import is_record, read, record
from traces.dialects.facts import AskedCall, Facts, Message
from traces.dialects.otel_events import OTEL_EVENTS
from traces.dialects.otel_genai import OUTPUT, kind_of, read_as
from traces.genai import OPERATION, TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT
from traces.log_record import LogRecord
from traces.span import Span

SCOPE = "gcp.vertex.agent"
"""That of all its own spans."""

_REQUEST = "gcp.vertex.agent.llm_request"
_RESPONSE = "gcp.vertex.agent.llm_response"
_ARGUMENTS = "gcp.vertex.agent.tool_call_args"
_RESULT = "gcp.vertex.agent.tool_response"
_MERGED = "(merged tools)"
"""What the kit names a span around the answers of tools that ran at once, each of which has its own."""

_IDENTITY = re.compile(
    r'\n\nYou are an agent\. Your internal name is "[^"]*"\.(?: The description about you is "[^"]*"\.?)?\Z'
)
"""What the kit adds to an application's own instructions."""

_PREFIX = re.compile(r"\A[a-z_]+/(?=[^/]+\Z)")
"""The provider before a model's name, as LiteLLM wants it."""

_RAN = re.compile(r"\A(agent_run|execute_tool) \[?(.+?)\]?\Z")
"""How schema 1 names a span that has no attributes: an agent's always, a tool's if it raised."""

_RETOLD = re.compile(r"\AFor context:.*\n\[[^\]\n]+\] ", re.DOTALL)
_SAID = re.compile(
    r"^\[[^\]\n]+\] said:(?: |\n<<<BEGIN_QUOTED_AGENT_CONTENT>>>\n)(.*?)"
    r"(?=\n<<<END_QUOTED_AGENT_CONTENT>>>|\n\[[^\]\n]+\] |\Z)",
    re.DOTALL | re.MULTILINE,
)
"""What another agent did, as the kit retells it in the role of the user to the one that goes on; and what it said."""

_NOTHING = ("<not specified>", "<elided>", "<not serializable>", "N/A", "{}", "")


class GoogleADK:
    """Its scope is `gcp.vertex.agent`. A `call_llm` of schema 1 holds the same call as the span within it."""

    name = "google-adk"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the kit, also if another instrumentation renamed its scope."""
        return span.scope == SCOPE or _REQUEST in span.attributes or _ARGUMENTS in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the operation; a span that merges parallel calls is `other`, for each has a span of its own."""
        facts = self._read(span, logs)
        facts.system = None if facts.system is None else _IDENTITY.sub("", facts.system)
        facts.input = None if facts.input is None else own(facts.input)
        facts.output = None if facts.output is None else _whole(facts.output, span, logs)
        facts.model = None if facts.model is None else _PREFIX.sub("", facts.model)
        return facts

    def _read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        at = span.attributes
        if at.get(TOOL_NAME) == _MERGED:
            return begin("other", self.name, span, logs)
        kind = kind_of(at)
        if kind == "tool" and TOOL_NAME not in at:  # the answer to a call, which has a span of its own (Java)
            return begin("other", self.name, span, logs)
        if at.get(OPERATION) == "call_llm" or (kind in ("model", "other") and read(at.get(_REQUEST)) not in (None, {})):
            return _call_llm(read_as("model", self.name, span, logs))
        if kind == "other" and (ran := _RAN.match(span.name)) is not None:
            return _nameless(begin("agent" if ran[1] == "agent_run" else "tool", self.name, span, logs), ran[2])
        if OTEL_EVENTS.knows(span, logs):
            return _events(OTEL_EVENTS.read(span, logs), self.name)
        facts = read_as(kind, self.name, span, logs)
        if facts.kind == "tool":
            _tool(facts)
        return facts


GOOGLE_ADK = GoogleADK()


def _call_llm(facts: Facts) -> Facts:
    at = facts.span.attributes
    asked, given = record(at.get(_REQUEST)), record(at.get(_RESPONSE))
    facts.input = history(asked)
    if given:
        reply = response(given)
        facts.output = reply.messages
        facts.finish = facts.finish or reply.finish
        if reply.usage:
            facts.notes.clear()
            count(facts, reply.usage)
    return facts


def _nameless(facts: Facts, name: str) -> Facts:
    if facts.kind == "agent":
        facts.agent = name
    else:
        facts.tool = AskedCall(name)
    return facts


def own(told: Sequence[Message]) -> tuple[Message, ...]:
    """The messages as they were before the kit added to them. What an agent did is told by its own spans."""
    found: list[Message] = []
    for message in told:
        if message.role == "system":
            message = replace(message, text=_IDENTITY.sub("", message.text))
        if message.role == "user" and _RETOLD.match(message.text):
            found += [Message("assistant", said) for said in _SAID.findall(message.text)]
        else:
            found.append(message)
    return tuple(found)


def _whole(output: tuple[Message, ...], span: Span, logs: Sequence[LogRecord]) -> tuple[Message, ...]:
    """The output; of a stream, where each piece stands as a message that is not finished, the one that they make."""
    if len(output) < 2:
        return output
    told = next(
        (
            found
            for held in (span.attributes, *(log.attributes for log in logs))
            if (found := held.get(OUTPUT)) is not None
        ),
        None,
    )
    pieces = read(told)
    if not isinstance(pieces, list) or any(not is_record(one) or one.get("finish_reason") for one in pieces[:-1]):
        return output
    calls = tuple(call for message in output for call in message.calls)
    return (Message("assistant", "".join(message.text for message in output), calls, (), output[-1].cut),)


def _events(facts: Facts, name: str) -> Facts:
    """Message records: their body's content is one of Gemini's, whose role may be another than that of the record."""
    facts.dialect = name
    facts.input, facts.output = _captured(facts.input), _captured(facts.output)
    return facts


def _captured(told: Sequence[Message] | None) -> tuple[Message, ...] | None:
    """The messages; None if their content was left out, which a stand-in tells."""
    if told is None or any(message.text in _NOTHING[:2] for message in told):
        return None
    return tuple(told)


def _tool(facts: Facts) -> None:
    at = facts.span.attributes
    call_id = at.get(TOOL_CALL_ID)
    given = next((at[name] for name in (TOOL_ARGUMENTS, _ARGUMENTS) if name in at), None)
    if at.get(_ARGUMENTS) == at.get(_RESULT) == "{}":
        given = None  # so it says that content is not captured; a tool's own answer is never empty
    facts.tool = arguments_of(at.get(TOOL_NAME), None if call_id in _NOTHING else call_id, given)
    result = next((at[name] for name in (TOOL_RESULT, _RESULT) if name in at), None)
    facts.has_result, facts.result = False, None
    if result is None or (isinstance(result, str) and result in _NOTHING):
        return
    value = unwrapped(read(result))
    if value == "<not specified>":
        return
    if facts.error is None:
        take_result(facts, value)
    elif facts.error.evidence == "status":  # it says only TOOL_ERROR, the result says which
        kind, message = described(value.get("error") if is_record(value) else value)
        if message is not None:
            facts.error = replace(facts.error, type=kind or facts.error.type, message=message)


def unwrapped(value: Any) -> Any:
    """What the tool gave: the kit wraps what is no object into one."""
    return value["result"] if is_record(value) and set(value) == {"result"} else value
