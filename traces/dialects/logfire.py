"""Logfire's own instrumentations of OpenAI, Anthropic and the Agents SDK: requests and responses as JSON, of late in
the conventions' words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.conversation import ToolError
from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.errors import described
from traces.dialects.content.exchange import counts, history, response
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import read, record
from traces.dialects.facts import Facts
from traces.dialects.otel_genai import OUTPUT, kind_of, read_as
from traces.genai import INPUT_TOKENS, OPERATION
from traces.log_record import LogRecord
from traces.span import Span

_ANSWERS = frozenset({"response_data", OUTPUT, INPUT_TOKENS, "gen_ai.response.id"})
"""What is there of an answer. A streamed one is on a record of its end, which repeats the request."""

_SCOPE = "logfire."
_GROUP = "group_id"


class Logfire:
    """A span is told by the fields that its message is made of."""

    name = "logfire"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the Agents SDK, or a model call with its request."""
        if "request_data" in span.attributes:
            return span.scope.startswith(_SCOPE) or _speaks(span)
        return span.scope == "logfire.openai_agents"

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by what is on the span."""
        at = span.attributes
        if "request_data" in at:
            return self._request(span, logs)
        if "raw_input" in at:
            return self._model(span, logs)
        if "mcp_data" in at:
            return self._tool(span, logs)
        facts = begin("agent" if "handoffs" in at else "other", self.name, span, logs)
        if facts.kind == "agent":
            facts.agent, facts.counted = text_or_none(at.get("name")), False
        if facts.conversation is None and (group := text_or_none(read(at.get(_GROUP)))) is not None:
            facts.conversation = (group, _GROUP)
        return facts

    def _request(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        at = span.attributes
        kind = "model" if _speaks(span) else kind_of(at)
        if kind == "model" and at.keys().isdisjoint(_ANSWERS) and span.status != "error":
            return begin("other", self.name, span, logs)
        if _speaks(span):
            return self._model(span, logs)
        facts = read_as(kind, self.name, span, logs)
        if kind == "model" and (used := counts(record(at.get("gen_ai.usage.raw")))):
            facts.notes.clear()
            count(facts, {**used, **at})
        return facts

    def _model(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        at, facts = span.attributes, begin_model(self.name, span, logs)
        given = response(next((at[name] for name in ("response_data", "response") if name in at), None))
        rules = record(at.get("response")).get("instructions")
        if "raw_input" in at:
            facts.input = history({"instructions": rules, "input": at["raw_input"]})
        else:
            facts.input = history(at["request_data"])
        facts.output = given.messages or None
        facts.model = facts.model or text_or_none(record(at.get("request_data")).get("model"))
        facts.response_model, facts.response_id = facts.response_model or given.model, facts.response_id or given.id
        facts.finish = facts.finish or given.finish
        if given.usage:
            facts.notes.clear()
            count(facts, given.usage)
        return facts

    def _tool(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        at, facts = span.attributes, begin("tool", self.name, span, logs)
        facts.tool = arguments_of(at.get("name"), None, at.get("input"))
        if "error" in at or facts.error is not None:
            kind, message = described(at.get("error"))
            known = facts.error or ToolError(None, None, "status")
            facts.error = replace(known, type=known.type or kind, message=message)
            facts.told = text_or_none(at.get("output"))
        else:
            take_result(facts, at.get("output"))
        return facts


LOGFIRE = Logfire()


def _speaks(span: Span) -> bool:
    """Whether it is a model's request, not another of the client's."""
    at = span.attributes
    return at.get(OPERATION) is None and ("logfire.msg_template" in at or "gen_ai.request.model" in at)
