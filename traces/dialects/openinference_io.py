"""`input.value` and `output.value`: what was handed to a library and what it gave, in that library's own form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from traces.dialects.common import text_or_none
from traces.dialects.facts import Message
from traces.dialects.messages import messages
from traces.dialects.values import constructed, is_record, parse


@dataclass(frozen=True, slots=True)
class Response:
    """A model's response: the provider's id of it, and its messages, None where there are none to be read."""

    id: str | None
    messages: tuple[Message, ...] | None


def first_asked(value: Any) -> tuple[Message, ...] | None:
    """The messages in an input: a request's, a graph's, or bare words of the user. None where there are none."""
    found = parse(value).value
    if isinstance(found, str):
        return messages(found) if found else None
    if isinstance(found, list):
        return messages(found)
    if not is_record(found):
        return None
    for key in ("messages", "input", "inputs", "query", "question", "prompt", "contents"):
        if found.get(key):
            system = found.get("system") or found.get("instructions")
            first = messages(system, "system") if isinstance(system, str | list) else ()
            return (*first, *messages(found[key]))
    return None


def last_given(value: Any) -> tuple[Message, ...] | None:
    """The messages in an output: a response's, a graph's, or bare words of the agent. None where there are none."""
    return response(value).messages


def response(value: Any) -> Response:
    """A response: of chat completions, the Responses API, Anthropic, or LangChain, else bare text."""
    found = parse(value).value
    if isinstance(found, str):
        return Response(None, messages(found, "assistant") if found else None)
    if isinstance(found, list):
        return Response(None, messages(found, "assistant"))
    if not is_record(found):
        return Response(None, None)
    if "generations" in found:
        return _generations(found["generations"])
    response_id = text_or_none(found.get("id"))
    for key in ("choices", "output", "messages", "outputs", "response", "answer", "result", "text"):
        if found.get(key):
            return Response(response_id, messages(found[key], "assistant"))
    if "content" in found:
        return Response(response_id, messages(found, "assistant"))
    return Response(response_id, None)


def _generations(rows: Any) -> Response:
    """LangChain's result: batches of generations, each with a message or at least a text."""
    flat = (
        [item for row in rows for item in (row if isinstance(row, list) else [row])] if isinstance(rows, list) else []
    )
    said = [item.get("message") or item.get("text") for item in flat if is_record(item)]
    first = said[0] if said else None
    fields = (constructed(first) or first.get("data") or first) if is_record(first) else {}
    about = fields.get("response_metadata") if is_record(fields) else None
    return Response(
        text_or_none(about.get("id")) if is_record(about) else None, messages(said, "assistant") if said else None
    )
