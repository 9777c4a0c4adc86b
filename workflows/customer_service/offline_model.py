"""The planner behind LangChain's chat model interface."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from opentelemetry import trace

from .planner import TODAY, Habits, Policy, decide

MODEL = "offline-planner"


class OfflinePlanner(BaseChatModel):
    """Decides what the planner decides. It counts its own tokens: words and punctuation marks."""

    habits: Habits = TODAY

    @property
    def _llm_type(self) -> str:
        return MODEL

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, Any]:
        """The planner knows its tools; binding changes nothing."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with trace.get_tracer(__name__).start_as_current_span(f"chat {MODEL}") as span:
            system = "\n".join(message.text for message in messages if isinstance(message, SystemMessage))
            talk = [message for message in messages if not isinstance(message, SystemMessage)]
            step = decide(talk, Policy.read(system), self.habits)
            taken = sum(_tokens(message.text) for message in messages)
            given = _tokens(step if isinstance(step, str) else f"{step.tool} {step.arguments}")
            span.set_attributes(
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.request.model": MODEL,
                    "gen_ai.usage.input_tokens": taken,
                    "gen_ai.usage.output_tokens": given,
                }
            )
        usage = UsageMetadata(input_tokens=taken, output_tokens=given, total_tokens=taken + given)
        if isinstance(step, str):
            message = AIMessage(step, usage_metadata=usage)
        else:
            # The id counts the messages so far, so that it is unique in a conversation and the same every time.
            call = {"name": step.tool, "args": step.arguments, "id": f"call-{len(messages)}", "type": "tool_call"}
            message = AIMessage("", tool_calls=[call], usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _tokens(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))
