"""Pydantic AI's messages as its own classes hold them, where another library wrote those down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from traces.dialects.content.parts import answered, asked, text_of
from traces.dialects.content.values import as_text, is_record
from traces.dialects.facts import Answer, AskedCall, Message, Role
from traces.genai import CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, REASONING_TOKENS

_SPOKEN: dict[Any, Role] = {"system-prompt": "system", "user-prompt": "user"}


def pydantic_messages(told: Any) -> tuple[Message, ...]:
    """The messages of a list of requests and responses; the instructions, which each request repeats, once."""
    found = [item for item in told if is_record(item)] if isinstance(told, list) else []
    rules = next((item["instructions"] for item in found if isinstance(item.get("instructions"), str)), "")
    head = (Message("system", rules),) if rules else ()
    return (*head, *(message for item in found for message in _messages(item)))


def pydantic_usage(response: Mapping[str, Any]) -> dict[str, Any]:
    """The token counts of a response, under the names of the conventions."""
    usage = response.get("usage")
    if not is_record(usage):
        return {}
    details = usage["details"] if is_record(usage.get("details")) else {}
    return {
        INPUT_TOKENS: usage.get("input_tokens"),
        OUTPUT_TOKENS: usage.get("output_tokens"),
        CACHED_TOKENS: usage.get("cache_read_tokens"),
        REASONING_TOKENS: details.get("reasoning_tokens"),
    }


def _messages(item: Mapping[str, Any]) -> Iterator[Message]:
    parts = [part for part in item.get("parts") or () if is_record(part)]
    if item.get("kind") == "response":
        yield _reply(parts)
        return
    for part in parts:
        kind, content = part.get("part_kind"), part.get("content")
        if kind in _SPOKEN:
            yield Message(_SPOKEN[kind], text_of(content))
        elif part.get("tool_name"):
            answer = Answer(_id(part), answered(content), as_text(part["tool_name"]), kind == "retry-prompt" or None)
            yield Message("tool", "", (), (answer,))
        elif kind == "retry-prompt":
            yield Message("user", as_text(content))


def _reply(parts: Iterable[Mapping[str, Any]]) -> Message:
    words: list[str] = []
    calls: list[AskedCall] = []
    for part in parts:
        if part.get("part_kind") == "text":
            words.append(as_text(part.get("content")))
        elif part.get("part_kind") == "tool-call":
            calls.append(asked(part.get("tool_name"), _id(part), part.get("args")))
    return Message("assistant", "\n".join(filter(None, words)), tuple(calls))


def _id(part: Mapping[str, Any]) -> str | None:
    return as_text(part.get("tool_call_id")) or None
