"""A tool node's calls go to the sandbox with the arguments as the model gave them, before LangGraph adds to them."""

from __future__ import annotations

import uuid
from functools import wraps
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from langchain_core.messages import ToolMessage

from harness.agents.answers import tool_message
from harness.agents.outside import call_outside
from harness.agents.redirect import is_sandboxed, lets_through, session_here
from harness.model.agent import Session
from tools_sandbox.call import CallError
from traces.clock import now

if TYPE_CHECKING:
    from langgraph.prebuilt.tool_node import ToolCallRequest, ToolNode

_hooked: WeakSet[type] = WeakSet()


def hook(kind: type[ToolNode]) -> None:
    """Answer every tool node's calls from now on, where they belong to an episode."""
    if kind in _hooked:
        return
    _hooked.add(kind)
    execute, execute_async = kind._execute_tool_sync, kind._execute_tool_async

    @wraps(execute)
    def hooked(node: ToolNode, request: ToolCallRequest, *rest: Any, **more: Any) -> Any:
        answer = _answer(node, request)
        return execute(node, request, *rest, **more) if answer is None else answer

    @wraps(execute_async)
    async def hooked_async(node: ToolNode, request: ToolCallRequest, *rest: Any, **more: Any) -> Any:
        answer = _answer(node, request)
        return await execute_async(node, request, *rest, **more) if answer is None else answer

    kind._execute_tool_sync = hooked  # type: ignore[assignment, method-assign]
    kind._execute_tool_async = hooked_async  # type: ignore[assignment, method-assign]


def _answer(node: ToolNode, request: ToolCallRequest) -> ToolMessage | None:
    """The answer to one call; None where the node goes on by itself, as it does with a tool that may really run."""
    name, call_id = request.tool_call["name"], request.tool_call["id"] or uuid.uuid4().hex
    if is_sandboxed(request.tool) or (session := session_here(name)) is None:
        return None
    if request.tool is None and name not in node.tools_by_name:
        return _turned_down(node, request, session)
    if lets_through(session, name):
        return None
    return tool_message(session.call_tool(name, dict(request.tool_call["args"]), call_id), call_id)


def _turned_down(node: ToolNode, request: ToolCallRequest, session: Session) -> ToolMessage | None:
    """A call of a tool that the node doesn't have: its own answer, on the record."""
    message = node._validate_tool_call(request.tool_call)
    if message is not None:
        asked = request.tool_call
        call = call_outside(session, asked["name"], asked["id"], "span", dict(asked["args"]))
        call.error = CallError("unknown_tool", str(message.content))
        call.ended = now()
        session.record(call)
    return message
