"""OpenLLMetry's older model calls: messages flattened into attributes with numbers in their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from traces.dialects.common import begin_model, finish_of, indexed
from traces.dialects.facts import Facts
from traces.dialects.messages import messages
from traces.dialects.values import is_record, read
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
        tree = indexed(span.attributes, _PREFIXES)
        newer, older = tree.get("gen_ai", {}), tree.get("llm", {})
        asked = newer.get("prompt", older.get("prompts"))
        given = newer.get("completion", older.get("completions"))
        if isinstance(asked, list):
            found.input = messages([_opened(item) for item in asked])
        if isinstance(given, list):
            found.output = messages([_opened(item) for item in given], "assistant")
            reasons = (item.get("finish_reason") for item in given if is_record(item))
            found.finish = found.finish or finish_of(next(reasons, None))
        return found


TRACELOOP_INDEXED = TraceloopIndexed()


def _opened(message: Any) -> Any:
    """Content of more than one part is JSON here."""
    if is_record(message) and isinstance(message.get("content"), str) and message["content"].startswith('[{"type"'):
        return {**message, "content": read(message["content"])}
    return message
