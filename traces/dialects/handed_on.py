"""Token counts that an instrumentation hands on as a provider gave them, made what the conventions mean by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from traces.genai import CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, REASONING_TOKENS

_WRITTEN = "gen_ai.usage.cache_creation.input_tokens"
_TOTAL = "gen_ai.usage.total_tokens"


def _with_cached(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Bedrock's input is what was neither read from the cache nor written to it."""
    counts = [attributes.get(name, 0) for name in (INPUT_TOKENS, CACHED_TOKENS, _WRITTEN)]
    if INPUT_TOKENS not in attributes or any(type(count) is not int for count in counts):
        return attributes
    return {**attributes, INPUT_TOKENS: sum(counts)}


def _with_thoughts(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Gemini's output is the answer alone; of the thoughts only the total tells."""
    taken, given, total = (attributes.get(name) for name in (INPUT_TOKENS, OUTPUT_TOKENS, _TOTAL))
    if type(taken) is not int or type(given) is not int or type(total) is not int or total <= taken + given:
        return attributes
    return {**attributes, OUTPUT_TOKENS: total - taken, REASONING_TOKENS: total - taken - given}


AS_MEANT: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "opentelemetry.instrumentation.bedrock": _with_cached,
    "opentelemetry.instrumentation.botocore.bedrock-runtime": _with_cached,
    "opentelemetry.instrumentation.google_generativeai": _with_thoughts,
}
"""By the scope of the instrumentation, what makes them so."""
