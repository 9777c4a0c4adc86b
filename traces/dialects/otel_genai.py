"""The current OpenTelemetry GenAI conventions: everything on the span, or the content on its details record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from traces.conversation import Document
from traces.dialects.common import begin, begin_model, count, finish_of, text_or_none
from traces.dialects.content.messages import messages
from traces.dialects.content.pairing import paired
from traces.dialects.content.parts import text_of
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import is_record, read
from traces.dialects.evaluations import event_name, score
from traces.dialects.facts import Facts, Kind, Message
from traces.genai import OPERATION, TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT
from traces.log_record import LogRecord
from traces.span import Span

DETAILS = "gen_ai.client.inference.operation.details"
INPUT = "gen_ai.input.messages"
OUTPUT = "gen_ai.output.messages"
SYSTEM = "gen_ai.system_instructions"

KINDS: dict[str, Kind] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "agent",
    "retrieval": "retrieval",
}
"""What each operation is. The vocabulary is open: all others are `other`."""

_AGENTS_SDK = "opentelemetry.instrumentation.genai.openai_agents"
"""There a tool that waits for an approval ends without a result, and runs in another span."""

_MCP = "mcp.method.name"
_TRACELOOP_JS = "@traceloop/instrumentation-openai"
"""It follows the conventions, but for what the Responses API is asked."""

_SIGNS = (OPERATION, "gen_ai.provider.name", "gen_ai.system", TOOL_NAME, INPUT, OUTPUT, "gen_ai.request.model")


class OtelGenAI:
    """`gen_ai.operation.name` says what a span is; where that is missing, what else is on it."""

    name = "otel-genai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Any of the names that the conventions give to spans."""
        return any(sign in span.attributes for sign in _SIGNS)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the kind of the operation."""
        kind = kind_of(span.attributes)
        if kind == "tool" and span.kind == "server" and span.parent_id is None and _MCP in span.attributes:
            kind = "other"  # an MCP server's word on a call whose caller is not known: it tells no more than the name
        return read_as(kind, self.name, span, logs)


OTEL_GENAI = OtelGenAI()


def kind_of(attributes: Mapping[str, Any]) -> Kind:
    """What a span with these attributes is, by its operation if it has one."""
    operation = attributes.get(OPERATION)
    if isinstance(operation, str):
        return KINDS.get(operation, "other")
    if TOOL_NAME in attributes and TOOL_CALL_ID in attributes:
        return "tool"
    return "model" if "gen_ai.request.model" in attributes else "other"


def read_as(kind: Kind, dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    """The facts of a span of this kind from its `gen_ai.*` attributes."""
    if kind == "model":
        return _model(dialect, span, logs)
    found = begin(kind, dialect, span, logs)
    if kind == "tool":
        _tool(found)
    elif kind == "retrieval":
        found.query = text_or_none(span.attributes.get("gen_ai.retrieval.query.text"))
        found.documents = documents(span.attributes.get("gen_ai.retrieval.documents"))
    elif kind == "agent":
        _agent(found)
    if SYSTEM in span.attributes:
        found.system = instructions(span.attributes[SYSTEM])
    return found


def instructions(value: Any) -> str | None:
    """The system prompt: bare text, or a list of text parts."""
    return text_of(read(value)) or None


def documents(value: Any) -> tuple[Document, ...]:
    """Retrieved documents: a list of objects with whatever of id, text and score they carry."""
    found = read(value)
    return tuple(document(item) for item in found if is_record(item)) if isinstance(found, list) else ()


def document(item: Mapping[str, Any]) -> Document:
    """One document; what is neither its id, text nor score is its metadata."""
    text = next((item[key] for key in ("content", "text", "page_content") if isinstance(item.get(key), str)), None)
    rest = {key: item[key] for key in item if key not in ("id", "score", "content", "text", "page_content")}
    inner = rest.pop("metadata") if is_record(rest.get("metadata")) else {}
    return Document(text_or_none(item.get("id")), text, score(item.get("score")), {**inner, **rest})


def last_text(found: Sequence[Message] | None, role: str) -> str | None:
    """The text of the last message in that role which has any; None where messages are cut off behind it: the last of
    them may have been one.
    """
    if found and found[-1].cut and not (found[-1].role == role and found[-1].text):
        return None
    return next((message.text for message in reversed(found or ()) if message.role == role and message.text), None)


def _model(dialect: str, span: Span, logs: Sequence[LogRecord]) -> Facts:
    found = begin_model(dialect, span, logs)
    details = next((record.attributes for record in logs if event_name(record) == DETAILS), {}) if logs else {}
    told = span.attributes
    if details:
        told = {**details, **{name: value for name, value in told.items() if value is not None}}
    if (system := told.get(SYSTEM)) is not None:
        found.system = instructions(system)
    if (asked := told.get(INPUT)) is not None:
        found.input = paired(messages(_items(asked) if span.scope.startswith(_TRACELOOP_JS) else asked))
    if (given := told.get(OUTPUT)) is not None:
        found.output = messages(given, "assistant")
        if found.finish is None:
            output = read(given)
            last = output[-1] if isinstance(output, list) and output else None
            found.finish = finish_of(last.get("finish_reason")) if is_record(last) else None
    if found.usage is None and details:
        count(found, details)
    return found


def _items(asked: Any) -> Any:
    """The items of a request to the Responses API, where they were written as the text of one user's message."""
    found = read(asked)
    only = "".join([said.text for said in messages(found)]) if isinstance(found, list) and len(found) == 1 else ""
    items = read(only) if only.startswith("[{") else None
    return items if isinstance(items, list) and all(map(is_record, items)) else found


def _tool(found: Facts) -> None:
    attributes = found.span.attributes
    name = attributes.get(TOOL_NAME) or found.span.name.removeprefix("execute_tool ")
    found.tool = arguments_of(name, attributes.get(TOOL_CALL_ID), attributes.get(TOOL_ARGUMENTS))
    take_result(found, attributes.get(TOOL_RESULT))
    if not found.has_result and found.span.scope == _AGENTS_SDK:
        found.paused = found.error is None and TOOL_ARGUMENTS in attributes


def _agent(found: Facts) -> None:
    attributes = found.span.attributes
    if INPUT in attributes:
        found.said = lambda: last_text(messages(attributes[INPUT]), "user")
    if OUTPUT in attributes:
        found.replied = lambda: last_text(messages(attributes[OUTPUT], "assistant"), "assistant")
    count(found, attributes)
    found.counted = False
