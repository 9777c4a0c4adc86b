"""What a message holds: words, tool calls and answers, in the parts and blocks of every provider."""

from __future__ import annotations

import json
from typing import Any

from traces.dialects.content.cut import is_cut
from traces.dialects.content.values import as_text, is_hidden, is_record, parse
from traces.dialects.facts import Answer, AskedCall
from traces.genai import first_of

ASKS = frozenset({"tool_call", "tool-call", "tool_use", "toolUse", "function_call", "functionCall", "tool_request"})
"""The kinds of the parts that ask for a tool."""

ANSWERS = frozenset(
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
"""The kinds of the parts that tell a tool's answer."""

_CALL_IDS = ("call_id", "toolCallId", "toolUseId", "tool_call_id", "id")
_ANSWERED_IDS = ("tool_call_id", "tool_use_id", "call_id", "toolCallId", "toolUseId", "id")
_ARGUMENTS = ("arguments", "args", "input")
_CONTENTS = ("response", "result", "output", "content", "error")
_TYPED = frozenset({"type", "value"})
"""What the Vercel AI SDK wraps an output in."""
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal", "TextContent"})


_BLOCKS = ('[{"json":', '[{"type": "text"', '[{"type":"text"')
"""How JSON of the blocks of an answer begins, where an instrumentation wrote it as text: Bedrock's, Anthropic's."""


def asked(name: Any, call_id: Any, arguments: Any) -> AskedCall:
    """A call in an assistant's message. Its arguments may be JSON or text of it; what can't be read whole stays raw."""
    name, call_id = as_text(name), _id(call_id)
    if arguments is None or (type(arguments) is dict and "lc" not in arguments):
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
        return shown(content)
    if isinstance(content, list):
        return "\n".join(filter(None, map(_words, content)))
    return _words(content)


def answered(content: Any) -> Any:
    """What a tool's answer holds: text, JSON, or of text blocks alone their text; so too of blocks in JSON text."""
    if isinstance(content, str):
        if not content.startswith(_BLOCKS):
            return None if is_hidden(content) else content
        told = parse(content)
        inner = answered(told.value) if told.how == "json" else told.value
        return content if inner is told.value else inner
    if isinstance(content, list) and content and all(is_record(item) and _is_text(item) for item in content):
        return text_of(content)
    if isinstance(content, list) and len(content) == 1 and is_record(content[0]) and set(content[0]) == {"json"}:
        return content[0]["json"]
    if is_record(content) and len(content) == 2 and content.keys() == _TYPED:
        return content["value"]
    return content


def kind_of(part: dict[str, Any]) -> str:
    """The kind of a part: its `type`, else the one key that names it (Bedrock, Gemini)."""
    kind = part.get("type") or part.get("content_type")
    if isinstance(kind, str):
        return kind
    for key in ("toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response"):
        if is_record(part.get(key)):
            return key
    return "text" if "text" in part or "content" in part else ""


def _is_text(part: dict[str, Any]) -> bool:
    return kind_of(part) in _TEXTS and not part.get("thought")


def _words(part: Any) -> str:
    if isinstance(part, str):
        return shown(part)
    return _text(part) if is_record(part) and _is_text(part) else ""


def _text(part: dict[str, Any]) -> str:
    for key in ("content", "text", "refusal", "value"):
        if isinstance(part.get(key), str):
            return shown(str(part[key]))
    return ""


def shown(text: str) -> str:
    """The text; none where it says that it was hidden."""
    return "" if is_hidden(text) else text


def take(part: Any, words: list[str], calls: list[AskedCall], answers: list[Answer]) -> None:
    """Adds what a part holds to the words, the calls or the answers of its message."""
    if not is_record(part):
        words.append(shown(part) if isinstance(part, str) else as_text(part))
        return
    kind = kind_of(part)
    named = part.get(kind)
    inner = named if is_record(named) else part
    if kind in ASKS:
        calls.append(call_of(inner))
    elif kind in ANSWERS:
        answers.append(answer_of(inner, None))
    elif kind in _TEXTS and not part.get("thought"):
        words.append(_text(part))


def call_of(call: dict[str, Any]) -> AskedCall:
    """The call in an object that asks for one."""
    inner = call["function"] if is_record(call.get("function")) else call
    name = inner.get("name") or inner.get("toolName") or inner.get("tool_name")
    return asked(name, _named(call, _CALL_IDS), first_of(inner, _ARGUMENTS))


def answer_of(item: dict[str, Any], content: Any) -> Answer:
    """The answer in an object that gives one. `content`: what it holds, None if that is to be found in the object."""
    if content is None:
        content = first_of(item, _CONTENTS)
    elif isinstance(content, list) and len(content) == 1 and is_record(content[0]) and "tool_call_id" in content[0]:
        return answer_of(content[0], None)
    name = item.get("name") or item.get("toolName") or item.get("tool_name")
    call_id = _id(_named(item, _ANSWERED_IDS))
    return Answer(call_id, answered(content), name if isinstance(name, str) else None, _failed(item, content))


def _failed(item: dict[str, Any], content: Any) -> bool | None:
    for key in ("is_error", "isError"):
        if isinstance(item.get(key), bool):
            return bool(item[key])
    if item.get("status") in ("error", "success"):
        return bool(item["status"] == "error")
    if item.get("type") == "tool-error" or (is_record(content) and str(content.get("type")).startswith("error-")):
        return True
    return None


def _named(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The value of the first of these keys that says something."""
    for name in names:
        if value := item.get(name):
            return value
    return None


def _id(value: Any) -> str | None:
    if type(value) is str:
        return value or None
    return str(value) if isinstance(value, int) else None  # what is cut of an id is none
