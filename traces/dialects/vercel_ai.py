"""The AI SDK of Vercel up to version 6: attributes `ai.*`. From version 7 on its spans follow the GenAI conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from traces.dialects.common import begin, begin_model, count, text_or_none
from traces.dialects.content.exchange import counts, history
from traces.dialects.content.messages import messages
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import as_text, is_record, read, record
from traces.dialects.facts import Facts, Message
from traces.dialects.otel_genai import last_text
from traces.dialects.spoken import spoken
from traces.genai import first_of
from traces.log_record import LogRecord
from traces.span import Span

_MARKS = ("ai.operationId", "ai.model.id", "ai.toolCall.name")
_METADATA = "ai.telemetry.metadata."
_CONVERSATIONS = ("sessionid", "threadid", "chatid", "conversationid")
_TEXTS = ("ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
_CALLS = ("ai.response.toolCalls", "ai.result.toolCalls")
_USAGE = "ai.usage."
_BY_PROVIDER = "ai.response.providerMetadata"
_DETAILS = {
    "cachedPromptTokens": "cachedInputTokens",
    "reasoningTokens": "reasoningTokens",
    "cacheReadInputTokens": "cache_read_input_tokens",
    "cacheCreationInputTokens": "cache_creation_input_tokens",
}
"""What version 4 tells of tokens only there: OpenAI's as parts of input and output, Anthropic's beside the input."""


class VercelAI:
    """`ai.generateText` and its like are agents, their `doGenerate` and `doStream` model calls, `ai.toolCall` tools."""

    name = "vercel-ai"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of the SDK's own telemetry."""
        return any(mark in span.attributes for mark in _MARKS)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the operation."""
        operation = _operation(span.attributes)
        if operation == "ai.toolCall" or "ai.toolCall.name" in span.attributes:
            facts = self._tool(span, logs)
        elif operation.endswith((".doGenerate", ".doStream")):
            facts = self._model(span, logs, operation.endswith(".doStream"))
        elif operation.count(".") == 1 and operation.startswith(("ai.generate", "ai.stream")):
            facts = self._agent(span, logs)
        else:
            facts = begin("other", self.name, span, logs)
        if facts.conversation is None:
            facts.conversation = _conversation(span.attributes)
        facts.agent = facts.agent or text_or_none(span.attributes.get("ai.telemetry.functionId"))
        return facts

    def _tool(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        facts, at = begin("tool", self.name, span, logs), span.attributes
        facts.tool = arguments_of(at.get("ai.toolCall.name"), at.get("ai.toolCall.id"), at.get("ai.toolCall.args"))
        take_result(facts, at.get("ai.toolCall.result"))
        return facts

    def _model(self, span: Span, logs: Sequence[LogRecord], streamed: bool) -> Facts:
        facts, at = begin_model(self.name, span, logs), span.attributes
        facts.model = facts.model or text_or_none(at.get("ai.model.id"))
        facts.response_model = facts.response_model or text_or_none(at.get("ai.response.model"))
        facts.response_id = facts.response_id or text_or_none(at.get("ai.response.id"))
        facts.finish = text_or_none(first_of(at, ("ai.response.finishReason", "ai.finishReason"))) or facts.finish
        facts.streamed = streamed
        prompt = first_of(at, ("ai.prompt.messages", "ai.prompt"))
        facts.input = history(prompt) if prompt is not None else None
        facts.output = _reply(at)
        used = counts(_usage(at))
        if used:
            count(facts, used)
        return facts

    def _agent(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        facts, at = begin("agent", self.name, span, logs), span.attributes
        facts.model, facts.counted = text_or_none(at.get("ai.model.id")), False
        if used := counts(_usage(at)):
            count(facts, used)
        prompt = record(at.get("ai.prompt"))
        facts.system = spoken(prompt.get("system"))
        facts.said = lambda: last_text(messages(prompt.get("messages") or prompt.get("prompt")), "user")
        facts.replied = lambda: last_text(_reply(at), "assistant")
        return facts


def _operation(attributes: Mapping[str, Any]) -> str:
    """The operation's name; early versions give it only with the function's behind it."""
    named = first_of(attributes, ("ai.operationId", "operation.name"))
    return named.split(" ", 1)[0] if isinstance(named, str) else ""


def _reply(attributes: Mapping[str, Any]) -> tuple[Message, ...] | None:
    said, called = first_of(attributes, _TEXTS), first_of(attributes, _CALLS)
    if said is None and called is None:
        return None
    called = read(called)
    return messages([{"role": "assistant", "content": said, "tool_calls": called if isinstance(called, list) else []}])


def _usage(attributes: Mapping[str, Any]) -> dict[str, Any]:
    usage = {name[len(_USAGE) :]: value for name, value in attributes.items() if name.startswith(_USAGE)}
    for name, value in (("cachedInputTokens", "cacheReadTokens"), ("reasoningTokens", "reasoningTokens")):
        for group in ("inputTokenDetails.", "outputTokenDetails."):
            if name not in usage and group + value in usage:
                usage[name] = usage[group + value]
    for told in record(attributes.get(_BY_PROVIDER)).values() if "promptTokens" in usage else ():
        if is_record(told):
            usage.update({own: told[name] for name, own in _DETAILS.items() if name in told})
    if "cache_read_input_tokens" in usage and "promptTokens" in usage:
        usage["input_tokens"] = usage.pop("promptTokens")
    return usage


def _conversation(attributes: Mapping[str, Any]) -> tuple[str, str] | None:
    """The application names its metadata as it likes: whatever looks like the id of a session, thread or chat."""
    for name, value in attributes.items():
        if name.startswith(_METADATA) and value and not is_record(value):
            plain = name[len(_METADATA) :].replace("_", "").replace("-", "").replace(".", "").lower()
            if plain.endswith(_CONVERSATIONS):
                return as_text(value), name
    return None


VERCEL_AI = VercelAI()
