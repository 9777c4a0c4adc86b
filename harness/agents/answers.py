"""Runs of LangChain tools, answered from the sandbox. The tool classes are not imported here: they may be loading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage

from harness.agents.forms import result_text
from harness.model.agent import Session
from tools_sandbox.call import Call, Json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def sandbox_answer(session: Session, tool: BaseTool, tool_input: Any, call_id: str | None) -> Any:
    """Call the sandbox's tool of the same name: a ToolMessage for a tool call, else the result or the error's text."""
    call = session.call_tool(tool.name, arguments_of(tool, tool_input), call_id)
    if call_id is not None:
        return tool_message(call, call_id)
    return call.result if call.ok else result_text(call)


def tool_message(call: Call, call_id: str) -> ToolMessage:
    """A call's result as a model is told of it."""
    return ToolMessage(
        result_text(call), name=call.tool, tool_call_id=call_id, status="success" if call.ok else "error"
    )


def arguments_of(tool: BaseTool, tool_input: Any) -> Json:
    """The arguments that the model (or code) gave, without those that the framework fills in; bare text is the value of
    a tool's only argument.
    """
    if isinstance(tool_input, dict):
        return tool._filter_injected_args(tool_input)
    names = list(tool.args)
    return {names[0]: tool_input} if len(names) == 1 else tool_input
