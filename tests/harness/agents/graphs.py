"""Small real LangGraph graphs with a scripted chat model and tools that raise if they really run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool


class ScriptedModel(BaseChatModel):
    """Answers with what `script` makes of the messages."""

    script: Callable[[list[BaseMessage]], AIMessage]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages, stop=None, run_manager=None, **_: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.script(messages))])

    def bind_tools(self, tools, **_: Any):
        return self


def call(name, call_id, **arguments):
    return {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}


def looks_up_then_tells(messages):
    """Calls get_order for the order that the user names, then tells what came back."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        return AIMessage("", tool_calls=[call("get_order", f"call-{len(messages)}", order_id=last.content)])
    return AIMessage(f"{last.status}: {last.content}")


@tool
def get_order(order_id: str) -> dict:
    """Look an order up."""
    raise AssertionError(f"the real get_order ran for {order_id}")


@tool
async def cancel_order(order_id: str) -> dict:
    """Cancel an order."""
    raise AssertionError(f"the real cancel_order ran for {order_id}")


def texts(messages):
    """Kind and content of messages, for comparing histories."""
    return [("tool" if isinstance(each, ToolMessage) else each.type, each.content) for each in messages]
