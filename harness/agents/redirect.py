"""A real tool never runs by accident: LangChain tools that an agent holds call the sandbox's tool of the same name.

Tools and tool nodes are turned round where they are, once and for good in this process, and find the episode of each
call by its context. So one graph serves many episodes at once, and a call outside any episode is refused.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.pregel import Pregel
from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode

from harness.agents.current import SESSION
from harness.agents.forms import result_text
from harness.agents.langchain_tools import SessionTool, arguments_of, sandbox_answer, tool_message
from harness.agents.models import model_name, parameters_of
from harness.agents.outside import as_json, call_outside
from harness.agents.problem import AgentError, AgentProblem
from harness.agents.reach import reach
from harness.model.agent import Session
from tools_sandbox.call import Call, CallError, Json
from tools_sandbox.nearest import nearest
from traces import genai


class Redirection:
    """The tools of a graph, a function or an object, all of them turned round. `notes`: what could not be; `model`: the
    names of the models it holds, and `parameters` what they are set to.
    """

    def __init__(self, target: Any) -> None:
        found = reach(target)
        for node in found.tool_nodes:
            _turn_node(node)
        for tool in found.tools:
            _turn_tool(tool)
        self.tools: Mapping[str, BaseTool] = {tool.name: tool for tool in found.tools}
        self.model = ", ".join(sorted({name for model in found.models if (name := model_name(model))})) or None
        self.parameters = parameters_of(found.models)
        self.notes: list[str] = []
        if found.code_nodes:
            named = ", ".join(sorted(set(found.code_nodes)))
            self.notes.append(f"the code in node {named} runs as it is: only LangChain tools in it are redirected")
        if found.tools and not isinstance(target, Pregel):
            named = getattr(target, "__name__", type(target).__name__)
            self.notes.append(
                f"the code in {named} runs as it is: a call of a LangChain tool's own `.func` really runs it"
            )
        if found.remote:
            named = ", ".join(sorted(set(found.remote)))
            self.notes.append(f"the remote graph {named} calls its own tools: nothing there is redirected")

    def check(self, sandbox: Collection[str], passthrough: Collection[str]) -> None:
        """Raise AgentProblem for a tool that neither the sandbox has nor `passthrough` names."""
        missing = sorted(self.tools.keys() - set(sandbox) - set(passthrough))
        if missing:
            raise AgentProblem(
                f"the sandbox lacks {len(missing)} tool(s) of the agent: {', '.join(_hinted(missing, sandbox))}. "
                "Add them to the sandbox (without Python: under `tools:` in workflow.yaml), or name under "
                "`passthrough:` there those that may really run"
            )


def _hinted(missing: list[str], sandbox: Collection[str]) -> Iterator[str]:
    for name in missing:
        near = nearest(name, sandbox)
        yield f"{name} (is it {near}?)" if near else name


def _session(tool: str) -> Session:
    session = SESSION.get()
    if session is None:
        raise AgentError(
            f"the tool {tool} was called outside an episode; if the agent starts threads of its own, "
            "it has to hand them its context (contextvars.copy_context().run)"
        )
    return session


def _turn_node(node: ToolNode) -> None:
    """Answer a tool node's calls from the sandbox, with the arguments as the model gave them."""
    if "_execute_tool_sync" in vars(node):
        return
    execute, execute_async = node._execute_tool_sync, node._execute_tool_async

    def turned(request: ToolCallRequest, *rest: Any) -> Any:
        answer = _answered(node, request)
        return execute(request, *rest) if answer is None else answer

    async def turned_async(request: ToolCallRequest, *rest: Any) -> Any:
        answer = _answered(node, request)
        return await execute_async(request, *rest) if answer is None else answer

    vars(node).update(_execute_tool_sync=turned, _execute_tool_async=turned_async)


def _answered(node: ToolNode, request: ToolCallRequest) -> ToolMessage | None:
    """The answer to one call of a tool node; None where the node's own tool shall run."""
    name, call_id = request.tool_call["name"], request.tool_call["id"] or uuid.uuid4().hex
    session = _session(name)
    if request.tool is None and name not in node.tools_by_name:
        return _turned_down(node, request, session)
    if isinstance(request.tool, SessionTool):
        return None
    if name in session.passthrough:
        if request.tool is not None:
            _turn_tool(request.tool)
        return None
    return tool_message(session.call_tool(name, dict(request.tool_call["args"]), call_id), call_id)


def _turned_down(node: ToolNode, request: ToolCallRequest, session: Session) -> ToolMessage | None:
    """A call of a tool that the node doesn't have: its own answer, on the record."""
    message = node._validate_tool_call(request.tool_call)
    if message is not None:
        asked = request.tool_call
        call = call_outside(session, asked["name"], asked["id"], "span", dict(asked["args"]))
        call.error = CallError("unknown_tool", str(message.content))
        call.ended = time.time()
        session.record(call)
    return message


def _turn_tool(tool: BaseTool) -> None:
    """Send a tool's runs to the sandbox, wherever it is called from."""
    if isinstance(tool, SessionTool) or "run" in vars(tool):
        return
    run, arun = tool.run, tool.arun

    def turned(tool_input: Any, *rest: Any, tool_call_id: str | None = None, **more: Any) -> Any:
        session = _session(tool.name)
        if tool.name not in session.passthrough:
            return sandbox_answer(session, tool, tool_input, tool_call_id)
        with _let_through(session, tool, tool_input, tool_call_id) as call:
            result = run(tool_input, *rest, tool_call_id=tool_call_id, **more)
            _note_result(call, result)
        return result

    async def turned_async(tool_input: Any, *rest: Any, tool_call_id: str | None = None, **more: Any) -> Any:
        session = _session(tool.name)
        if tool.name not in session.passthrough:
            return sandbox_answer(session, tool, tool_input, tool_call_id)
        with _let_through(session, tool, tool_input, tool_call_id) as call:
            result = await arun(tool_input, *rest, tool_call_id=tool_call_id, **more)
            _note_result(call, result)
        return result

    # A tool is a pydantic model, which refuses to be given methods in the usual way.
    vars(tool).update(run=turned, arun=turned_async)


@contextmanager
def _let_through(session: Session, tool: BaseTool, tool_input: Any, call_id: str | None) -> Iterator[Call]:
    """Record a real tool's run, with a span. A run that pauses for a person is made again, and recorded then."""
    given = as_json(arguments_of(tool, tool_input))
    arguments = given if isinstance(given, dict) else {"input": given}
    call = call_outside(session, tool.name, call_id, "passthrough", arguments)
    attributes = {
        genai.OPERATION: genai.EXECUTE_TOOL,
        genai.TOOL_NAME: tool.name,
        genai.TOOL_TYPE: "function",
        genai.TOOL_CALL_ID: call.id,
        genai.TOOL_ARGUMENTS: json.dumps(call.arguments, ensure_ascii=False),
    }
    with trace.get_tracer("turngate").start_as_current_span(
        f"{genai.EXECUTE_TOOL} {tool.name}",
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        call.span_id = f"{span.get_span_context().span_id:016x}"
        try:
            yield call
        except GraphBubbleUp:
            raise
        except BaseException as error:
            call.error = CallError("passthrough", f"{type(error).__name__}: {error}")
            _keep(session, call, span)
            raise
        _keep(session, call, span)


def _keep(session: Session, call: Call, span: trace.Span) -> None:
    call.ended = time.time()
    span.set_attribute(genai.TOOL_RESULT, result_text(call))
    if call.error is not None:
        span.set_attribute(genai.ERROR_TYPE, call.error.kind)
        span.set_status(Status(StatusCode.ERROR, call.error.text))
    session.record(call)


def _note_result(call: Call, result: Any) -> None:
    if isinstance(result, ToolMessage):
        call.result = _read(result.content)
        if result.status == "error":
            call.error = CallError("passthrough", str(result.content))
    else:
        call.result = as_json(result)


def _read(content: Any) -> Json:
    """A tool's result back from the text that LangChain makes of it for the model."""
    try:
        return json.loads(content)
    except (TypeError, ValueError):
        return as_json(content)
