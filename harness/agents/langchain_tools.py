"""The sandbox's tools as LangChain tools."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from harness.agents.answers import sandbox_answer
from harness.model.agent import Session
from tools_sandbox.values import to_json


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
        tool = SessionTool(name=spec.name, description=spec.description, args_schema=to_json(spec.parameters))
        tool._session = session
        tools.append(tool)
    return tools
