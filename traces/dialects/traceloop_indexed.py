"""OpenLLMetry's older model calls: messages flattened into attributes with numbers in their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from traces.dialects.common import begin_model, finish_of
from traces.dialects.content.flattened import history, reader, rows, tree
from traces.dialects.content.messages import messages
from traces.dialects.content.parts import text_of
from traces.dialects.content.values import is_record, read
from traces.dialects.facts import Facts, Message, Role
from traces.log_record import LogRecord
from traces.span import Span

_PREFIXES = ("gen_ai.prompt.", "gen_ai.completion.", "llm.prompts.", "llm.completions.")


class TraceloopIndexed:
    """`gen_ai.prompt.N.*` and `gen_ai.completion.N.*`, before them `llm.prompts.N.*` and `llm.completions.N.*`."""

    name = "traceloop-indexed"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """Such attributes, or the older sign of a model call with nothing of the newer messages."""
        attributes = span.attributes
        if "llm.request.type" in attributes:
            return "gen_ai.input.messages" not in attributes
        return any(name.startswith(_PREFIXES) for name in attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts. `llm.request.type` says that it is a model call even where the content was not captured."""
        found = begin_model(self.name, span, logs)
        attributes = span.attributes
        asked, found.gaps = history(span, "gen_ai.prompt.", "role")
        if not asked:
            asked, found.gaps = history(span, "llm.prompts.", "role")
        given = rows(attributes, "gen_ai.completion.") or rows(attributes, "llm.completions.")
        if asked:
            found.input = tuple([message for row in asked for message in _read(row, "user")])
        if given:
            found.output = tuple([message for row in given for message in _read(row, "assistant")])
            found.finish = found.finish or finish_of(tree(given[0]).get("finish_reason"))
        return found


TRACELOOP_INDEXED = TraceloopIndexed()


def _message(message: dict[str, Any], role: Role) -> tuple[Message, ...]:
    """A message. Content of more than one part is JSON here; LangChain's answers and calls are of an `unknown` role."""
    if message.get("role") == "unknown":
        message["role"] = "tool" if role == "user" else role
    content = message.get("content")
    if isinstance(content, str) and content.startswith("[{"):
        told = read(content)
        if content.startswith('[{"type"') or (message.get("role") != "tool" and _are_parts(told)):
            message["content"] = told
    return messages([message], role)


_read = reader(_message)


def _are_parts(content: Any) -> bool:
    """Whether a list holds the parts of a message, with words among them, and is not itself what was said."""
    return (
        isinstance(content, list)
        and all(is_record(part) and "type" in part for part in content)
        and bool(text_of(content))
    )
