"""A conversation as JSON, for programs. Of the raw telemetry it holds the ids; `--raw` gives that itself."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from traces.conversation import Conversation, ModelCall, Retrieval, ToolCall
from traces.log_record import LogRecord
from traces.span import Span

_KINDS = {ModelCall: "model_call", ToolCall: "tool_call", Retrieval: "retrieval"}


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    """The conversation as JSON values. Each step says its `kind`, `origin` is the ids of the spans that tell of it."""
    found: dict[str, Any] = _json(conversation)
    del found["spans"], found["logs"]
    return found


def _json(value: Any) -> Any:
    if isinstance(value, Span | LogRecord):
        return value.span_id
    if is_dataclass(value) and not isinstance(value, type):
        kind = _KINDS.get(type(value))
        named = {} if kind is None else {"kind": kind}
        return {**named, **{field.name: _json(getattr(value, field.name)) for field in fields(value)}}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_json(each) for each in value]
    if isinstance(value, dict):
        return {key: _json(each) for key, each in value.items()}
    return value
