"""What a service answers: the parts of a JSON document that a reply is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.problem import AgentError
from harness.agents.replies import message_text
from harness.model.remote import PARTS
from tools_sandbox.call import Json
from tools_sandbox.values import ABSENT, show
from traces.genai import Usage

PATHS: Mapping[str, str] = {name: name for name in PARTS}
"""Where a reply stands if a workflow does not say: text or messages, and the rest, by their names."""

_TOKENS = {
    "input": ("input", "input_tokens", "prompt_tokens"),
    "output": ("output", "output_tokens", "completion_tokens"),
    "cached": ("cached", "input_tokens_details.cached_tokens", "prompt_tokens_details.cached_tokens"),
    "reasoning": (
        "reasoning",
        "output_tokens_details.reasoning_tokens",
        "completion_tokens_details.reasoning_tokens",
    ),
}
"""Names of token counts: turngate's own, and those of OpenAI's two interfaces."""


class NoReplyError(AgentError):
    """A document in which nothing stands where a reply should."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call that a service writes. `arguments`: an object, the JSON text of one, or whatever was written."""

    id: str | None
    name: str
    arguments: Json
    result: Json = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. `tool_calls` wait for their results; those in `called` the service has made itself."""

    messages: tuple[str, ...] = ()
    outcome: Json = None
    confidence: Json = None
    usage: Usage | None = None
    model: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    called: tuple[ToolCall, ...] = ()


def read_answer(document: Json, paths: Mapping[str, str]) -> Answer:
    """The parts of an answer. Raises NoReplyError if none of text, messages and tool calls is there, AgentError for a
    part of the wrong form.
    """
    found = {name: at(document, path) for name, path in paths.items()}
    if all(found.get(name, ABSENT) is ABSENT for name in ("text", "messages", "tool_calls")):
        looked = " or ".join(f"`{paths[name]}`" for name in ("text", "messages") if name in paths)
        raise NoReplyError(f"the answer has no {looked}: it is {show(document, 200)}")
    part = {name: None if value is ABSENT else value for name, value in found.items()}
    model = part.get("model")
    return Answer(
        messages=(*_texts(part.get("text")), *_messages(part.get("messages"))),
        outcome=part.get("outcome"),
        confidence=part.get("confidence"),
        usage=_usage(part.get("usage")),
        model=model if isinstance(model, str) else None,
        tool_calls=_calls(part.get("tool_calls"), "tool_calls"),
        called=_calls(part.get("called"), "called"),
    )


def at(document: Json, path: str) -> Json:
    """What stands at a dotted path, or ABSENT. A number is a member of a list (negative: from its end), `*` all of them
    that have the rest of the path.
    """
    step, _, rest = path.partition(".")
    if step == "*":
        if not isinstance(document, list):
            return ABSENT
        members = [at(member, rest) if rest else member for member in document]
        return [member for member in members if member is not ABSENT]
    if isinstance(document, list) and step.lstrip("-").isdecimal():
        place = int(step)
        value = document[place] if -len(document) <= place < len(document) else ABSENT
    else:
        value = document.get(step, ABSENT) if isinstance(document, dict) else ABSENT
    return value if value is ABSENT or not rest else at(value, rest)


def _texts(value: Json) -> tuple[str, ...]:
    """One message: text, or a list of content parts."""
    if value is None:
        return ()
    if not isinstance(value, str | list):
        raise AgentError(f"the service's text is {show(value)}, not text")
    return (message_text(value),)


def _messages(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(member, str) for member in value):
        raise AgentError(f"the service's messages are {show(value)}, not a list of texts")
    return tuple(value)


def _usage(value: Json) -> Usage | None:
    """The counts as they stand; whether they can be right is asked where they are used."""
    if value is None:
        return None
    counts = {name: _first(value, places) for name, places in _TOKENS.items()}
    if counts["input"] is None or counts["output"] is None:
        raise AgentError(f"the service's usage is {show(value)}, without input and output tokens")
    return Usage(counts["input"], counts["output"], counts["cached"] or 0, counts["reasoning"] or 0)


def _first(value: Json, places: tuple[str, ...]) -> Json:
    return next((found for place in places if (found := at(value, place)) not in (ABSENT, None)), None)


def _calls(value: Json, name: str) -> tuple[ToolCall, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise AgentError(f"the service's {name} are {show(value)}, not a list")
    return tuple(_call(item, f"{name}[{number}]") for number, item in enumerate(value))


def _call(item: Json, where: str) -> ToolCall:
    """`{id, name, arguments}`, or OpenAI's form, which has name and arguments under `function`."""
    if not isinstance(item, Mapping):
        raise AgentError(f"the service's {where} is {show(item)}, not a tool call")
    function: Mapping[str, Any] = item["function"] if isinstance(item.get("function"), Mapping) else item
    name, call_id, error = function.get("name"), item.get("id"), item.get("error")
    if not isinstance(name, str) or not name:
        raise AgentError(f"the service's {where} has no name of a tool: {show(item)}")
    return ToolCall(
        id=None if call_id is None else str(call_id),
        name=name,
        arguments=function.get("arguments", {}),
        result=item.get("result"),
        error=None if error is None else show(error, 500) if not isinstance(error, str) else error,
    )
