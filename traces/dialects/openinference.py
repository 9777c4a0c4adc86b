"""OpenInference (Phoenix): `openinference.span.kind`, flattened messages, and every span's input and output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from traces.conversation import Document, Feedback
from traces.dialects.common import begin, begin_model, count, metadata_of, remembered, text_or_none
from traces.dialects.content import flattened
from traces.dialects.content.exchange import history, response
from traces.dialects.content.flattened import rows, tree
from traces.dialects.content.react import acted, is_react
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import HIDDEN, as_text, is_record, read, record
from traces.dialects.dspy_fields import plain
from traces.dialects.evaluations import score
from traces.dialects.facts import Facts
from traces.dialects.llama_index import SCOPE as LLAMA_INDEX
from traces.dialects.llama_index import take_event
from traces.dialects.openinference_messages import completed, marked, unflattened
from traces.dialects.otel_genai import document, documents
from traces.dialects.spoken import replied, said
from traces.genai import AGENT_NAME, Usage, first_of, usage_of
from traces.log_record import LogRecord
from traces.span import Span

KIND = "openinference.span.kind"
_JUDGED = (("annotations.", "annotation"), ("evaluations.", "evaluation"))
"""How the attributes of judgements begin, and the object that each of them is in."""

_IDS = re.compile(r'"id":\s*"((?:chatcmpl|msg|resp|gen)[-_][^"]+)"')
"""Ids that providers give to responses."""

_MODELS = re.compile(r'"model(?:_name)?":\s*"([^"\\]+)"')
"""Models that a result names."""

_AGENTS = ("agent.name", AGENT_NAME, "graph.node.id")
_OPENAI_AGENTS = "openinference.instrumentation.openai_agents"
_OPENAI_AGENTS_JS = "@arizeai/openinference-instrumentation-openai-agents"
_STREAM_BEGINS = "First Token Stream Event"
_PARTS = ("llm.token_count.prompt_details.cache_read", "llm.token_count.completion_details.reasoning")
_HOLDS_PARTS = "tokens_details"
_INPUT = "llm.input_messages."
_OUTPUT = "llm.output_messages."


class OpenInference:
    """The kind says what a span is: LLM, TOOL, RETRIEVER, AGENT; a CHAIN counts as an agent where it is a root."""

    name = "openinference"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """The kind, which all its spans have; or messages, where it was dropped by a limit as the oldest attribute."""
        return KIND in span.attributes or any(name.startswith((_INPUT, _OUTPUT)) for name in span.attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind of the span. What the instrumentation was told to hide is not there."""
        if any(hidden in span.attributes.values() for hidden in HIDDEN):
            values = span.attributes.items()
            shown = {name: value for name, value in values if not isinstance(value, str) or value not in HIDDEN}
            found = self._read(replace(span, attributes=shown), logs, whole=False)
            found.span = span
            return found
        return self._read(span, logs, whole=not span.dropped)

    def _read(self, span: Span, logs: Sequence[LogRecord], whole: bool) -> Facts:
        kind = str(span.attributes.get(KIND, "LLM")).upper()
        if kind == "LLM":
            found = _model(self.name, span, logs, whole)
            plain(found)
        elif kind == "TOOL":
            found = _tool(self.name, span, logs)
        elif kind == "AGENT" or (kind == "CHAIN" and span.parent_id is None):
            found = _agent(self.name, span, logs, kind)
        elif kind == "RETRIEVER":
            found = _retriever(self.name, span, logs)
        else:
            found = begin("other", self.name, span, logs)
            if span.scope == LLAMA_INDEX:
                take_event(found)
        found.feedback = tuple(_annotations(span))
        return found


OPENINFERENCE = OpenInference()


def _model(dialect: str, span: Span, logs: Sequence[LogRecord], whole: bool) -> Facts:
    """`whole`: all that the instrumentation wrote is there."""
    found = begin_model(dialect, span, logs)
    attributes = span.attributes
    settings = remembered(attributes.get("llm.invocation_parameters"))
    named = first_of(attributes, ("llm.response.model_name", "llm.model_name"))
    asked_for = first_of(attributes, ("llm.request.model_name",)) or first_of(settings, ("model", "model_name"))
    found.model = text_or_none(asked_for or named)
    found.response_model = text_or_none(named)
    found.finish = text_or_none(attributes.get("llm.finish_reason"))
    found.streamed = _streamed(span, settings)
    found.previous = found.previous or text_or_none(settings.get("previous_response_id"))
    asked, found.gaps = flattened.history(span, _INPUT, "message.role")
    given, _ = flattened.history(span, _OUTPUT, "message.role")
    found.input, found.output = unflattened(asked, whole), unflattened(given, whole)
    if found.input is None or span.dropped:  # a limit may have dropped flattened attributes alone
        told = history(attributes.get("input.value"))
        if told is not None and len(told) >= len(found.input or ()):
            found.input, found.gaps = told, False
    else:
        request = attributes.get("input.value")
        found.input = marked(completed(found.input, lambda: history(request)), request)
    if found.output:
        found.output = completed(found.output, lambda: response(attributes.get("output.value")).messages)
    said = any(message.text or message.calls for message in found.output or ())
    output = as_text(attributes.get("output.value"))
    if found.model is not None and found.model == found.response_model:
        found.response_model = _answering(found.model, output)
    ids = set(_IDS.findall(output))
    if said and len(ids) == 1 and found.usage is not None:
        found.response_id = ids.pop()
    else:
        answer = response(attributes.get("output.value"))
        found.response_id = answer.id
        found.output = found.output if said else answer.messages or found.output
        if found.usage is None and not found.notes:
            count(found, answer.usage)
    if found.usage is not None and _HOLDS_PARTS in output and attributes.keys().isdisjoint(_PARTS):
        found.usage = _in_parts(found.usage, output)
    if found.input is not None and is_react(found.input):
        found.input, found.output = acted(found.input), acted(found.output or ())
    if not (found.input or found.output or found.usage or found.error) and _prepares(span):
        return begin("other", dialect, span, logs)
    return found


def _prepares(span: Span) -> bool:
    """Whether a span that tells of no call only prepares one, as LlamaIndex does before each; it may be hidden how."""
    if span.scope == LLAMA_INDEX:
        return "llm.finish_reason" not in span.attributes and not span.events
    return "output.value" in span.attributes


def _streamed(span: Span, settings: Mapping[str, Any]) -> bool | None:
    """Whether the answer was streamed. LangChain (`_type`) says what its model was set to, whatever then happened."""
    if any(event.name == _STREAM_BEGINS for event in span.events):
        return True
    streamed = settings.get("stream")
    return None if not isinstance(streamed, bool) or (not streamed and "_type" in settings) else streamed


def _in_parts(usage: Usage, output: str) -> Usage:
    """The same token counts, with the parts of them that only the response tells (of Mistral, by way of Portkey)."""
    told, _ = usage_of(response(output).usage)
    return told if told is not None and (told.input, told.output) == (usage.input, usage.output) else usage


def _answering(model: str, output: str) -> str:
    """The version of this model that a result names; the model where it names none, or several."""
    named = {name for name in _MODELS.findall(output) if name != model and name.startswith(model)}
    return named.pop() if len(named) == 1 else model


def _tool(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    attributes = span.attributes
    if _is_hand_off(span):
        return begin("other", dialect, span, logs)  # which its call tells of
    found = begin("tool", dialect, span, logs)
    call_id = first_of(attributes, ("tool_call.id", "tool.id", "tool.call_id", "gen_ai.tool.call.id"))
    name = first_of(attributes, ("tool.name", "tool_call.function.name")) or span.name
    given = first_of(attributes, ("input.value", "tool_call.function.arguments"))
    found.tool = arguments_of(name, call_id, given)
    take_result(found, attributes.get("output.value"))
    if found.error is not None and found.has_result and found.result in (None, ""):
        found.has_result = False
    return found


def _is_hand_off(span: Span) -> bool:
    """Whether the Agents SDK shows a hand-off as a tool: in Python's without a name, in JavaScript's under its own."""
    if span.scope == _OPENAI_AGENTS:
        return "tool.name" not in span.attributes
    return span.scope == _OPENAI_AGENTS_JS and span.name.startswith("handoff to ")


def _agent(dialect: str, span: Span, logs: Sequence[LogRecord], kind: str) -> Facts:
    found = begin("agent", dialect, span, logs)
    attributes = span.attributes
    named = first_of(attributes, _AGENTS) or metadata_of(attributes).get("lc_agent_name")
    if named is None and kind == "AGENT" and span.name != attributes.get("input.value"):
        named = span.name
    found.agent = text_or_none(named)
    found.said = partial(said, attributes.get("input.value"))
    found.replied = partial(replied, attributes.get("output.value"))
    found.counted = False
    return found


def _retriever(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    query = span.attributes.get("input.value")
    if "query_bundle" in record(query):
        return begin("other", dialect, span, logs)  # LlamaIndex's own step of the search around it
    found = begin("retrieval", dialect, span, logs)
    found.query = text_or_none(query)
    found.documents = tuple([_document(tree(row)) for row in rows(span.attributes, "retrieval.documents.")])
    if found.documents and all(one.id is None for one in found.documents):
        found.documents = _identified(found.documents, record(span.attributes.get("output.value")).get("documents"))
    return found


def _identified(found: Sequence[Document], listed: Any) -> tuple[Document, ...]:
    """The documents with the ids that LangChain's result alone gives them."""
    whole = documents(listed)[: len(found)]
    same = [
        replace(one, id=other.id) if one.text == other.text else one for one, other in zip(found, whole, strict=False)
    ]
    return (*same, *found[len(same) :])


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
