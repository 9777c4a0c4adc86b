"""One item of OpenAI's Responses API, exactly as it is."""

from __future__ import annotations

import json
from typing import Any

from harness.replay.recordings.chat_messages import add_message, is_message, text_of
from harness.replay.recordings.transcript import Answer, Transcript, asked
from traces.dialects.content.values import is_record

_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_REMOTE = "mcp_call"
"""A call that the provider itself made, with its result in the same item."""
_UNSAID = frozenset({"reasoning", "item_reference", "mcp_list_tools", "compaction"})


def is_item(value: Any) -> bool:
    """Whether a JSON value is a message of a chat or an item of the Responses API."""
    return is_message(value) or (is_record(value) and (kind := value.get("type")) is not None and _known(kind))


def _known(kind: object) -> bool:
    return kind in _CALLS or kind in _OUTPUTS or kind in _UNSAID or str(kind).endswith("_call")


def add_item(transcript: Transcript, item: Any) -> None:
    """Add an item, or a message of a chat, to a transcript; what is neither is told there."""
    kind = item.get("type") if is_record(item) else None
    if kind in _UNSAID:
        return
    if kind in _CALLS:
        transcript.add_call(asked(_text(item.get("name")), item.get(_CALLS[kind]), _id(item)))
    elif kind in _OUTPUTS:
        transcript.answer(_answer(_id(item), item.get("output")))
    elif kind == _REMOTE:
        transcript.add_call(asked(_text(item.get("name")), item.get("arguments"), _id(item)))
        error = item.get("error")
        given = item.get("output") if error is None else error
        transcript.answer(_answer(_id(item), given, failed=error is not None))
    elif isinstance(kind, str) and kind.endswith("_call"):
        transcript.flaw(f"{kind} is a call that the provider made itself: it is left out")
    else:
        add_message(transcript, item)


def _answer(call_id: str | None, output: Any, *, failed: bool = False) -> Answer:
    text = output if isinstance(output, str) else text_of(output)
    if isinstance(output, str):
        return Answer.of_text(call_id, output, failed=failed)
    if failed:
        return Answer(call_id, text, error=text or json.dumps(output, ensure_ascii=False))
    return Answer(call_id, text, result=output)


def _id(item: dict[str, Any]) -> str | None:
    found = item.get("call_id") or item.get("id")
    return found if isinstance(found, str) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
