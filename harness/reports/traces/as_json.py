"""A trace as JSON, for programs. Of the raw telemetry it holds the ids; `--raw` gives that itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from traces.conversation import Conversation, ModelCall, Retrieval, ToolCall
from traces.json_text import pretty
from traces.log_record import LogRecord
from traces.span import Span

_KINDS = {ModelCall: "model_call", ToolCall: "tool_call", Retrieval: "retrieval"}


def trace_json(figures: Mapping[str, Any], conversation: Conversation) -> Iterator[str]:
    """The text, piece by piece, so that of a long conversation there is a turn in memory. Each step says its `kind`,
    `origin` is the ids of the spans that tell of it.
    """
    yield f'{{\n  "trace": {_deeper(pretty(figures), 1)},\n  "conversation": {{'
    names = [field.name for field in fields(conversation) if field.name not in ("spans", "logs")]
    for number, name in enumerate(names):
        yield f'{"," if number else ""}\n    "{name}": '
        value = getattr(conversation, name)
        if name == "turns":
            yield from _members(value)
        else:
            yield _deeper(pretty(value, _plain), 2)
    yield "\n  }\n}\n"


def _members(members: Sequence[Any]) -> Iterator[str]:
    yield "["
    for number, member in enumerate(members):
        yield f"{',' if number else ''}\n      {_deeper(pretty(member, _plain), 3)}"
    yield "\n    ]" if members else "]"


def _deeper(text: str, levels: int) -> str:
    """What begins on a line that is indented by so many levels already."""
    return text.replace("\n", "\n" + "  " * levels)


def _plain(value: Any) -> Any:
    """What stands for a value that is none of JSON, but what is in it: that comes here by itself."""
    if isinstance(value, Span | LogRecord):
        return value.span_id
    if is_dataclass(value) and not isinstance(value, type):
        kind = _KINDS.get(type(value))
        named = {} if kind is None else {"kind": kind}
        return {**named, **{field.name: getattr(value, field.name) for field in fields(value)}}
    return sorted(value) if isinstance(value, frozenset) else str(value)
