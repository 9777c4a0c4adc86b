"""LangSmith's OpenTelemetry export: a run's inputs are JSON in `gen_ai.prompt`, its outputs in `gen_ai.completion`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.errors import error_of
from traces.dialects.content.exchange import counts, history, response
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import as_text, is_record, read, record
from traces.dialects.facts import Facts, Kind
from traces.dialects.otel_genai import documents
from traces.dialects.spoken import replied, said, spoken
from traces.genai import TOOL_CALL_ID, TOOL_NAME
from traces.log_record import LogRecord
from traces.span import Span

_KIND = "langsmith.span.kind"
_PROMPT = "gen_ai.prompt"
_COMPLETION = "gen_ai.completion"
_METADATA = "langsmith.metadata."
_NOTHING = "{}"
"""What is left of inputs and outputs that were hidden. A tool's result is within an object, even if it is empty."""

_KINDS: dict[Any, Kind] = {"llm": "model", "tool": "tool", "retriever": "retrieval"}


class LangSmith:
    """The kind of a run tells what it is; a chain without a parent is the agent's turn."""

    name = "langsmith"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A run of LangSmith's."""
        return _KIND in span.attributes and ("langsmith.trace.name" in span.attributes or span.scope == "langsmith")

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the run's kind."""
        at = span.attributes
        run = as_text(at[_KIND])
        kind = _KINDS.get(run, "other")
        name = text_or_none(at.get(_METADATA + "lc_agent_name"))
        if kind == "other" and run == "chain" and (span.parent_id is None or span.name == name):
            kind = "agent"
        facts = begin_model(self.name, span, logs) if kind == "model" else begin(kind, self.name, span, logs)
        facts.agent = facts.agent or name
        if facts.error is None and not facts.paused and any(event.name == "exception" for event in span.events):
            # a run that was sent before it ended is marked as right, which no SDK takes back
            facts.error = error_of(replace(span, status="error"))
        if kind == "model":
            self._model(facts)
        elif kind == "tool":
            given = None if _is_hidden(at) else _inputs(at.get(_PROMPT))
            facts.tool = arguments_of(at.get(TOOL_NAME) or span.name, at.get(TOOL_CALL_ID), given)
            if facts.error is None and at.get(_COMPLETION) != _NOTHING:
                take_result(facts, at.get(_COMPLETION))
        elif kind == "retrieval":
            found = record(at.get(_COMPLETION))
            facts.query = spoken(at.get(_PROMPT))
            facts.documents = documents(found.get("documents", found.get("output")))
        elif kind == "agent":
            facts.agent = facts.agent or span.name
            facts.said, facts.replied = partial(said, at.get(_PROMPT)), partial(replied, at.get(_COMPLETION))
        return facts

    def _model(self, facts: Facts) -> None:
        at = facts.span.attributes
        given = response(at.get(_COMPLETION))
        facts.input = history(at[_PROMPT]) if _PROMPT in at else None
        facts.output = given.messages if _COMPLETION in at and facts.error is None else None
        facts.response_model = facts.response_model or given.model
        facts.response_id = facts.response_id or given.id
        facts.finish = facts.finish or given.finish
        streamed = at.get("langsmith.request.streaming", at.get(_METADATA + "stream"))
        facts.streamed = streamed if isinstance(streamed, bool) else None
        used = given.usage or counts(record(at.get(_METADATA + "usage_metadata")))
        if used:
            facts.notes.clear()
            count(facts, used)


LANGSMITH = LangSmith()


def _is_hidden(attributes: Mapping[str, Any]) -> bool:
    """Whether a tool's inputs may be hidden: they are empty, and so is its output, or LangSmith was told to hide."""
    if attributes.get(_PROMPT) != _NOTHING:
        return False
    told = as_text(attributes.get(_METADATA + "LANGSMITH_HIDE_INPUTS"))
    return attributes.get(_COMPLETION) == _NOTHING or told.lower() == "true"


def _inputs(value: Any) -> Any:
    """A tool's inputs; LangChain gave them as the text of a Python literal under `input` before it knew their names."""
    found = read(value)
    if is_record(found) and set(found) == {"input"} and is_record(inner := read(found["input"])):
        return inner
    return found
