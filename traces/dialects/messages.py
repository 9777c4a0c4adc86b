"""Messages in the forms of the GenAI conventions, the model providers and LangChain, read into one.

All of it is told by what is in a message, so that every dialect that carries messages can hand them over as they are:
GenAI `parts`; chat completions' `content` and `tool_calls`; Responses items; Anthropic, Bedrock, Gemini and Vercel
blocks; LangChain's constructors, dumps and `type`/`data` envelopes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

from traces.dialects.cut import CutList, CutText, is_cut
from traces.dialects.facts import Answer, AskedCall, Message, Role
from traces.dialects.values import HIDDEN, as_text, constructed, is_record, parse

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "SystemMessage": "system",
    "user": "user",
    "human": "user",
    "HumanMessage": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "tool": "tool",
    "function": "tool",
    "ToolMessage": "tool",
    "function_call": "assistant",
    "function_call_output": "tool",
}
"""The names that roles, types and classes of messages have."""

_ROLE = '"role":'
_FIRST = "[{" + _ROLE
_BETWEEN, _BETWEEN_TIGHT = "}, {" + _ROLE, "},{" + _ROLE
_decode = json.JSONDecoder(parse_constant=str, strict=False).decode

_ASKS = frozenset({"tool_call", "tool-call", "tool_use", "toolUse", "function_call", "functionCall", "tool_request"})
_ANSWERS = frozenset(
    {
        "tool_call_response",
        "tool-result",
        "tool-error",
        "tool_result",
        "toolResult",
        "function_call_output",
        "function_response",
        "functionResponse",
        "function_result",
    }
)
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal", "TextContent"})


def messages(value: Any, role: Role = "user") -> tuple[Message, ...]:
    """The messages in a value, in order; in `role` where they don't say theirs. Never raises.

    Of a list that was cut, the last message is marked as cut: what there is of it, or one with nothing in it.
    A list that stands in for a message (LangChain's batches) is read as its messages. An answer that stands with a
    user's words in one message becomes a message of its own, of the role `tool`.
    """
    if isinstance(value, str) and value.startswith(_FIRST) and value.endswith("}]"):
        texts = value[len(_FIRST) : -2].split(_BETWEEN)
        if len(texts) == 1:
            texts = texts[0].split(_BETWEEN_TIGHT)
        try:
            return tuple(chain.from_iterable([_of_text(text, role) for text in texts]))
        except (ValueError, RecursionError):
            pass  # such text stands within a message too, or it is no JSON
    found: list[Message] = []
    held = parse(value).value
    for item in _items(held):
        found.extend(_message(item, role))
    if isinstance(held, CutList) and not (found and found[-1].cut):
        found.append(Message("assistant", cut=True))  # of the next, nothing is there
    return tuple(found)


@lru_cache(maxsize=4096)
def _of_text(text: str, role: Role) -> tuple[Message, ...]:
    """The messages in one message's JSON behind `{"role":`. Histories repeat the same over and over."""
    return tuple(_message(_decode("{" + _ROLE + text + "}"), role))


def asked(name: Any, call_id: Any, arguments: Any) -> AskedCall:
    """A call in an assistant's message. Its arguments may be JSON or text of it; what can't be read whole stays raw."""
    name, call_id = as_text(name), _id(call_id)
    if arguments is None or arguments == {}:
        return AskedCall(name, call_id, arguments)
    if type(arguments) is dict and "lc" not in arguments:
        return AskedCall(name, call_id, arguments)
    parsed = parse(arguments)
    if parsed.how == "cut":
        return AskedCall(name, call_id, None, parsed.raw)
    if parsed.how == "text":
        return (
            AskedCall(name, call_id, None, parsed.raw) if as_text(parsed.raw).strip() else AskedCall(name, call_id, {})
        )
    if parsed.how == "structured" and is_cut(parsed.value):
        return AskedCall(name, call_id, None, json.dumps(parsed.value, ensure_ascii=False))
    return AskedCall(name, call_id, parsed.value)


def text_of(content: Any) -> str:
    """The words in a message's content or in a tool's answer: of blocks, those of the text blocks, a line each."""
    if isinstance(content, str):
        return _shown(content)
    if isinstance(content, list):
        return "\n".join(filter(None, map(_words, content)))
    return _words(content)


def answered(content: Any) -> Any:
    """What a tool's answer holds: text, JSON, or of text blocks alone their text."""
    if isinstance(content, str):
        return None if content in HIDDEN else content
    if isinstance(content, list) and content and all(is_record(item) and _is_text(item) for item in content):
        return text_of(content)
    if isinstance(content, list) and len(content) == 1 and is_record(content[0]) and set(content[0]) == {"json"}:
        return content[0]["json"]
    if is_record(content) and set(content) == {"type", "value"}:  # Vercel's outputs
        return content["value"]
    return content


def _items(value: Any) -> Iterable[Any]:
    """The messages one by one, of nested lists too; the last is marked as cut with its list."""
    if value is None or value == "":
        return
    if not isinstance(value, list):
        yield value
        return
    for item in value:
        if isinstance(item, list):
            yield from _items(item)
        elif item is not None:
            yield item


def _message(item: Any, role: Role) -> list[Message]:
    if isinstance(item, str):
        return [Message(role, _shown(str(item)), cut=isinstance(item, CutText))]
    if not is_record(item):
        return [Message(role, as_text(item))]
    item = constructed(item) or item
    inner = item.get("data") if is_record(item.get("data")) and "type" in item else item.get("message")
    if is_record(inner):
        return _message({**inner, "type": item["type"]} if "type" in item and "role" not in inner else inner, role)
    role = _role(item, role)
    if is_cut(item) and isinstance(item.get("role"), CutText):
        return []
    calls: list[AskedCall] = []
    answers: list[Answer] = []
    words: list[str] = []
    cut = is_cut(item)
    kind = as_text(item.get("type"))
    if kind in _ASKS or kind in _ANSWERS:  # an item of its own, as in the Responses API
        _part(item, words, calls, answers)
    else:
        content = item["parts"] if isinstance(item.get("parts"), list) else item.get("content", item.get("text"))
        cut = cut or is_cut(content)
        if role == "tool" and not _holds_answers(content):
            answers.append(_answer(item, content))
        else:
            for part in content if isinstance(content, list) else [content]:
                _part(part, words, calls, answers)
        for call in _listed_calls(item):
            if call.id is None or all(call.id != other.id for other in calls):
                calls.append(call)
    text = "\n".join(filter(None, words))
    if not answers:
        return [Message(role, text, tuple(calls), (), cut)]
    told = [Message("tool", "", (), tuple(answers), cut)]
    if calls or (text and role != "tool"):
        told.append(Message(role, text, tuple(calls), (), cut))
    return told


def _role(item: dict[str, Any], default: Role) -> Role:
    for key in ("role", "type", "class"):
        name = item.get(key)
        if isinstance(name, str) and name in ROLES:
            return ROLES[name]
    name = item.get("role")
    return ROLES.get(name.lower(), default) if isinstance(name, str) else default


def _holds_answers(content: Any) -> bool:
    return isinstance(content, list) and any(is_record(part) and _kind(part) in _ANSWERS for part in content)


def _listed_calls(item: dict[str, Any]) -> list[AskedCall]:
    listed = item.get("tool_calls") or item.get("toolCalls")
    extra = item.get("additional_kwargs")
    if not listed and is_record(extra):
        listed = extra.get("tool_calls")
    if not listed and is_record(item.get("function_call")):
        listed = [item["function_call"]]
    listed = parse(listed).value
    return [_call(call) for call in listed if is_record(call)] if isinstance(listed, list) else []


def _kind(part: dict[str, Any]) -> str:
    """The kind of a part: its `type`, else the one key that names it (Bedrock, Gemini)."""
    kind = part.get("type") or part.get("content_type")
    if isinstance(kind, str):
        return kind
    for key in ("toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response"):
        if is_record(part.get(key)):
            return key
    return "text" if "text" in part or "content" in part else ""


def _is_text(part: dict[str, Any]) -> bool:
    return _kind(part) in _TEXTS and not part.get("thought")


def _words(part: Any) -> str:
    if isinstance(part, str):
        return _shown(part)
    if not is_record(part) or not _is_text(part):
        return ""
    for key in ("content", "text", "refusal", "value"):
        if isinstance(part.get(key), str):
            return _shown(str(part[key]))
    return ""


def _shown(text: str) -> str:
    """The text; none where it says that it was hidden."""
    return "" if text in HIDDEN else text


def _part(part: Any, words: list[str], calls: list[AskedCall], answers: list[Answer]) -> None:
    if not is_record(part):
        words.append(_shown(part) if isinstance(part, str) else as_text(part))
        return
    kind = _kind(part)
    named = part.get(kind)
    inner = named if is_record(named) else part
    if kind in _ASKS:
        calls.append(_call(inner))
    elif kind in _ANSWERS:
        answers.append(_answer(inner, None))
    else:
        words.append(_words(part))


def _call(call: dict[str, Any]) -> AskedCall:
    inner = call["function"] if is_record(call.get("function")) else call
    arguments = next((inner[key] for key in ("arguments", "args", "input") if inner.get(key) is not None), None)
    call_id = next(
        (call[key] for key in ("call_id", "toolCallId", "toolUseId", "tool_call_id", "id") if call.get(key)), None
    )
    return asked(inner.get("name") or inner.get("toolName"), call_id, arguments)


def _answer(item: dict[str, Any], content: Any) -> Answer:
    call_id = next(
        (
            item[key]
            for key in ("tool_call_id", "tool_use_id", "call_id", "toolCallId", "toolUseId", "id")
            if item.get(key)
        ),
        None,
    )
    if content is None:
        content = next(
            (item[key] for key in ("response", "result", "output", "content", "error") if item.get(key) is not None),
            None,
        )
    elif isinstance(content, list) and len(content) == 1 and is_record(content[0]) and "tool_call_id" in content[0]:
        return _answer(content[0], None)
    name = item.get("name") or item.get("toolName")
    return Answer(_id(call_id), answered(content), name if isinstance(name, str) else None, _failed(item, content))


def _failed(item: dict[str, Any], content: Any) -> bool | None:
    for key in ("is_error", "isError"):
        if isinstance(item.get(key), bool):
            return bool(item[key])
    if item.get("status") in ("error", "success"):
        return bool(item["status"] == "error")
    if item.get("type") == "tool-error" or (is_record(content) and str(content.get("type")).startswith("error-")):
        return True
    return None


def _id(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int) and not isinstance(value, CutText) and value != "" else None
