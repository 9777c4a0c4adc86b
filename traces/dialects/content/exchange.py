"""A model API's request and response, where a span holds the whole of them.

OpenAI (both APIs), Anthropic, Bedrock, Gemini, and LangChain's and LlamaIndex's results. Told apart by what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from traces.dialects.content.messages import messages
from traces.dialects.content.parts import ASKS
from traces.dialects.content.values import as_text, constructed, is_record, read
from traces.dialects.facts import Message
from traces.genai import CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, REASONING_TOKENS, first_of

_HISTORIES = ("messages", "contents", "input", "prompts", "prompt", "message_history")
_IDS = ("id", "response_id", "responseId")
_MODELS = ("model", "model_name", "modelVersion", "model_version")
_FINISHES = ("finish_reason", "stop_reason", "stopReason", "finishReason")
_USAGES = ("usage_metadata", "usage", "token_usage", "usageMetadata")
_RULES = ("system", "instructions", "system_instruction", "systemInstruction", "system_prompt")


_OBJECT = re.compile(r"<[\w.]+ object at 0x[0-9a-fA-F]+>")
"""What Python shows of an object that shows nothing of itself, as of a stream that nobody has read yet."""


@dataclass(slots=True)
class Response:
    """What came back. `usage`: token counts under the names of the conventions, cached ones within the input."""

    messages: tuple[Message, ...] = ()
    id: str | None = None
    model: str | None = None
    finish: str | None = None
    usage: dict[str, int] = field(default_factory=dict)


def history(request: Any) -> tuple[Message, ...] | None:
    """The messages of a request, its system prompt first; None if there are none in it."""
    request = read(request)
    if not is_record(request):
        return messages(request) or None
    rules = first_of(request, _RULES)
    if rules is None and is_record(request.get("config")):
        rules = first_of(request["config"], _RULES)
    system = messages(rules if not is_record(rules) else [rules], "system") if rules else ()
    told = messages(first_of(request, _HISTORIES))
    if system and any(message.role == "system" for message in told):
        system = ()
    spoken = "\n".join(filter(None, (message.text for message in system)))
    return ((Message("system", spoken),) if spoken else ()) + told or None


def response(value: Any) -> Response:
    """What a response says. Of several choices the first counts."""
    value = read(value)
    found = Response()
    if isinstance(value, list):
        value = {"output": value}
    if isinstance(value, str) and not _OBJECT.fullmatch(value):
        found.messages = messages(value, "assistant")
    if not is_record(value):
        return found
    value = constructed(value) or value
    if value.keys() == {"data"} and is_record(value["data"]):  # an event of Mistral's stream
        value = value["data"]
    choice = _choice(value)
    said = _said(value, choice)
    found.messages = joined(messages(said, "assistant"))
    details = _details(value, choice)
    found.id, found.model, found.finish = (_told(details, names) for names in (_IDS, _MODELS, _FINISHES))
    for part in details:
        for name in _USAGES:
            if not found.usage and is_record(part.get(name)):
                found.usage = counts(part[name])
    return found


def joined(told: Iterable[Message]) -> tuple[Message, ...]:
    """The messages, those of the assistant that follow each other made one: an API may list what one reply holds."""
    result: list[Message] = []
    for one in told:
        if result and result[-1].role == one.role == "assistant":
            last = result.pop()
            text = "\n".join(filter(None, (last.text, one.text)))
            one = Message("assistant", text, last.calls + one.calls, last.answers + one.answers, last.cut or one.cut)
        result.append(one)
    return tuple(result)


def counts(usage: Mapping[str, Any]) -> dict[str, int]:
    """A report of token counts in any API's words, under the names of the conventions.

    Cached tokens are a part of the input and reasoning a part of the output: where a report leaves them out (as
    Anthropic, Bedrock, Gemini and Langfuse's LangChain handler do) they are added. Its total tells whether it does;
    where it gives none, the names tell.
    """
    taken, taken_name = _number(usage, _TAKEN)
    given, given_name = _number(usage, _GIVEN)
    if taken is None or given is None:
        return {}
    cached, cached_name = _number(usage, _CACHED)
    written, _ = _number(usage, _WRITTEN)
    reasoning, reasoning_name = _number(usage, _REASONING)
    total, _ = _number(usage, _TOTAL)
    apart = (cached or 0) + (written or 0)
    if total is not None and total > taken + given:
        taken += apart if total >= taken + given + apart else 0
        given += (reasoning or 0) if total >= taken + given + (reasoning or 0) else 0
    elif (cached or 0) > taken:
        taken += apart
    elif total is None:
        taken += apart if cached_name in _APART and taken_name in _APART else 0
        given += (reasoning or 0) if reasoning_name in _APART and given_name in _APART else 0
    told = {INPUT_TOKENS: taken, OUTPUT_TOKENS: given}
    if cached is not None:
        told[CACHED_TOKENS] = cached
    if reasoning is not None:
        told[REASONING_TOKENS] = reasoning
    return told


_TAKEN = (
    "input_tokens",
    "prompt_tokens",
    "inputTokens",
    "promptTokens",
    "prompt_token_count",
    "promptTokenCount",
    "input",
)
_GIVEN = (
    "output_tokens",
    "completion_tokens",
    "outputTokens",
    "completionTokens",
    "candidates_token_count",
    "candidatesTokenCount",
    "output",
)
_CACHED = (
    "input_token_details.cache_read",
    "input_tokens_details.cached_tokens",
    "prompt_tokens_details.cached_tokens",
    "cache_read_input_tokens",
    "cacheReadInputTokens",
    "cached_content_token_count",
    "cachedContentTokenCount",
    "cachedInputTokens",
    "input_cache_read",
    "input_cached_tokens",
    "cached_tokens",
)
_WRITTEN = ("cache_creation_input_tokens", "cacheWriteInputTokens", "input_cache_creation")
_REASONING = (
    "output_token_details.reasoning",
    "output_tokens_details.reasoning_tokens",
    "completion_tokens_details.reasoning_tokens",
    "thoughts_token_count",
    "thoughtsTokenCount",
    "reasoning_tokens",
    "reasoningTokens",
    "output_reasoning",
    "output_reasoning_tokens",
)
_TOTAL = ("total_tokens", "totalTokens", "total_token_count", "totalTokenCount", "total")
_APART = frozenset(
    {
        *("input_tokens", "inputTokens", "cache_read_input_tokens", "cacheReadInputTokens"),
        *("candidates_token_count", "candidatesTokenCount", "thoughts_token_count", "thoughtsTokenCount"),
        *("input", "output", "input_cache_read", "output_reasoning"),
    }
)


def _choice(value: dict[str, Any]) -> dict[str, Any]:
    """The first of the choices, candidates or generations; empty if the response has none."""
    for name in ("choices", "candidates", "generations"):
        chosen = value.get(name)
        while isinstance(chosen, list):
            chosen = next(iter(chosen), None)
        if is_record(chosen):
            return chosen
    return {}


def _said(value: dict[str, Any], choice: dict[str, Any]) -> Any:
    if choice:
        said = choice.get("message", choice.get("content"))
        return said if said is not None else choice.get("text")
    if is_record(value.get("output")):  # Bedrock
        return value["output"].get("message", value["output"])
    told = value.get("messages")
    if isinstance(told, list) and all(map(is_record, told)):
        return told
    for name in ("output", "message", "completion", "response"):
        if value.get(name) is not None:
            return value[name]
    if is_record(value.get("content")) and "parts" in value["content"]:  # Gemini, by way of the ADK
        return value["content"]
    return value if {"content", "tool_calls", "parts"} & set(value) or as_text(value.get("type")) in ASKS else None


def _details(value: dict[str, Any], choice: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects that tell of the response, the surest first."""
    made = constructed(choice.get("message")) or choice.get("message")
    inner: list[Any] = [value, choice, choice.get("generation_info"), value.get("llm_output")]
    if is_record(made):
        inner = [made.get("response_metadata"), {"usage_metadata": made.get("usage_metadata")}, *inner]
    return [part for part in inner if is_record(part)]


def _told(details: Iterable[dict[str, Any]], names: Iterable[str]) -> str | None:
    """The first text that these objects hold under one of the names."""
    for part in details:
        for name in names:
            item = part.get(name)
            if isinstance(item, str) and item:
                return item
    return None


def _number(usage: Mapping[str, Any], names: Iterable[str]) -> tuple[int | None, str | None]:
    for name in names:
        outer, _, inner = name.partition(".")
        value = usage.get(outer)
        if inner:
            value = value.get(inner) if is_record(value) else None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value, name
    return None, None
