"""Names of the OpenTelemetry GenAI conventions that are written here, and reading model calls from spans.

Names: open-telemetry/semantic-conventions-genai. Older and other names for the same facts are read, never written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from traces.span import Span

OPERATION = "gen_ai.operation.name"
CONVERSATION_ID = "gen_ai.conversation.id"
AGENT_NAME = "gen_ai.agent.name"
AGENT_VERSION = "gen_ai.agent.version"
CHAT = "chat"
EXECUTE_TOOL = "execute_tool"
PROVIDER = "gen_ai.provider.name"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens"
REASONING_TOKENS = "gen_ai.usage.reasoning.output_tokens"
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_CALL_ID = "gen_ai.tool.call.id"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
ERROR_TYPE = "error.type"
TURN = "turngate.turn"
"""On a `turn` span: which turn, counted from 1."""

OUTAGE = "turngate.outage"
"""On the span of a model request that was broken off while its provider could not answer: why it could not."""

STAND_IN = "turngate.chat"
"""Scope of the model-call spans that turngate makes itself, for where no instrumentation does."""

_START = attrgetter("start")
_INFERENCE = frozenset({CHAT, "generate_content", "text_completion"})
_MODEL = (RESPONSE_MODEL, REQUEST_MODEL, "llm.response.model_name", "llm.model_name")
_INPUT = (INPUT_TOKENS, "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "llm.usage.prompt_tokens")
_OUTPUT = (OUTPUT_TOKENS, "gen_ai.usage.completion_tokens", "llm.token_count.completion", "llm.usage.completion_tokens")
_CACHED = (
    CACHED_TOKENS,
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.cached_tokens",
    *("gen_ai.usage.details." + name for name in ("cached_tokens", "cache_read_tokens", "cache_read_input_tokens")),
    "llm.token_count.prompt_details.cache_read",
)
_REASONING = (
    REASONING_TOKENS,
    "gen_ai.usage.reasoning_tokens",
    "gen_ai.usage.experimental.reasoning_tokens",
    "gen_ai.usage.details.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
    "ai.usage.outputTokenDetails.reasoningTokens",
)
_TOKENS = frozenset((*_INPUT, *_OUTPUT))
_PARTS = frozenset((*_CACHED, *_REASONING))


_COUNTS = ("input", "output", "cached", "reasoning")

MOST_TOKENS = 10**12
"""More than that is no number of tokens but a mistake."""


@dataclass(slots=True)
class Usage:
    """Tokens of one model call as the provider reported them. `cached` is part of `input`, `reasoning` of `output`.
    Never changed; not frozen, for that takes five times as long to make.
    """

    input: int
    output: int
    cached: int = 0
    reasoning: int = 0

    @property
    def flaw(self) -> str | None:
        """Why this can't be what a model used; None if it can. Nothing is to be reckoned with a usage that has one."""
        taken, given, cached, reasoning = counts = self.input, self.output, self.cached, self.reasoning
        if (
            type(taken) is type(given) is type(cached) is type(reasoning) is int
            and 0 <= cached <= taken <= MOST_TOKENS
            and 0 <= reasoning <= given <= MOST_TOKENS
        ):
            return None
        for name, value in zip(_COUNTS, counts, strict=True):
            if type(value) is not int:
                return f"`{name}` is no whole number but of type {type(value).__name__}"
            if not 0 <= value <= MOST_TOKENS:
                return f"`{name}` is {'negative' if value < 0 else 'larger than any use of a model'}"
        if cached > taken:
            return "`cached`, which is a part of `input`, is larger"
        return "`reasoning`, which is a part of `output`, is larger"


@dataclass(slots=True)
class ModelSpan:
    """One model call found in a trace. `tokens` is None where nobody reported them, with the reason in `missing`.

    `turn`: the number of the turn span above it, None if there is none. Times in seconds since the epoch.
    """

    span_id: str
    turn: int | None
    model: str | None
    tokens: Usage | None
    missing: str | None
    started: float
    ended: float


def model_calls(spans: Iterable[Span]) -> list[ModelSpan]:
    """The model calls of one trace, in order of their start, each request once.

    Two instrumentations make two spans of one request, one within the other, and agent spans repeat the totals of what
    is below them. So a request is a model-call span with no other below it; it takes the tokens of the model-call span
    around it only where it has none and is the only one in there. An agent span counts where nothing below it does. A
    stand-in of turngate's own (scope STAND_IN) counts where no other model-call span is about at the same time.
    """
    order = _parents_first(_without_doubles(sorted(spans, key=_START)))
    turns = _turns(order)
    below: dict[str | None, list[ModelSpan]] = {}
    for span in reversed(order):
        attributes = span.attributes
        calls = below.pop(span.span_id, None)
        inference = _is_inference(attributes)
        alone = not calls and (inference or not _TOKENS.isdisjoint(attributes))
        if alone or (inference and calls and len(calls) == 1 and calls[0].tokens is None):
            found = _read(span, turns[span.span_id])
            if inference or found.tokens:
                calls = [found]
        if calls:
            below.setdefault(span.parent_id if span.parent_id in turns else None, []).extend(calls)
    return sorted(below.get(None, []), key=lambda call: call.started)


def turns_of(spans: Iterable[Span]) -> dict[str, int | None]:
    """The number of the turn span above each span of a trace, by span id; None where there is none."""
    return _turns(_parents_first(spans))


def first_of(attributes: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The value of the first of these attributes that is there."""
    for name in names:
        value = attributes.get(name)
        if value is not None:
            return value
    return None


def usage_of(attributes: Mapping[str, Any]) -> tuple[Usage | None, str | None]:
    """The token counts among these attributes; None where one is missing, or with why they can't be right."""
    taken, given = attributes.get(INPUT_TOKENS), attributes.get(OUTPUT_TOKENS)
    if type(taken) is not int or type(given) is not int:  # other names, other forms, or none
        taken, given = _count(attributes, _INPUT), _count(attributes, _OUTPUT)
    if taken is None or given is None:
        return None, None
    usage = Usage(taken, given)
    if not _PARTS.isdisjoint(attributes):
        cached, reasoning = _count(attributes, _CACHED), _count(attributes, _REASONING)
        usage = Usage(taken, given, 0 if cached is None else cached, 0 if reasoning is None else reasoning)
    flaw = usage.flaw
    return (usage, None) if flaw is None else (None, flaw)


def _turns(order: Iterable[Span]) -> dict[str, int | None]:
    turns: dict[str, int | None] = {}
    for span in order:
        turns[span.span_id] = span.attributes.get(TURN, turns.get(span.parent_id or ""))
    return turns


def _without_doubles(spans: list[Span]) -> list[Span]:
    if STAND_IN not in {span.scope for span in spans}:
        return spans
    traced = [span for span in spans if span.scope != STAND_IN and _is_inference(span.attributes)]
    return [
        span
        for span in spans
        if span.scope != STAND_IN or not any(other.start < span.end and span.start < other.end for other in traced)
    ]


def _parents_first(spans: Iterable[Span]) -> list[Span]:
    """The spans with every parent before its children, however deep they are nested."""
    spans = list(spans)
    ids = {span.span_id for span in spans}
    if _are_parents_first(spans, ids):
        return spans
    children: dict[str | None, list[Span]] = {}
    for span in spans:
        children.setdefault(span.parent_id, []).append(span)
    order = [span for parent, group in children.items() if parent not in ids for span in group]
    for span in order:  # grows while it is walked
        order.extend(children.get(span.span_id, ()))
    return order


def _are_parents_first(spans: Iterable[Span], ids: Set[str]) -> bool:
    """Whether no span comes before its parent, as is usual of those in order of their start."""
    seen = set()
    for span in spans:
        parent = span.parent_id
        if parent not in seen and parent in ids:
            return False
        seen.add(span.span_id)
    return True


def _is_inference(attributes: Mapping[str, Any]) -> bool:
    return (
        attributes.get(OPERATION) in _INFERENCE
        or attributes.get("openinference.span.kind") == "LLM"
        or (OPERATION not in attributes and "llm.request.type" in attributes)
    )


def _read(span: Span, turn: int | None) -> ModelSpan:
    tokens, flaw = usage_of(span.attributes)
    missing = None
    if flaw is not None:
        missing = f"the token counts of the span `{span.name}` can't be right: {flaw}"
    elif tokens is None:
        missing = f"the span `{span.name}` gives no token counts"
    model = first_of(span.attributes, _MODEL)
    return ModelSpan(span.span_id, turn, model, tokens, missing, span.start / 1e9, span.end / 1e9)


def _count(attributes: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The value of the first attribute that is there; of a float that is a whole number, the number."""
    value = first_of(attributes, names)
    return int(value) if isinstance(value, float) and value.is_integer() else value
