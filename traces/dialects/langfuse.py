"""The Langfuse SDKs: `langfuse.observation.*`, all values JSON text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import begin, count, text_or_none
from traces.dialects.content.errors import described, error_of, is_pause
from traces.dialects.content.exchange import counts, history, response
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import as_text, is_record, read, record
from traces.dialects.facts import Facts, Kind
from traces.dialects.otel_genai import documents
from traces.dialects.spoken import replied, said, spoken
from traces.genai import OPERATION
from traces.log_record import LogRecord
from traces.span import Span

_TYPE = "langfuse.observation.type"
_INPUT = "langfuse.observation.input"
_OUTPUT = "langfuse.observation.output"
_STATUS = "langfuse.observation.status_message"
_CALL_ID = "langfuse.observation.metadata.tool_call_id"
_KINDS: dict[Any, Kind] = {"generation": "model", "tool": "tool", "agent": "agent", "retriever": "retrieval"}
_OTHERS = (OPERATION, "openinference.span.kind", "ai.operationId")
"""Marks of other dialects, on whose spans Langfuse's own attributes are only hints for its pages."""


class Langfuse:
    """The type of an observation tells what it is; its level ERROR that it failed."""

    name = "langfuse"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """An observation of its own SDK, not another's span with a hint for Langfuse on it."""
        return _TYPE in span.attributes and (
            span.scope.startswith("langfuse") or not any(mark in span.attributes for mark in _OTHERS)
        )

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the type of the observation."""
        at = span.attributes
        observed = as_text(at[_TYPE])
        kind = _KINDS.get(observed, "other")
        if observed == "chain" and span.parent_id is None:
            kind = "agent"
        facts = begin(kind, self.name, span, logs)
        if facts.conversation is not None and facts.conversation[0][:1] == '"':  # metadata is JSON text too
            facts.conversation = (as_text(read(facts.conversation[0])), facts.conversation[1])
        if facts.kind == "model":
            self._model(facts)
        elif facts.kind == "tool":
            facts.tool = arguments_of(span.name, read(at.get(_CALL_ID)), at.get(_INPUT))
            facts.paused = facts.paused or is_pause(at.get(_STATUS))
            if at.get("langfuse.observation.level") != "ERROR":
                take_result(facts, at.get(_OUTPUT))
        elif facts.kind == "retrieval":
            facts.query, facts.documents = spoken(at.get(_INPUT)), documents(at.get(_OUTPUT))
        else:
            facts.said, facts.replied = partial(said, at.get(_INPUT)), partial(replied, at.get(_OUTPUT))
            facts.agent = facts.agent or (span.name if facts.kind == "agent" else None)
        facts.error = None if facts.paused else self._error(span)
        return facts

    def _model(self, facts: Facts) -> None:
        at = facts.span.attributes
        given = response(at.get(_OUTPUT))
        facts.input = history(_without_tools(at[_INPUT])) if _INPUT in at else None
        facts.output = given.messages if _OUTPUT in at else None
        facts.model = facts.response_model = text_or_none(at.get("langfuse.observation.model.name"))
        facts.response_id, facts.finish = given.id, given.finish
        count(facts, counts(record(at.get("langfuse.observation.usage_details"))))
        parameters = record(at.get("langfuse.observation.model.parameters"))
        streamed = parameters.get("stream")
        facts.streamed = streamed if isinstance(streamed, bool) else None

    def _error(self, span: Span) -> ToolError | None:
        found = error_of(span)
        if found is None and span.attributes.get("langfuse.observation.level") == "ERROR":
            return ToolError(*described(span.attributes.get(_STATUS)), "status")
        return found


LANGFUSE = Langfuse()


def _without_tools(value: Any) -> Any:
    """A model's input without the definitions of tools that the handler for LangChain puts behind its messages."""
    found = read(value)
    return [item for item in found if not _defines(item)] if isinstance(found, list) else found


def _defines(item: Any) -> bool:
    content = item.get("content") if is_record(item) and item.get("role") == "tool" else None
    return is_record(content) and is_record(content.get("function")) and "tool_call_id" not in item
