"""A tool call as the view shows it, out of what was asked for, what was answered and what its spans show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from traces.conversation import ToolCall
from traces.dialects.content.values import as_text, parse
from traces.dialects.facts import AskedCall
from traces.reading.drafts import Asked
from traces.reading.tools.failures import failure, has_result, is_denied
from traces.reading.tree.forest import Node

_COMPACT = frozenset({"vercel-ai", "pydantic-ai"})
"""Dialects that hold an answer as a structure which its library writes out for the model without blanks."""

_BY_ITSELF = ("result", "message")
"""Evidence of failures that the tool told by itself. After others, it is the framework that spoke to the model."""


def tool_call(asked: Asked) -> ToolCall:
    """The call. What the tool gave is read from its span, else from what the model was told.

    What a failed call gave is there beside its error; not so the telling of the error, by the tool or by the framework.
    """
    spans = asked.spans
    if len(spans) > 1:
        spans = sorted(spans, key=lambda node: (node.span.start, node.span.trace_id, node.span.span_id))
    call = _best(asked, spans)
    result, shown = _result(spans)
    told = _told(asked, spans)
    captured = shown or told is not None
    if not shown and told is not None:
        result = parse(told).value
    error = failure(spans, asked.answer, told, result, asked.asker)
    if error is not None and not (has_result(error, result) and (shown or error.evidence in _BY_ITSELF)):
        result = None
    answered = asked.answer is not None
    missing = set()
    if call.arguments is None and call.raw is None:
        missing.add("arguments")
    if not captured and error is None:
        missing.add("result")
    if told is None:
        missing.add("told")
    if (error is not None and error.type is None and error.message is None) or not (spans or answered):
        missing.add("error")
    asker = asked.asker
    return ToolCall(
        call.name,
        call.id,
        _own(call.arguments),
        call.raw,
        _own(result),
        told,
        error,
        executed=(error is None or not is_denied(error, spans, asked.asker)) if spans or answered else None,
        group=asked.group,
        agent=next((node.agent for node in (*(asker.nodes if asker else ()), *spans) if node.agent), None),
        started=spans[0].span.start if spans else None,
        ended=max([node.span.end for node in spans], default=None),
        parent=spans[0].span.parent_id if spans else None,
        missing=frozenset(missing),
        origin=(*[node.span for node in spans], *((asker.node.span,) if asker and not asker.node.lost else ())),
    )


def _own(value: Any) -> Any:
    """A copy of a JSON value: messages are read once for all conversations that hold the same, and whoever is given a
    conversation may change it.
    """
    try:
        return _copied(value)
    except RecursionError:
        return value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(one) if isinstance(one, dict | list) else one for name, one in value.items()}
    return [_copied(one) for one in value] if isinstance(value, list) else value


def _best(asked: Asked, spans: Sequence[Node]) -> AskedCall:
    """Name, id and arguments: as the model gave them, and of the rest what the spans show."""
    call = asked.call
    seen = [node.facts.tool for node in spans if node.facts.tool is not None and node.facts.tool is not call]
    if not seen and (call.arguments is None or call.raw is None):
        return call
    arguments, raw = call.arguments, call.raw
    if arguments is None:
        arguments = next((other.arguments for other in seen if other.arguments is not None), None)
    if arguments is not None:
        raw = None
    elif raw is None:
        raw = next((other.raw for other in seen if other.raw is not None), None)
    name = call.name or next((other.name for other in seen if other.name), "")
    return AskedCall(name, call.id or next((other.id for other in seen if other.id), None), arguments, raw)


def _result(spans: Sequence[Node]) -> tuple[Any, bool]:
    for node in reversed(spans):
        if node.facts.has_result:
            return node.facts.result, True
    return None, False


def _told(asked: Asked, spans: Sequence[Node]) -> str | None:
    if asked.answer is not None and asked.answer.content is not None:
        content, teller = asked.answer.content, asked.asker.node if asked.asker else None
        if not isinstance(content, dict | list) or teller is None or teller.facts.dialect not in _COMPACT:
            return as_text(content)
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return next((node.facts.told for node in reversed(spans) if node.facts.told is not None), None)
