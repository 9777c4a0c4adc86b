"""A span for every model call of a LangChain model, so that tokens are known without any instrumentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import LLMResult
from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from traces import genai


class ChatSpans(BaseCallbackHandler):
    """A LangChain callback for one conversation. Where an instrumentation traces the same calls, its spans are the ones
    that count (`traces.genai.model_calls`).
    """

    run_inline = True

    def __init__(self) -> None:
        self._running: dict[UUID, Span] = {}
        self._tracer = trace.get_tracer(genai.STAND_IN)

    @property
    def ignore_chain(self) -> bool:
        """Chains, tools and retrievers are not asked for."""
        return True

    @property
    def ignore_agent(self) -> bool:
        """As above."""
        return True

    @property
    def ignore_retriever(self) -> bool:
        """As above."""
        return True

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """A request begins."""
        known = metadata or {}
        attributes = {
            genai.OPERATION: genai.CHAT,
            genai.PROVIDER: known.get("ls_provider"),
            genai.REQUEST_MODEL: known.get("ls_model_name"),
        }
        self._running[run_id] = self._tracer.start_span(
            f"{genai.CHAT} {known.get('ls_model_name') or 'model'}",
            kind=SpanKind.CLIENT,
            attributes={name: value for name, value in attributes.items() if value is not None},
        )

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """The answer is there."""
        span = self._running.pop(run_id, None)
        if span is None:
            return
        message = getattr(response.generations[0][0], "message", None) if response.generations else None
        if isinstance(message, AIMessage):
            span.set_attributes(_answer(message))
        span.end()

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """The request failed."""
        span = self._running.pop(run_id, None)
        if span is not None:
            span.set_attribute(genai.ERROR_TYPE, type(error).__qualname__)
            span.set_status(Status(StatusCode.ERROR, str(error)))
            span.end()


def _answer(message: AIMessage) -> dict[str, Any]:
    """The model that answered, and its tokens. LangChain counts cached ones in input and reasoning in output."""
    attributes: dict[str, Any] = {}
    model = message.response_metadata.get("model_name") or message.response_metadata.get("model")
    if model:
        attributes[genai.RESPONSE_MODEL] = model
    usage: Mapping[str, Any] | None = message.usage_metadata
    if usage:
        attributes[genai.INPUT_TOKENS] = usage["input_tokens"]
        attributes[genai.OUTPUT_TOKENS] = usage["output_tokens"]
        attributes[genai.CACHED_TOKENS] = usage.get("input_token_details", {}).get("cache_read", 0)
        attributes[genai.REASONING_TOKENS] = usage.get("output_token_details", {}).get("reasoning", 0)
    return attributes
