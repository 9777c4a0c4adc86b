"""Messages as OpenInference flattens them: an attribute for each of their parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from traces.dialects.content.exchange import history
from traces.dialects.content.flattened import Row, reader
from traces.dialects.content.messages import messages
from traces.dialects.content.values import as_text, is_record, record
from traces.dialects.facts import Message, Role

_RAN = "_tool_result"
"""How Anthropic's kinds of blocks end that hold, whole and as JSON, the answer of a tool which its server ran."""

_MARK = re.compile(r'"is_error":\s*true')
"""How Anthropic's API marks the answer of a tool that failed."""


def unflattened(found: Sequence[Row], whole: bool) -> tuple[Message, ...] | None:
    """Messages out of numbered attributes. None where there are none."""
    read_row = _read_whole if whole else _read
    return tuple([message for row in found for message in read_row(row, "user")]) if found else None


def completed(flat: tuple[Message, ...], whole: Callable[[], tuple[Message, ...] | None]) -> tuple[Message, ...]:
    """The messages as the `whole` input or output of a span holds them, if they lack something and are the same."""
    if not any(map(_lacks, flat)):
        return flat
    told = whole()
    same = told is not None and [message.role for message in told] == [message.role for message in flat]
    return told if told is not None and same and sum(map(_lacks, told)) < sum(map(_lacks, flat)) else flat


def marked(flat: tuple[Message, ...], request: Any) -> tuple[Message, ...]:
    """The messages with the marks of failed answers, which flattened ones leave out, as the request itself has them."""
    if not isinstance(request, str) or _MARK.search(request) is None or not any(message.answers for message in flat):
        return flat
    answers = [answer for message in history(request) or () for answer in message.answers]
    failed = {answer.id for answer in answers if answer.failed and answer.id is not None}
    return tuple([_with_marks(message, failed) for message in flat])


def _with_marks(message: Message, failed: AbstractSet[str]) -> Message:
    if failed.isdisjoint([answer.id for answer in message.answers]):
        return message
    return replace(
        message, answers=tuple([replace(one, failed=True) if one.id in failed else one for one in message.answers])
    )


def _lacks(message: Message) -> bool:
    """Whether a flattened message leaves out what it must have: LangChain.js flattens no ids, and no text in parts."""
    nameless = any(call.id is None for call in message.calls) or any(answer.id is None for answer in message.answers)
    return nameless or not (message.text or message.calls or message.answers)


def _whole_message(row: dict[str, Any], role: Role) -> tuple[Message, ...]:
    """A message of which nothing is lost: what was empty was not written, which is no arguments and no text."""
    told = row.get("message")
    if is_record(told):
        if told.get("role") == "tool" and "contents" not in told:
            told.setdefault("content", "")
        calls = told.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if is_record(call) and is_record(asked := call.get("tool_call")) and is_record(asked.get("function")):
                asked["function"].setdefault("arguments", "{}")
    return _message(row, role)


def _message(row: dict[str, Any], role: Role) -> tuple[Message, ...]:
    row = row.get("message", {})
    if not is_record(row):
        return ()
    made = dict(row)
    if row.get("role") == "user" and row.get("tool_call_id"):  # as Anthropic's API has it, by way of Bedrock
        made["role"] = "tool"
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


_read, _read_whole = reader(_message), reader(_whole_message)


def _part(part: dict[str, Any]) -> dict[str, Any]:
    content = part.get("message_content")
    made = dict(content) if is_record(content) else {}
    call = part.get("tool_call")
    made.setdefault("type", "tool_use" if is_record(call) else "text")
    if as_text(made["type"]).endswith(_RAN):
        return {**record(made.get("text")), "type": "tool_result"}
    return {**call, **made} if is_record(call) else made
