"""OpenInference (Phoenix): `openinference.span.kind`, flattened messages, and every span's input and output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from traces.conversation import Document, Feedback
from traces.dialects.common import begin, begin_model, count, metadata_of, remembered, text_or_none
from traces.dialects.evaluations import score
from traces.dialects.exchange import history, response
from traces.dialects.facts import Facts, Message, Role
from traces.dialects.flattened import Row, reader, rows, tree
from traces.dialects.messages import messages
from traces.dialects.otel_genai import document
from traces.dialects.results import arguments_of, take_result
from traces.dialects.spoken import replied, said
from traces.dialects.values import HIDDEN, as_text, is_record, read
from traces.genai import first_of
from traces.log_record import LogRecord
from traces.span import Span

_KIND = "openinference.span.kind"
_JUDGED = (("annotations.", "annotation"), ("evaluations.", "evaluation"))
"""How the attributes of judgements begin, and the object that each of them is in."""

_IDS = re.compile(r'"id":\s*"((?:chatcmpl|msg|resp|gen)[-_][^"]+)"')
"""Ids that providers give to responses."""

_INPUT = "llm.input_messages."
_OUTPUT = "llm.output_messages."


class OpenInference:
    """The kind says what a span is: LLM, TOOL, RETRIEVER, AGENT; a CHAIN counts as an agent where it is a root."""

    name = "openinference"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The kind, which all its spans have."""
        return _KIND in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind of the span. What the instrumentation was told to hide is not there."""
        if any(hidden in span.attributes.values() for hidden in HIDDEN):
            values = span.attributes.items()
            shown = {name: value for name, value in values if not isinstance(value, str) or value not in HIDDEN}
            found = self._read(replace(span, attributes=shown), logs)
            found.span = span
            return found
        return self._read(span, logs)

    def _read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        kind = str(span.attributes[_KIND]).upper()
        if kind == "LLM":
            found = _model(self.name, span, logs)
        elif kind == "TOOL":
            found = _tool(self.name, span, logs)
        elif kind == "AGENT" or (kind == "CHAIN" and span.parent_id is None):
            found = _agent(self.name, span, logs, kind)
        elif kind == "RETRIEVER":
            found = _retriever(self.name, span, logs)
        else:
            found = begin("other", self.name, span, logs)
        found.feedback = tuple(_annotations(span))
        return found


OPENINFERENCE = OpenInference()


def _model(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    found = begin_model(dialect, span, logs)
    attributes = span.attributes
    settings = remembered(attributes.get("llm.invocation_parameters"))
    named = first_of(attributes, ("llm.response.model_name", "llm.model_name"))
    asked_for = first_of(attributes, ("llm.request.model_name",)) or first_of(settings, ("model", "model_name"))
    found.model = text_or_none(asked_for or named)
    found.response_model = text_or_none(named)
    found.finish = text_or_none(attributes.get("llm.finish_reason"))
    streamed = settings.get("stream")
    found.streamed = streamed if isinstance(streamed, bool) else None
    found.input, found.output = _flattened(rows(attributes, _INPUT)), _flattened(rows(attributes, _OUTPUT))
    if found.input is None or span.dropped:  # a limit drops flattened attributes first, never this one alone
        whole = history(attributes.get("input.value"))
        found.input = whole if whole is not None and len(whole) >= len(found.input or ()) else found.input
    said = any(message.text or message.calls for message in found.output or ())
    ids = set(_IDS.findall(as_text(attributes.get("output.value"))))
    if said and len(ids) == 1 and found.usage is not None:
        found.response_id = ids.pop()
    else:
        answer = response(attributes.get("output.value"))
        found.response_id = answer.id
        found.output = found.output if said else answer.messages or found.output
        if found.usage is None and not found.notes:
            count(found, answer.usage)
    if not (found.input or found.output or found.usage or found.error) and "output.value" in attributes:
        return begin("other", dialect, span, logs)  # it only prepares a call, as LlamaIndex does before each
    return found


def _flattened(found: Sequence[Row]) -> tuple[Message, ...] | None:
    """Messages out of numbered attributes. None where there are none."""
    return tuple([message for row in found for message in _read(row, "user")]) if found else None


def _message(row: dict[str, Any], role: Role) -> tuple[Message, ...]:
    row = row.get("message", {})
    if not is_record(row):
        return ()
    made = dict(row)
    parts = row.get("contents")
    if isinstance(parts, list):
        parts = [_part(part) for part in parts if is_record(part)]
        if any(part["type"] != "text" for part in parts) or not row.get("content"):
            made["content"] = parts
    calls = row.get("tool_calls")
    if isinstance(calls, list):
        made["tool_calls"] = [
            call["tool_call"] for call in calls if is_record(call) and is_record(call.get("tool_call"))
        ]
    elif row.get("function_call_name"):
        made["function_call"] = {
            "name": row["function_call_name"],
            "arguments": row.get("function_call_arguments_json"),
        }
    return messages([made], role)


_read = reader(_message)


def _part(part: dict[str, Any]) -> dict[str, Any]:
    content = part.get("message_content")
    made = dict(content) if is_record(content) else {}
    call = part.get("tool_call")
    made.setdefault("type", "tool_use" if is_record(call) else "text")
    return {**call, **made} if is_record(call) else made


def _tool(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    found = begin("tool", dialect, span, logs)
    attributes = span.attributes
    call_id = first_of(attributes, ("tool_call.id", "tool.id", "tool.call_id", "gen_ai.tool.call.id"))
    name = first_of(attributes, ("tool.name", "tool_call.function.name")) or span.name
    given = first_of(attributes, ("input.value", "tool_call.function.arguments"))
    found.tool = arguments_of(name, call_id, given)
    take_result(found, attributes.get("output.value"))
    if found.error is not None and found.has_result and found.result in (None, ""):
        found.has_result = False
    return found


def _agent(dialect: str, span: Span, logs: Sequence[LogRecord], kind: str) -> Facts:
    found = begin("agent", dialect, span, logs)
    attributes = span.attributes
    named = first_of(attributes, ("agent.name", "graph.node.id")) or metadata_of(attributes).get("lc_agent_name")
    if named is None and kind == "AGENT" and span.name != attributes.get("input.value"):
        named = span.name
    found.agent = text_or_none(named)
    found.said = partial(said, attributes.get("input.value"))
    found.replied = partial(replied, attributes.get("output.value"))
    found.counted = False
    return found


def _retriever(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    found = begin("retrieval", dialect, span, logs)
    found.query = text_or_none(span.attributes.get("input.value"))
    found.documents = tuple([_document(tree(row)) for row in rows(span.attributes, "retrieval.documents.")])
    return found


def _document(row: Any) -> Document:
    inner = row.get("document") if is_record(row) else None
    if not is_record(inner):
        return Document(None)
    return document({**inner, "metadata": read(inner.get("metadata"))} if "metadata" in inner else inner)


def _annotations(span: Span) -> Iterator[Feedback]:
    for prefix, singular in _JUDGED:
        for row in rows(span.attributes, prefix):
            judged = tree(row)
            inner = judged.get(singular, judged)
            if is_record(inner):
                yield Feedback(
                    name=text_or_none(inner.get("name")) or singular,
                    value=score(inner.get("score")),
                    label=text_or_none(inner.get("label")),
                    explanation=text_or_none(inner.get("explanation")),
                    origin=(span,),
                )
