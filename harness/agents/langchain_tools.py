"""The sandbox's tools as LangChain tools."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from harness.agents.forms import result_text
from harness.model.agent import Session
from tools_sandbox.call import Call, Json


class SessionTool(BaseTool):
    """A tool that runs in the sandbox of one session. The arguments go there as the model gave them: it is the sandbox
    that validates, answers and records them.
    """

    _session: Session = PrivateAttr()

    def run(self, tool_input: Any, *_: Any, tool_call_id: str | None = None, **__: Any) -> Any:
        """A ToolMessage for a tool call; for bare arguments the result itself, or the text of the error."""
        return sandbox_answer(self._session, self, tool_input, tool_call_id)

    async def arun(self, tool_input: Any, *_: Any, tool_call_id: str | None = None, **__: Any) -> Any:
        """As `run`."""
        return sandbox_answer(self._session, self, tool_input, tool_call_id)

    def _run(self, **arguments: Any) -> Any:
        return self.run(arguments)


def langchain_tools(session: Session) -> list[BaseTool]:
    """The session's tools, for `bind_tools`, a ToolNode or an agent constructor."""
    tools: list[BaseTool] = []
    for spec in session.tools:
        tool = SessionTool(name=spec.name, description=spec.description, args_schema=spec.parameters)
        tool._session = session
        tools.append(tool)
    return tools


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
