"""Agents that are functions, or objects with a `reply`: sync, async, streaming, in whatever mix."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, closing
from functools import partial
from typing import Any

from harness.agents.replies import Pieces, reply_from, reply_from_pieces
from harness.agents.threads import in_thread
from harness.model.agent import Agent, Reply, Session
from tools_sandbox.call import Json


class CallableAgent:
    """A function of `message` and perhaps `session`. Blocking ones run in a thread, so that the loop is not held up."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._answer = _with_session(function)
        self._blocks = not is_async(function)

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message."""
        return await answered(self._answer(session, message=message), blocks=self._blocks)


class ResumableAgent(CallableAgent):
    """An object with `reply(message[, session])` and `resume(answers[, session])`."""

    def __init__(self, agent: Any) -> None:
        super().__init__(agent.reply)
        self._go_on = _with_session(agent.resume)
        self._resume_blocks = not is_async(agent.resume)

    async def resume(self, answers: Mapping[str, Json], session: Session) -> Reply:
        """Go on after a pause."""
        return await answered(self._go_on(session, answers=answers), blocks=self._resume_blocks)


def object_agent(agent: Any) -> Agent:
    """The agent that an object with `reply`, and perhaps `resume`, is."""
    return ResumableAgent(agent) if callable(getattr(agent, "resume", None)) else CallableAgent(agent.reply)


def _with_session(function: Callable[..., Any]) -> Callable[..., Callable[[], Any]]:
    """Binds a call of the function, with the session if it takes one."""
    if "session" in inspect.signature(function).parameters:
        return lambda session, **arguments: partial(function, session=session, **arguments)
    return lambda session, **arguments: partial(function, **arguments)


async def answered(function: Callable[[], Any], *, blocks: bool) -> Reply:
    """What the function says, its stream read to the very end: code after the last piece has run too. `blocks`: it is
    to be called in a thread.

    Raises AgentError if that is no reply, and whatever the function raises.
    """
    result = await in_thread(_call_and_drain, function) if blocks else function()
    if inspect.isawaitable(result):
        result = await result
    if isinstance(result, str):
        return reply_from(result)  # the usual one, told before the tests against abstract classes, which take long
    if isinstance(result, AsyncGenerator):
        async with aclosing(result) as stream:
            result = Pieces()
            async for piece in stream:
                result.take(piece)
    elif isinstance(result, Generator):
        result = await in_thread(_drain, result)
    return reply_from_pieces(result) if isinstance(result, Pieces) else reply_from(result)


async def called(function: Callable[..., Any], session: Session) -> Any:
    """What a factory makes."""
    call = _with_session(function)(session)
    result = call() if is_async(call) else await in_thread(call)
    return await result if inspect.isawaitable(result) else result


def parameters(function: Callable[..., Any]) -> list[str] | None:
    """The names of a function's parameters; None if they can't be told, or it takes any."""
    try:
        found = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return list(found) if all(parameter.kind in named for parameter in found.values()) else None


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine or an async generator at once, so that it needs no thread."""
    while isinstance(function, partial):
        function = function.func
    forms = (function, getattr(type(function), "__call__", None))  # noqa: B004  an object's class may define it
    return any(inspect.iscoroutinefunction(form) or inspect.isasyncgenfunction(form) for form in forms)


def _call_and_drain(function: Callable[[], Any]) -> Any:
    # A generator must be run in the thread and the context that it was made in, or its spans come apart.
    result = function()
    return _drain(result) if isinstance(result, Generator) else result


def _drain(stream: Generator[Any, Any, Any]) -> Pieces:
    pieces = Pieces()
    with closing(stream):
        for piece in stream:
            pieces.take(piece)
    return pieces
