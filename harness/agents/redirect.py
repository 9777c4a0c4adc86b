"""A real tool never runs by accident: every run of a LangChain tool asks first where it belongs.

The classes are hooked, not the tools, so that it does not matter how an agent comes by one. In an episode, which is
found by the context, the run goes to the sandbox's tool of the same name; where it may be part of one that its context
does not tell, it is refused; where no episode is open it is the user's own affair. So one tool serves many episodes at
once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import isfunction
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from langchain_core.messages import ToolMessage
from opentelemetry import trace

from harness.agents.answers import arguments_of, sandbox_answer
from harness.agents.current import EPISODES, SESSION
from harness.agents.lacking import lacking
from harness.agents.outside import as_json, call_outside
from harness.agents.problem import AgentError
from harness.model.agent import Session
from tools_sandbox.call import Call, CallError, Json
from tools_sandbox.spans import ToolSpan
from traces.clock import now
from traces.json_text import json_text

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_RUNS = ("invoke", "run", "_run")
_ASYNC_RUNS = ("ainvoke", "arun", "_arun")
_BARE = ("_run", "_arun")
"""Given the bare arguments, by position and by name."""

_LET_THROUGH: ContextVar[BaseTool | None] = ContextVar("turngate_let_through", default=None)
"""The real tool that is running here since it may: what its own methods call of each other is part of that run."""

_hooked: WeakSet[type] = WeakSet()


def hook(kind: type[BaseTool]) -> None:
    """Redirect every run of a tool of this class from now on, and of those derived from it, now or later."""
    if kind in _hooked:
        return
    begin = vars(kind).get("__init_subclass__")
    waiting = [kind]
    while waiting:
        each = waiting.pop()
        _hook_one(each)
        waiting += each.__subclasses__()

    def hooked(derived: type[BaseTool], /, **options: Any) -> None:
        if begin is not None:
            begin.__get__(None, derived)(**options)
        _hook_one(derived)

    kind.__init_subclass__ = classmethod(hooked)  # type: ignore[assignment]


def _hook_one(kind: type[BaseTool]) -> None:
    """Hook the ways to run a tool that the class defines itself."""
    if kind in _hooked:
        return
    _hooked.add(kind)
    for name in (*_RUNS, *_ASYNC_RUNS):
        run = vars(kind).get(name)
        if isfunction(run):
            setattr(kind, name, (_hooked_async if name in _ASYNC_RUNS else _hooked_run)(run))


def _hooked_run(run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(run)
    def hooked(tool: BaseTool, *given: Any, **more: Any) -> Any:
        session = _session_of(tool)
        if session is None:
            return run(tool, *given, **more)
        tool_input, call_id = _input(run.__name__, tool, given, more)
        if not lets_through(session, tool.name):
            return sandbox_answer(session, tool, tool_input, call_id)
        with _let_through(session, tool, tool_input, call_id) as call:
            result = run(tool, *given, **more)
            _note_result(call, result)
        return result

    return hooked


def _hooked_async(run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(run)
    async def hooked(tool: BaseTool, *given: Any, **more: Any) -> Any:
        session = _session_of(tool)
        if session is None:
            return await run(tool, *given, **more)
        tool_input, call_id = _input(run.__name__, tool, given, more)
        if not lets_through(session, tool.name):
            return sandbox_answer(session, tool, tool_input, call_id)
        with _let_through(session, tool, tool_input, call_id) as call:
            result = await run(tool, *given, **more)
            _note_result(call, result)
        return result

    return hooked


def session_here(tool: str) -> Session | None:
    """The session that a run belongs to; None where no episode is open. Raises AgentError where that can't be told."""
    session = SESSION.get()
    if session is None and EPISODES.near():
        raise AgentError(
            f"the tool {tool} was called outside an episode; if the agent starts threads of its own, "
            "it has to hand them its context (contextvars.copy_context().run)"
        )
    return session


def _session_of(tool: BaseTool) -> Session | None:
    """As `session_here`; None too for a tool that is the sandbox's own, and one that has been let through."""
    return None if _LET_THROUGH.get() is tool or is_sandboxed(tool) else session_here(tool.name)


def is_sandboxed(tool: object) -> bool:
    """Whether a tool knows its session by itself."""
    from harness.agents.langchain_tools import SessionTool  # derived from the class that is hooked from here

    return isinstance(tool, SessionTool)


def lets_through(session: Session, tool: str) -> bool:
    """Whether a tool may really run. Raises AgentProblem, which fails the session whatever the agent makes of it, for
    one that neither the sandbox has nor `passthrough` names.
    """
    if tool in session.passthrough:
        return True
    if all(spec.name != tool for spec in session.tools):
        problem = lacking([tool], [spec.name for spec in session.tools])
        session.fail(problem)
        raise problem
    return False


def _input(run: str, tool: BaseTool, given: tuple[Any, ...], more: dict[str, Any]) -> tuple[Any, str | None]:
    """What a tool was run with, and the id of the call, if it has one."""
    if run in _BARE:
        named = {name: value for name, value in more.items() if name != "config"}
        return {**dict(zip(tool.args, given, strict=False)), **named}, None
    tool_input = given[0] if given else more.get("input", more.get("tool_input"))
    if isinstance(tool_input, dict) and tool_input.get("type") == "tool_call":
        return tool_input["args"], tool_input["id"]
    return tool_input, more.get("tool_call_id")


@contextmanager
def _let_through(session: Session, tool: BaseTool, tool_input: Any, call_id: str | None) -> Iterator[Call]:
    """Record a real tool's run, with a span. A run that pauses for a person is made again, and recorded then."""
    from langgraph.errors import GraphBubbleUp

    given = as_json(arguments_of(tool, tool_input))
    arguments = given if isinstance(given, dict) else {"input": given}
    call = call_outside(session, tool.name, call_id, "passthrough", arguments)
    span = ToolSpan(trace.get_tracer("turngate"), call)
    token = _LET_THROUGH.set(tool)
    try:
        with span.current():
            yield call
    except GraphBubbleUp:
        span.drop()
        raise
    except BaseException as error:
        call.error = CallError("passthrough", f"{type(error).__name__}: {error}")
        _keep(session, call, span)
        raise
    finally:
        _LET_THROUGH.reset(token)
    _keep(session, call, span)


def _keep(session: Session, call: Call, span: ToolSpan) -> None:
    call.ended = now()
    span.end(call, json_text(call.result))
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
