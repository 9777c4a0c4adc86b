"""Genkit: `genkit:*`, with inputs and outputs as JSON of its own messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import begin, count, text_or_none
from traces.dialects.content.exchange import counts, response
from traces.dialects.content.messages import messages
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import is_record, read, record
from traces.dialects.facts import Facts, Kind, Message
from traces.dialects.otel_genai import documents
from traces.dialects.spoken import replied, said
from traces.genai import INPUT_TOKENS, OUTPUT_TOKENS
from traces.log_record import LogRecord
from traces.span import Span

_TYPE, _SUBTYPE = "genkit:type", "genkit:metadata:subtype"
_INPUT, _OUTPUT = "genkit:input", "genkit:output"
_KINDS: dict[Any, Kind] = {
    "model": "model",
    "tool": "tool",
    "tool.v2": "tool",
    "flow": "agent",
    "agent": "agent",
    "retriever": "retrieval",
}
_COUNTS = {"thoughtsTokens": "thoughtsTokenCount", "cachedContentTokens": "cachedContentTokenCount"}


class Genkit:
    """The subtype of an action tells what it is; in old versions the type does."""

    name = "genkit"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The type, which all its spans have."""
        return _TYPE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by what the action is."""
        at = span.attributes
        is_what = read(at.get(_SUBTYPE, at.get(_TYPE)))
        facts = begin(_KINDS.get(is_what, "other") if isinstance(is_what, str) else "other", self.name, span, logs)
        if facts.error is None and at.get("genkit:state") == "error":
            facts.error = ToolError(None, None, "status")
        name = text_or_none(at.get("genkit:name")) or span.name
        if facts.kind == "model":
            self._model(facts, name)
        elif facts.kind == "tool":
            facts.tool = arguments_of(name, None, at.get(_INPUT))
            take_result(facts, at.get(_OUTPUT))
        elif facts.kind == "retrieval":
            query = record(at.get(_INPUT)).get("query")
            facts.query = _text(query) or text_or_none(query)
            found = record(at.get(_OUTPUT)).get("documents")
            facts.documents = documents(
                [{"text": _text(one), "metadata": one.get("metadata")} for one in found if is_record(one)]
                if isinstance(found, list)
                else None
            )
        elif facts.kind == "agent":
            facts.agent = facts.agent or name
            facts.said, facts.replied = partial(said, at.get(_INPUT)), partial(replied, at.get(_OUTPUT))
        return facts

    def _model(self, facts: Facts, name: str) -> None:
        at = facts.span.attributes
        facts.model = facts.response_model = name.rpartition("/")[2]
        if _INPUT in at:
            facts.input = _told(record(at[_INPUT]).get("messages"), "user")
        given = record(at.get(_OUTPUT))
        choices = given.get("candidates")
        choice = choices[0] if isinstance(choices, list) and choices and is_record(choices[0]) else {}
        facts.output = _told([given.get("message") or choice.get("message")], "assistant")
        facts.finish = text_or_none(given.get("finishReason") or choice.get("finishReason"))
        usage = counts({_COUNTS.get(kind, kind): number for kind, number in record(given.get("usage")).items()})
        raw = response(given.get("raw") or given.get("custom"))  # as the model's API gave it, which tells more
        facts.response_model, facts.response_id = raw.model or facts.response_model, raw.id
        same = all(raw.usage.get(name) == usage.get(name) for name in (INPUT_TOKENS, OUTPUT_TOKENS))
        count(facts, {**raw.usage, **usage} if same else usage)


GENKIT = Genkit()


def _told(found: Any, role: Any) -> tuple[Message, ...] | None:
    """The messages in a list of Genkit's; None if there are none."""
    if not isinstance(found, list):
        return None
    return messages([_message(one) for one in found if is_record(one)], role) or None


def _message(one: dict[str, Any]) -> dict[str, Any]:
    content = one.get("content")
    return {**one, "content": [_part(part) for part in content] if isinstance(content, list) else content}


def _part(part: Any) -> Any:
    """A part with the name of its kind, as others have it."""
    if is_record(part) and is_record(asks := part.get("toolRequest")):
        return {"type": "tool_call", "id": asks.get("ref"), "name": asks.get("name"), "arguments": asks.get("input")}
    if is_record(part) and is_record(given := part.get("toolResponse")):
        answer = {"type": "tool_call_response", "id": given.get("ref"), "name": given.get("name")}
        return {**answer, "response": given.get("output")}
    return part


def _text(document: Any) -> str | None:
    """The words in a document, which holds parts as messages do."""
    content = document.get("content") if is_record(document) else None
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if is_record(part) and isinstance(part.get("text"), str)) or None
