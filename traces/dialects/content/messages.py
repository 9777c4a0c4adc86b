"""Messages in the forms of the GenAI conventions, the model providers and LangChain, read into one.

All of it is told by what is in a message, so that every dialect that carries messages can hand them over as they are:
GenAI `parts`; chat completions' `content` and `tool_calls`; Responses items; Anthropic, Bedrock, Gemini and Vercel
blocks; LangChain's constructors, dumps and `type`/`data` envelopes.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

from traces.dialects.content.cut import CutList, CutText, is_cut
from traces.dialects.content.memory import LONG
from traces.dialects.content.parts import ANSWERS, ASKS, answer_of, call_of, kind_of, shown, take
from traces.dialects.content.values import as_text, constructed, decoded, is_record, parse
from traces.dialects.facts import Answer, AskedCall, Message, Role

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
_UNREADABLE = "invalid_tool_calls"
"""Where LangChain keeps the calls whose arguments are no JSON, as of a message that reached its length's limit."""

_CALLS = frozenset({"tool_calls", "toolCalls", "additional_kwargs", "function_call", _UNREADABLE})
"""Where a message lists its calls beside its content."""

_DONE = ("reasoning", "_call", "_reference")
"""How the types of items of the Responses API end that tell what the model did, in no role."""

_OF_A_TOOL = ANSWERS | {"tool-approval-response"}
_HANDS_OFF = "Transferred to "
_IN_ITS_ROLE = ", adopting the role of "
"""How AutoGen's agents tell, as if they were the user, the agent that they hand over to: the answer of their tool."""


def messages(value: Any, role: Role = "user") -> tuple[Message, ...]:
    """The messages in a value, in order; in `role` where they don't say theirs. Never raises.

    Of a list that was cut, the last message is marked as cut: what there is of it, or one with nothing in it.
    A list that stands in for a message (LangChain's batches) is read as its messages. An answer that stands with a
    user's words in one message becomes a message of its own, of the role `tool`; so does one that stands in an
    assistant's with its call, for a server may run tools itself.
    """
    if isinstance(value, str) and value.startswith(_FIRST) and value.endswith("}]"):
        texts = value[len(_FIRST) : -2].split(_BETWEEN)
        if len(texts) == 1:
            texts = texts[0].split(_BETWEEN_TIGHT)
        try:
            told = list(map(_of_text if max(map(len, texts)) <= LONG else _of_any_text, texts))
            if None in told:
                told = [tuple(_message(_behind_role(text), role)) for text in texts]
            return tuple(chain.from_iterable(filter(None, told)))
        except (ValueError, RecursionError):
            pass  # such text stands within a message too, or it is no JSON
    found: list[Message] = []
    held = parse(value).value
    for item in _items(held):
        found.extend(_remembered(item, role))
    if isinstance(held, CutList) and not (found and found[-1].cut):
        found.append(Message("assistant", cut=True))  # of the next, nothing is there
    return tuple(found)


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Message, ...] | None:
    """The messages in one message's JSON behind `{"role":`, None if that is none that is known. Histories repeat the
    same over and over.
    """
    item = _behind_role(text)
    named = item["role"]
    known = isinstance(named, str) and (named in ROLES or named.lower() in ROLES)
    return tuple(_message(item, "user")) if known else None


def _of_any_text(text: str) -> tuple[Message, ...] | None:
    return (_of_text if len(text) <= LONG else _of_text.__wrapped__)(text)


def _behind_role(text: str) -> Any:
    return decoded("{" + _ROLE + text + "}")


def _remembered(item: Any, role: Role) -> Iterable[Message]:
    try:
        dump = marshal.dumps(item, 2)  # of this version the same value gives the same bytes
    except ValueError:  # what was cut is of types of its own
        return _message(item, role)
    return _of_dump(dump, role) if len(dump) <= LONG else _message(item, role)


@lru_cache(maxsize=4096)
def _of_dump(dump: bytes, role: Role) -> tuple[Message, ...]:
    """The messages in one, where they come within something else: read once like those above."""
    return tuple(_message(marshal.loads(dump), role))  # noqa: S302  # written above, by this very process


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
        return [Message(role, shown(str(item)), cut=isinstance(item, CutText))]
    if not is_record(item):
        return [Message(role, as_text(item))]
    if "lc" in item:
        item = constructed(item) or item
    kind = item.get("type")
    inner = item.get("data") if is_record(item.get("data")) and "type" in item else item.get("message")
    if is_record(inner):
        return _message({**inner, "type": kind} if "type" in item and "role" not in inner else inner, role)
    role = _role(item, role)
    cut = is_cut(item)
    if cut and isinstance(item.get("role"), CutText):
        return []
    calls: list[AskedCall] = []
    answers: list[Answer] = []
    words: list[str] = []
    if kind is not None and (
        as_text(kind) in ASKS or as_text(kind) in ANSWERS
    ):  # an item of its own, as in the Responses API
        take(item, words, calls, answers)
    else:
        content = item["parts"] if isinstance(item.get("parts"), list) else item.get("content", item.get("text"))
        cut = cut or is_cut(content)
        if role == "tool" and not _holds_answers(content):
            answers.append(answer_of(item, content))
        else:
            for part in content if isinstance(content, list) else [content]:
                take(part, words, calls, answers)
        if not _CALLS.isdisjoint(item):
            known = {call.id for call in calls}
            for call in _listed_calls(item):
                if call.id is None or call.id not in known:
                    known.add(call.id)
                    calls.append(call)
    if cut and not all(map(_is_named, calls)):
        calls = list(filter(_is_named, calls))
    text = words[0] if len(words) == 1 else "\n".join(filter(None, words))
    if not answers:
        if role == "user" and text.startswith(_HANDS_OFF) and _is_hand_off(text):
            return [Message("tool", "", (), (Answer(None, text),))]
        return [Message(role, text, tuple(calls), (), cut)]
    told = [Message("tool", "", (), tuple(answers), cut)]
    given = {answer.id for answer in answers} if role == "assistant" else ()
    if ran := [call for call in calls if call.id in given]:
        told.insert(0, Message(role, "", tuple(ran)))
        calls = [call for call in calls if call.id not in given]
    if calls or (text and role != "tool"):
        told.append(Message(role, text, tuple(calls), (), cut))
    return told


def _role(item: dict[str, Any], default: Role) -> Role:
    named = item.get("role")
    if type(named) is str and named in ROLES:
        return ROLES[named]
    for name in (item.get("type"), item.get("class")):
        if isinstance(name, str) and name in ROLES:
            return ROLES[name]
    if isinstance(named, str):
        return ROLES.get(named.lower(), default)
    kind = item.get("type")
    return "assistant" if isinstance(kind, str) and kind.endswith(_DONE) else default


def _holds_answers(content: Any) -> bool:
    """Whether its parts are what a tool answered, or a human who was asked whether it may run."""
    return isinstance(content, list) and any(is_record(part) and kind_of(part) in _OF_A_TOOL for part in content)


def _is_hand_off(text: str) -> bool:
    name = text.removeprefix(_HANDS_OFF).partition(_IN_ITS_ROLE)[0]
    return bool(name) and text == f"{_HANDS_OFF}{name}{_IN_ITS_ROLE}{name} immediately."


def _is_named(call: AskedCall) -> bool:
    """Whether it is known what was called: where a message was cut within the name, its tool's span tells that."""
    return bool(call.name) and not isinstance(call.name, CutText)


def _listed_calls(item: dict[str, Any]) -> list[AskedCall]:
    listed = item.get("tool_calls") or item.get("toolCalls")
    extra = item.get("additional_kwargs")
    if not listed and is_record(extra):
        listed = extra.get("tool_calls")
    if not listed and is_record(item.get("function_call")):
        listed = [item["function_call"]]
    lists = (parse(listed).value, item.get(_UNREADABLE))
    return [call_of(call) for some in lists if isinstance(some, list) for call in some if is_record(call)]
