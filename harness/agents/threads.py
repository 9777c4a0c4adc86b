"""Running an agent's blocking code beside the event loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, TypeVar

from harness.agents.forks import ForksEnd
from harness.agents.problem import AgentError, text_of

T = TypeVar("T")

_Jobs = SimpleQueue["Callable[[], None] | None"]


class Worker:
    """The thread of one agent, so that what it makes in one turn (an SQLite connection, say) works in the next.

    It starts with the first job and ends when the worker is dropped. It is a daemon and in no pool: an agent that never
    returns takes no place from others and keeps no process from ending; whoever stops waiting leaves it behind.
    """

    def __init__(self) -> None:
        self._jobs: _Jobs | None = None

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a blocking function in the thread, in a copy of this context, and give what it gives."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        context = contextvars.copy_context()

        def job() -> None:
            try:
                with ForksEnd():
                    result = context.run(function, *arguments)
            except BaseException as error:  # noqa: BLE001  it is handed on to the one who waits
                _settle(loop, future, error=_raisable(error))
            else:
                _settle(loop, future, result=result)

        if self._jobs is None:
            self._jobs = SimpleQueue()
            threading.Thread(target=_serve, args=(self._jobs,), name="agent", daemon=True).start()
            weakref.finalize(self, self._jobs.put, None)
        self._jobs.put(job)
        return await future


WORKER: ContextVar[Worker | None] = ContextVar("turngate_worker", default=None)
"""The worker of the agent that is running here."""


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a blocking function in the current agent's thread, or in one of its own where there is no current agent."""
    worker = WORKER.get() or Worker()
    return await worker.run(function, *arguments)


def contained(error: BaseException) -> AgentError:
    """An agent's own SystemExit, CancelledError and the like as an ordinary error of the agent."""
    if isinstance(error, SystemExit):
        return AgentError(f"the agent tried to end the program: {_exit(error)}")
    if isinstance(error, asyncio.CancelledError):
        return AgentError("the agent cancelled itself (asyncio.CancelledError)")
    text = text_of(error)
    return AgentError(f"the agent raised {type(error).__name__}{text and f': {text}'}")


def _exit(error: SystemExit) -> str:
    return f"sys.exit({error.code!r})" if isinstance(error.code, int | str | None) else "sys.exit(...)"


def _serve(jobs: _Jobs) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # its context holds the worker, which must be free to be dropped


def _settle(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[Any],
    *,
    result: Any = None,
    error: BaseException | None = None,
) -> None:
    def settle() -> None:
        if future.done():
            return  # nobody waits any more
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        if not loop.is_closed():
            raise


def _raisable(error: BaseException) -> BaseException:
    """The error itself where a future can carry it to the one who waits without harm."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    wrapped = contained(error)
    wrapped.__cause__ = error
    return wrapped
