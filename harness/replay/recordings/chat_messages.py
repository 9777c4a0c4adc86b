"""One message of a chat, in the forms of OpenAI's chat completions, Anthropic's blocks and LangChain, exactly as it is.

Told by what is in it. Nothing is guessed, unwrapped or mended, as it is for telemetry: argument texts and results stay
to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.model.recording import RecordedCall
from harness.replay.recordings.feedback import moment
from harness.replay.recordings.transcript import Answer, Role, Transcript, asked
from tools_sandbox.call import Json
from traces.dialects.content.messages import ROLES
from traces.dialects.content.parts import ANSWERS, ASKS, kind_of
from traces.dialects.content.values import constructed, is_record

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "agent"}
_TEXTS = frozenset({"text", "input_text", "output_text"})
_UNSAID = frozenset({"thinking", "redacted_thinking", "reasoning"})
"""Parts that the model wrote for itself."""
_TIMES = ("timestamp", "created_at", "at", "time")


def is_message(value: Any) -> bool:
    """Whether a JSON value is a message of a chat."""
    return is_record(value) and _role_of(_unwrapped(value)) is not None


def add_message(transcript: Transcript, value: Any) -> None:
    """Add a message to a transcript; what is none is told there."""
    message = _unwrapped(value) if is_record(value) else {}
    role = _role_of(message)
    if role is None:
        transcript.flaw(f"this is no message: {json.dumps(value, ensure_ascii=False, default=str)[:120]}")
        return
    at = next((found for name in _TIMES if (found := moment(message.get(name))) is not None), None)
    content = _read(message.get("content"))
    if role == "tool":
        error = message.get("error")
        told = isinstance(error, str) and bool(error)  # AgentDojo tells the model this text then
        failed = told or message.get("status") == "error" or message.get("is_error") is True
        transcript.answer(_answer(message, error if told else message.get("content"), failed=failed))
        return
    for answer in content.answers:
        transcript.answer(answer)
    refusal = message.get("refusal")
    refused = isinstance(refusal, str) and bool(refusal)
    words = [content.text, refusal if refused else None]
    text = None if content.text is None and not refused else "\n".join(word for word in words if word)
    calls = list(_listed(message, transcript)) or content.calls
    if not (content.answers and text is None and not calls and not content.others):
        transcript.say(_ROLES[role], text, calls, refusal=refused or content.refusal, parts=content.others, at=at)


@dataclass(slots=True)
class _Content:
    text: str | None = None
    calls: list[RecordedCall] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    others: list[Json] = field(default_factory=list)
    refusal: bool = False

    def add(self, text: str) -> None:
        self.text = text if self.text is None else f"{self.text}\n{text}"


def text_of(content: Any) -> str | None:
    """The words of a message's content or a tool's result: of parts, those of the text parts, a line each. None where
    there are none.
    """
    return _read(content).text


def _read(content: Any) -> _Content:
    found = _Content()
    for part in content if isinstance(content, list) else [content]:
        if part is None:
            continue
        if isinstance(part, str):
            found.add(part)
        elif not is_record(part):
            found.others.append(part)
        elif (kind := kind_of(part)) in _TEXTS and (text := _words(part)) is not None:
            found.add(text)
        elif kind == "refusal" and isinstance(part.get("refusal"), str):
            found.add(part["refusal"])
            found.refusal = True
        elif kind in ASKS:
            found.calls.append(_call(part))
        elif kind in ANSWERS:
            found.answers.append(_answer(part, part.get("content"), failed=part.get("is_error") is True))
        elif kind not in _UNSAID:
            found.others.append(part)
    return found


def _words(part: dict[str, Any]) -> str | None:
    """Those of a text part; AgentDojo's have them under `content`."""
    return next((part[key] for key in ("text", "content") if isinstance(part.get(key), str)), None)


def _unwrapped(message: dict[str, Any]) -> dict[str, Any]:
    """The message itself, out of LangChain's constructors and `type` and `data`."""
    message = constructed(message) or message
    data = message.get("data")
    return {**data, "type": message.get("type")} if is_record(data) and "type" in message else message


def _role_of(message: dict[str, Any]) -> str | None:
    for key in ("role", "type", "class"):
        name = message.get(key)
        if isinstance(name, str) and name in ROLES and not name.startswith("function_call"):
            return ROLES[name]
    return None


def _answer(message: dict[str, Any], content: Any, *, failed: bool) -> Answer:
    named = (message.get(key) for key in ("tool_call_id", "tool_use_id", "call_id", "id"))
    call_id = next((str(each) for each in named if isinstance(each, str | int) and each != ""), None)
    tool = message.get("name")
    tool = tool if isinstance(tool, str) and tool else None
    if isinstance(content, str):
        return Answer.of_text(call_id, content, tool, failed=failed)
    text = text_of(content)
    if failed:
        return Answer(call_id, text, tool, error=text or json.dumps(content, ensure_ascii=False))
    return Answer(call_id, text, tool, result=content)


def _listed(message: dict[str, Any], transcript: Transcript) -> Iterator[RecordedCall]:
    for item in _calls_in(message):
        if is_record(item):
            yield _call(item)
        else:
            transcript.flaw(f"this is no tool call: {json.dumps(item, ensure_ascii=False, default=str)[:120]}")


def _calls_in(message: dict[str, Any]) -> list[Any]:
    listed = [*_items(message.get("tool_calls")), *_items(message.get("invalid_tool_calls"))]
    extra = message.get("additional_kwargs")
    extra = extra if is_record(extra) else {}
    raw = _items(extra.get("tool_calls"))
    if raw and len(raw) >= len(listed):  # LangChain keeps the texts of the arguments there alone
        return raw
    legacy = message.get("function_call") or extra.get("function_call")
    return listed or ([legacy] if is_record(legacy) else [])


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _call(item: dict[str, Any]) -> RecordedCall:
    named = item.get(kind_of(item))
    inner = next((each for each in (item.get("function"), item.get("custom"), named) if is_record(each)), item)
    name = inner.get("name") or item.get("function")
    given = next((inner[key] for key in ("arguments", "args", "input") if inner.get(key) is not None), None)
    ids = (item.get(key) for key in ("call_id", "id", "tool_call_id"))
    call_id = next((str(each) for each in ids if isinstance(each, str | int) and each != ""), None)
    return asked(name if isinstance(name, str) else "", given, call_id)
