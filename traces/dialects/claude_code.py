"""Claude Code, alone or under the Claude Agent SDK: spans without texts, and log records that hold what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.errors import described, named
from traces.dialects.content.exchange import counts
from traces.dialects.content.parts import shown
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import record
from traces.dialects.evaluations import event_name
from traces.dialects.facts import Facts
from traces.genai import TOOL_CALL_ID, TOOL_NAME, first_of
from traces.log_record import LogRecord
from traces.span import Span

SCOPE = "com.anthropic.claude_code"
"""How the scopes of its spans and of its records begin."""

_SUB_AGENT = "agent."
"""How a sub-agent is named where a request says what it is for: `agent.builtin.general-purpose`."""

_CUT = '"<nested>"'
"""What stands in arguments for what is deeper than its records go."""

_CALL_IDS = (TOOL_CALL_ID, "tool_use_id")
_RESULTS = ("output", "content")
_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_creation_tokens": "cache_creation_input_tokens",
}
"""The names that a request gives to its counts, and the API's own for the same."""


class ClaudeCode:
    """An interaction is a turn; its requests hold token counts, and a tool's span has another within that tells how it
    failed. Prompts, replies, arguments and results are there if Claude Code was told to log them.
    """

    name = "claude-code"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of its own tracer."""
        return span.scope.startswith(SCOPE)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the type of the span."""
        kind = span.attributes.get("span.type")
        if kind == "interaction":
            facts = begin("agent", self.name, span, logs)
            facts.said = _text(span.attributes.get("user_prompt"))
            facts.replied = _reply(logs)
        elif kind == "llm_request":
            facts = self._model(span, logs)
        elif kind == "tool":
            facts = self._tool(span, logs)
        elif kind == "tool.execution":
            facts = begin("tool", self.name, span, logs)
            facts.tool = arguments_of("", first_of(span.attributes, _CALL_IDS), None)
            if facts.error is not None:
                facts.error = _error(span.attributes.get("error_class"), span.attributes.get("error"))
        else:
            facts = begin("other", self.name, span, logs)
        return facts

    def _model(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        facts, at = begin_model(self.name, span, logs), span.attributes
        facts.model = facts.model or text_or_none(at.get("model"))
        if facts.usage is None:
            count(facts, counts({name: at[own] for own, name in _COUNTS.items() if own in at}))
        facts.agent = facts.agent or text_or_none(at.get("agent.name"))
        source = text_or_none(at.get("query_source_safe"))
        if source is not None and source.startswith(_SUB_AGENT):
            facts.agent = source.rpartition(".")[2]
        return facts

    def _tool(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        facts, at = begin("tool", self.name, span, logs), span.attributes
        told = next((one.attributes for one in _named(logs, "tool_result")), {})
        name, given = first_of(at, (TOOL_NAME, "tool_name")), told.get("tool_input")
        if name == "mcp_tool":  # of whatever server
            name = record(at.get("tool_parameters")).get("mcp_tool_name", name)
        facts.tool = arguments_of(name, first_of(at, _CALL_IDS), given)
        if isinstance(given, str) and _CUT in given:
            facts.tool = replace(facts.tool, arguments=None, raw=given)
        for event in span.events:
            if event.name == "tool.output":
                take_result(facts, first_of(event.attributes, _RESULTS))
        if facts.error is None and str(told.get("success")).lower() == "false":
            facts.error = _error(told.get("error_type"), told.get("error"))
        return facts


CLAUDE_CODE = ClaudeCode()


def _reply(logs: Sequence[LogRecord]) -> str | None:
    """The last text of the agent itself; that of a sub-agent in the background is no reply."""
    said = [one.attributes for one in _named(logs, "assistant_response") if "agent_id" not in one.attributes]
    return _text(said[-1].get("response")) if said else None


def _text(value: Any) -> str | None:
    """The text; None where Claude Code was not told to log it."""
    return shown(text_or_none(value) or "") or None


def _named(logs: Sequence[LogRecord], name: str) -> Iterator[LogRecord]:
    return (one for one in logs if event_name(one) == name)


def _error(kind: Any, message: Any) -> ToolError:
    inner, text = described(None if message == kind else message)
    return ToolError(inner or named(kind), text, "status")
