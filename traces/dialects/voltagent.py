"""VoltAgent's own telemetry: agents with tools, and one span for all requests that a model got for one message."""

from __future__ import annotations

from collections.abc import Sequence

from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.exchange import counts, history
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.facts import Facts, Kind
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "@voltagent/core"
_TYPE = "span.type"
_KINDS: dict[str | None, Kind] = {"llm": "model", "tool": "tool"}
_COUNTED = ("prompt_tokens", "completion_tokens", "total_tokens", "cached_tokens", "reasoning_tokens")


class VoltAgent:
    """The type says what a span is; an agent's own has none."""

    name = "voltagent"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the framework's."""
        return span.scope == _SCOPE

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the type. What came of a model call is told by the agent's span, and by later histories."""
        attributes = span.attributes
        kind = _KINDS.get(text_or_none(attributes[_TYPE]), "other") if _TYPE in attributes else "agent"
        if kind == "model":
            found = begin_model(self.name, span, logs)
            found.model = text_or_none(attributes.get("llm.model"))
            found.finish = text_or_none(attributes.get("llm.finish_reason"))
            found.streamed = attributes.get("llm.stream") if isinstance(attributes.get("llm.stream"), bool) else None
            found.input = history(attributes.get("llm.messages"))
            _count(found, "llm.usage.")
        else:
            found = begin(kind, self.name, span, logs)
        if kind == "tool":
            found.tool = arguments_of(
                attributes.get("tool.name"), attributes.get("tool.call.id"), attributes.get("input")
            )
            take_result(found, attributes.get("output"))
        elif kind == "agent":
            found.said, found.replied = text_or_none(attributes.get("input")), text_or_none(attributes.get("output"))
            found.system = text_or_none(attributes.get("agent.instructions"))
            found.counted = False
            _count(found, "usage.")
        found.agent = text_or_none(attributes.get("entity.name")) if attributes.get("entity.type") == "agent" else None
        return found


VOLTAGENT = VoltAgent()


def _count(facts: Facts, prefix: str) -> None:
    at = facts.span.attributes
    if used := counts({name: at[prefix + name] for name in _COUNTED if prefix + name in at}):
        count(facts, used)
