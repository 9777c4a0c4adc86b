"""Messages between us and a model, in the shape of the OpenTelemetry GenAI conventions: a role and its parts.

A part is `{"type": "text", "content": …}`, `{"type": "refusal", "content": …}`, `{"type": "tool_call", "id": …, "name":
…, "arguments": …}` (arguments as the model gave them), `{"type": "tool_call_response", "id": …, "response": …}`, or
`{"type": "reasoning", "item": …}`, which only the API that made it understands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from traces.genai import Usage

Part = dict[str, Any]
Message = dict[str, Any]


def user(text: str) -> Message:
    """What a person said."""
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def assistant(parts: Iterable[Part]) -> Message:
    """What a model answered."""
    return {"role": "assistant", "parts": list(parts)}


def text_part(text: str) -> Part:
    """A piece of text."""
    return {"type": "text", "content": text}


def tool_result(call_id: str, text: str) -> Message:
    """What a tool answered."""
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": text}]}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a model. `usage`, `model`, `id` and `finish` (the reason why it ended) are None where the provider
    does not tell them.
    """

    message: Message
    finish: str | None = None
    usage: Usage | None = None
    model: str | None = None
    id: str | None = None

    @property
    def said(self) -> tuple[str, ...]:
        """The text, and a refusal, which is what the model says too."""
        return tuple(part["content"] for part in self.message["parts"] if part["type"] in ("text", "refusal"))

    @property
    def calls(self) -> list[Part]:
        """The parts that are tool calls."""
        return [part for part in self.message["parts"] if part["type"] == "tool_call"]


def call_parts(calls: Sequence[tuple[Any, Any, Any]]) -> list[Part]:
    """The parts for calls given as (id, name, arguments). An id that is missing, or there twice, is replaced: results
    are told apart by it. A call without arguments has `{}`.
    """
    parts: list[Part] = []
    for number, (given, name, arguments) in enumerate(calls):
        taken = {part["id"] for part in parts}
        free = (made for made in map("call-{}".format, count(number)) if made not in taken)
        call_id = given if isinstance(given, str) and given and given not in taken else next(free)
        parts.append(
            {
                "type": "tool_call",
                "id": call_id,
                "name": name if isinstance(name, str) else "",
                "arguments": "{}" if arguments is None or arguments == "" else arguments,
            }
        )
    return parts


def told(value: Any) -> str | None:
    """A text that a provider gives; None for whatever else stands there."""
    return value if isinstance(value, str) and value else None


def counted(usage: object, taken: str, given: str) -> Usage | None:
    """The tokens that a provider reports under these names; None unless both are there."""
    if not isinstance(usage, Mapping):
        return None
    asked, answered = _count(usage, taken), _count(usage, given)
    if asked is None or answered is None:
        return None
    cached = _count(usage.get(f"{taken}_details"), "cached_tokens")
    reasoning = _count(usage.get(f"{given}_details"), "reasoning_tokens")
    return Usage(asked, answered, cached or 0, reasoning or 0)


def _count(counts: object, name: str) -> int | None:
    value = counts.get(name) if isinstance(counts, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
