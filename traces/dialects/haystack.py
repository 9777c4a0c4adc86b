"""Haystack by OpenInference: ids and answers stand only in what Python makes of its messages as text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from traces.dialects.content.messages import messages
from traces.dialects.content.python_text import expression, literal
from traces.dialects.content.values import record
from traces.dialects.facts import Facts, Message
from traces.dialects.openinference import OPENINFERENCE
from traces.log_record import LogRecord
from traces.span import Span

_SCOPE = "openinference.instrumentation.haystack"
_ROLE = re.compile(r"<ChatRole\.\w+: ('\w+')>")


class Haystack:
    """Messages are read from `ChatMessage(_role=…, _content=[…])`, where that can be parsed."""

    name = "haystack"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of that instrumentation."""
        return span.scope == _SCOPE and OPENINFERENCE.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts of OpenInference, with the whole messages."""
        facts = OPENINFERENCE.read(span, logs)
        facts.dialect = self.name
        if facts.kind == "model":
            facts.input = _told(record(span.attributes.get("input.value")).get("messages")) or facts.input
            facts.output = _told(record(span.attributes.get("output.value")).get("replies")) or facts.output
        return facts


HAYSTACK = Haystack()


def _told(texts: Any) -> tuple[Message, ...] | None:
    """The messages in a list of such texts; None if one of them can't be parsed."""
    if not isinstance(texts, list) or not texts:
        return None
    try:
        return messages([_message(text) for text in texts])
    except (ValueError, KeyError):
        return None


def _message(text: Any) -> dict[str, Any]:
    if not isinstance(text, str):
        raise ValueError("no message")
    made = _fields(expression(_ROLE.sub(r"\1", text)))
    content = made["_content"]
    if not isinstance(content, ast.List):
        raise ValueError("no content")
    return {"role": literal(made["_role"]), "content": list(_blocks(content))}


def _blocks(content: ast.List) -> Iterator[dict[str, Any]]:
    for part in content.elts:
        fields = _fields(part)
        if "origin" in fields:
            origin, failed = _fields(fields["origin"]), literal(fields["error"])
            given = literal(fields["result"])
            call_id, name = literal(origin["id"]), literal(origin["tool_name"])
            answer = {"type": "tool_result", "id": call_id, "name": name, "content": given}
            yield {**answer, "is_error": True} if failed else answer
        elif "tool_name" in fields:
            name, call_id, given = (literal(fields[field]) for field in ("tool_name", "id", "arguments"))
            yield {"type": "tool_call", "id": call_id, "name": name, "arguments": given}
        elif "text" in fields:
            yield {"type": "text", "text": literal(fields["text"])}


def _fields(made: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(made, ast.Call):
        raise ValueError("no object")
    return {field.arg: field.value for field in made.keywords if field.arg is not None}
