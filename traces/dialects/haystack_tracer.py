"""Haystack's own tracer: `haystack.*`, every value JSON, on spans of whatever scope the application gave it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from traces.conversation import ToolError
from traces.dialects.common import begin, count, text_or_none
from traces.dialects.content.errors import described
from traces.dialects.content.exchange import response
from traces.dialects.content.messages import messages
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import is_record, record
from traces.dialects.facts import Facts, Kind, Message, Role
from traces.dialects.otel_genai import documents, last_text
from traces.log_record import LogRecord
from traces.span import Span

_MARK = "haystack."
_TYPE = "haystack.component.type"
_TOOL = "haystack.tool.name"
_KINDS: dict[str, Kind] = {
    "haystack.pipeline": "agent",
    "haystack.agent": "agent",
    "haystack.agent.step": "other",
    "haystack.agent.step.llm": "model",
    "haystack.agent.step.tool": "tool",
}
"""By the names of the spans, without the `.run` behind some."""

_COMPONENTS: tuple[tuple[str, Kind], ...] = (("Generator", "model"), ("Retriever", "retrieval"))
"""How the names of the classes end."""


class HaystackTracer:
    """What a span is, its name tells, or the class of its component; content is there only if it is switched on."""

    name = "haystack"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any attribute of Haystack's."""
        return any(name.startswith(_MARK) for name in span.attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind; a component that is neither a generator nor a retriever is `other`."""
        at = span.attributes
        part = span.name.removesuffix(".run")
        kind = _KINDS.get(part, "other")
        if _TYPE in at:
            kind = next((of for end, of in _COMPONENTS if str(at[_TYPE]).endswith(end)), "other")
        facts = begin(kind, self.name, span, logs)
        given, made = (
            next((at[name] for end in ends if (name := f"{part}.{end}") in at), None)
            for ends in (("input", "input_data"), ("output", "output_data"))
        )
        if kind == "agent":
            facts.said, facts.replied = partial(_last, given, "user"), partial(_last, made, "assistant")
        elif kind == "model":
            _model(facts, given, made)
        elif kind == "retrieval":
            facts.query = text_or_none(record(given).get("query"))
            facts.documents = documents(record(made).get("documents"))
        elif kind == "tool":
            _tool(facts, given, made)
        return facts


HAYSTACK_TRACER = HaystackTracer()


def _tool(facts: Facts, given: Any, made: Any) -> None:
    at = facts.span.attributes
    facts.tool = arguments_of(at.get(_TOOL), None, given)
    if at.get("haystack.tool.error"):
        facts.error = facts.error or ToolError(*described(record(made).get("error")), "result")
    elif made is not None:
        take_result(facts, made)


def _model(facts: Facts, given: Any, made: Any) -> None:
    if given is not None:
        asked = record(given)
        facts.input = _told(asked.get("messages", asked.get("prompt")))
    replies = _listed(record(made).get("replies"))[:1]
    if not replies:
        return
    facts.output = _told(replies, "assistant")
    meta = record(replies[0]).get("meta") or next(iter(_listed(record(made).get("meta"))), None)
    reply = response(record(meta))
    facts.model = facts.response_model = reply.model
    facts.finish = reply.finish
    count(facts, reply.usage)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _told(value: Any, role: Role = "user") -> tuple[Message, ...]:
    return messages([_message(item) if is_record(item) else item for item in _listed(value)], role)


def _message(item: dict[str, Any]) -> dict[str, Any]:
    """A message of Haystack in the words of the others: each part is an object with one key that says what it is."""
    content = item.get("content")
    return {**item, "content": [_part(part) for part in content] if isinstance(content, list) else content}


def _part(part: Any) -> Any:
    if not is_record(part):
        return part
    call, answer = part.get("tool_call"), part.get("tool_call_result")
    if is_record(call):
        return {**call, "type": "tool_call", "name": call.get("tool_name")}
    if is_record(answer):
        origin = record(answer.get("origin"))
        told = {"type": "tool_result", "id": origin.get("id"), "name": origin.get("tool_name")}
        return {**told, "content": answer.get("result"), **({"is_error": True} if answer.get("error") else {})}
    return part


def _last(value: Any, role: Role) -> str | None:
    """The last words in that role of what went into an agent or came out; into a pipeline, the one text."""
    found = record(value)
    if "messages" in found:
        return last_text(_told(found["messages"]), role)
    parts = [record(part) for part in found.values()]
    if role == "assistant":
        return last_text(_told([reply for part in parts for reply in _listed(part.get("replies"))], role), role)
    texts = {text for part in parts for text in part.values() if isinstance(text, str)}
    return texts.pop() if len(texts) == 1 else None
