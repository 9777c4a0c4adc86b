"""The span of a model request, by the OpenTelemetry GenAI conventions, with the messages of both sides on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from harness.llm.messages import Answer, Message, Part
from harness.llm.problem import ProviderError
from traces import genai

_PARAMETERS = {
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "max_tokens": "gen_ai.request.max_tokens",
    "max_completion_tokens": "gen_ai.request.max_tokens",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "seed": "gen_ai.request.seed",
    "reasoning_effort": "gen_ai.request.reasoning.level",
}


@contextmanager
def chat_span(
    model: str,
    address: str | None,
    instructions: str,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
) -> Iterator[Span]:
    """The span of one request, its repetitions included; an exception that leaves it is its error.

    Where an instrumentation traces the same requests, its spans are the ones that count (`traces.genai.model_calls`).
    """
    attributes: dict[str, Any] = {
        genai.OPERATION: genai.CHAT,
        genai.PROVIDER: "openai",
        genai.REQUEST_MODEL: model,
        "gen_ai.system_instructions": _json([{"type": "text", "content": instructions}]),
        "gen_ai.input.messages": _json([_shown(message) for message in messages]),
        **{_PARAMETERS[name]: value for name, value in parameters.items() if name in _PARAMETERS},
    }
    if address is not None:
        where = urlsplit(address)
        attributes["server.address"] = where.hostname
        attributes["server.port"] = where.port or (443 if where.scheme == "https" else 80)
    span = trace.get_tracer(genai.STAND_IN).start_span(
        f"{genai.CHAT} {model}", kind=SpanKind.CLIENT, attributes=attributes
    )
    try:
        yield span
    except BaseException as error:
        span.set_attribute(genai.ERROR_TYPE, type(error).__qualname__)
        if isinstance(error.__cause__, ProviderError):
            span.set_attribute(genai.OUTAGE, str(error.__cause__))
        span.set_status(Status(StatusCode.ERROR, str(error)))
        raise
    finally:
        span.end()


def tell_answer(span: Span, answer: Answer) -> None:
    """Put an answer on its span. What the provider does not tell is left out."""
    finish = answer.finish or ""
    told: dict[str, Any] = {
        genai.RESPONSE_MODEL: answer.model,
        "gen_ai.response.id": answer.id,
        "gen_ai.response.finish_reasons": [finish] if finish else None,
        "gen_ai.output.messages": _json([{**_shown(answer.message), "finish_reason": finish}]),
    }
    if (usage := answer.usage) is not None:
        told |= {
            genai.INPUT_TOKENS: usage.input,
            genai.OUTPUT_TOKENS: usage.output,
            genai.CACHED_TOKENS: usage.cached,
            genai.REASONING_TOKENS: usage.reasoning,
        }
    span.set_attributes({name: value for name, value in told.items() if value is not None})


def _shown(message: Message) -> Message:
    parts: list[Part] = message["parts"]
    return {**message, "parts": [part for part in parts if part["type"] != "reasoning"]}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
