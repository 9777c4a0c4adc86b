"""Langtrace: the earlier conventions for the APIs of models, and spans of its own for every method of LangChain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from traces.dialects.common import METADATA_IDS, begin_model, text_or_none
from traces.dialects.content.exchange import response
from traces.dialects.content.messages import messages
from traces.dialects.content.values import is_record, read, record
from traces.dialects.facts import Facts
from traces.dialects.otel_events import COMPLETION, PROMPT
from traces.dialects.otel_genai import OTEL_GENAI
from traces.genai import INPUT_TOKENS
from traces.log_record import LogRecord
from traces.span import Span

_SERVICE = "langtrace.service.type"
_INPUTS, _OUTPUTS = "langchain.inputs", "langchain.outputs"


class Langtrace:
    """Of LangChain's methods, which call each other, `invoke` holds history, reply and usage; all others are `other`.

    So is a request of which no response was seen: LangChain takes it raw, and tells it itself.
    """

    name = "langtrace"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any span that says what it was made for."""
        return _SERVICE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by what the span was made for."""
        if span.attributes[_SERVICE] == "framework":
            return self._framework(span, logs)
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        if facts.kind != "model":
            return facts
        told = {event.name: event.attributes for event in span.events}
        if PROMPT in told:
            asked = read(told[PROMPT].get("gen_ai.prompt"))
            facts.input = messages([item for item in asked if is_record(item)] if isinstance(asked, list) else asked)
        if COMPLETION in told:
            given = read(told[COMPLETION].get("gen_ai.completion"))
            facts.output = messages(list(map(_reply, given)) if isinstance(given, list) else given, "assistant")
        if facts.output is None and facts.usage is None and facts.response_model is None and facts.error is None:
            facts.kind = "other"
        return facts

    def _framework(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        at = span.attributes
        facts = begin_model(self.name, span, logs)
        asked, config = _invoked(read(at.get(_INPUTS)))
        if not asked and INPUT_TOKENS not in at:
            facts.kind = "other"
            return facts
        facts.input = messages(asked) if asked else None
        reply = record(at.get(_OUTPUTS))
        if reply:
            facts.output = messages(reply, "assistant")
            told = response(record(reply.get("response_metadata")))
            facts.response_id, facts.response_model, facts.finish = told.id, told.model, told.finish
        for part in (record(config.get("configurable")), record(config.get("metadata"))):
            for key in METADATA_IDS:
                if facts.conversation is None and (found := text_or_none(part.get(key))):
                    facts.conversation = found, f"{_INPUTS}.{key}"
        return facts


LANGTRACE = Langtrace()


def _invoked(inputs: Any) -> tuple[Any, dict[str, Any]]:
    """The messages, or the text, that a model was invoked with, and the configuration; nothing of other methods."""
    if not isinstance(inputs, list) or not inputs:
        return None, {}
    asked = inputs[0]
    config = next((item for item in inputs[1:] if is_record(item)), {})
    if isinstance(asked, list):
        return (asked if all(is_record(item) and "type" in item for item in asked) else None), config
    return (asked if isinstance(asked, str) else None), config


def _reply(item: Any) -> Any:
    """A reply of the API with its calls where they belong: Langtrace puts them in the place of the content."""
    content = item.get("content") if is_record(item) else None
    if isinstance(content, list) and content and all(is_record(part) and "function" in part for part in content):
        return {**item, "content": None, "tool_calls": content}
    return item
