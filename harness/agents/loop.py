"""Running coroutines that agents take part in, on an event loop that no agent can stop, hold or sweep empty."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, Self, TypeVar

from harness.agents.current import SESSION
from harness.agents.problem import AgentError
from harness.agents.usercode import place_now
from harness.interrupts import handling, raising
from traces.clock import monotonic

T = TypeVar("T")

GRACE = 1.0
"""Seconds in which what was cancelled has to end; then it is left behind, for an agent may swallow any cancellation."""

_LOG = logging.getLogger(__name__)

if sys.platform == "win32":
    _Loop = asyncio.ProactorEventLoop
else:
    _Loop = asyncio.SelectorEventLoop


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and give its result, as `asyncio.run` does, but wait for nobody who stays for ever:
    tasks that don't end when they are cancelled are named in the log and left behind.

    Raises what the coroutine raises, and KeyboardInterrupt: at the first Ctrl-C once it has been cancelled in order, at
    the second where it stands.
    """
    loop = AgentLoop()
    try:
        asyncio.set_event_loop(loop)
        return _completed(loop, main)
    finally:
        try:
            _close(loop)
        finally:
            asyncio.set_event_loop(None)


class AgentLoop(_Loop):
    """An event loop that agents can't stop, on which none can cancel turngate's tasks or another agent's turn."""

    def __init__(self) -> None:
        super().__init__()
        self.set_task_factory(_Task)

    def time(self) -> float:
        """Seconds on a clock that an agent can't put another in the place of."""
        return monotonic()

    def stop(self) -> None:
        """Stop it. Raises AgentError for an agent; its threads and callbacks are not heard."""
        if SESSION.get() is None:
            super().stop()
        elif asyncio.current_task(self) is not None:
            raise AgentError("the agent tried to stop the event loop")


class _Task(asyncio.Task[Any]):
    """A task that, where no agent made it, only the agent that runs in it may cancel."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
        *,
        context: Context | None = None,
        **more: Any,
    ) -> None:
        super().__init__(work, loop=loop, context=context, **more)
        self._closed = SESSION.get() is None
        self._tenant = None if context is None else context.get(SESSION)

    def cancel(self, msg: Any | None = None) -> bool:
        """Cancel it; for an agent that must not, it is as if it had ended already."""
        if self._closed and SESSION.get() not in (None, self._tenant):
            return False
        return super().cancel(msg)


def _completed(loop: AgentLoop, main: Coroutine[Any, Any, T]) -> T:
    task = loop.create_task(main)
    with _Interrupts(loop, task) as interrupts:
        _until_done(loop, task, interrupts.are_raised)
    try:
        return task.result()
    except asyncio.CancelledError:
        if interrupts.count:
            raise KeyboardInterrupt from None
        raise


def _until_done(loop: AgentLoop, task: asyncio.Task[Any], interrupted: Callable[[], bool]) -> None:
    while not task.done():
        try:
            loop.run_until_complete(task)
        except BaseException as error:
            # Its own is read from the task. Else an agent's stray task raised SystemExit, or the loop was stopped: that
            # is not to end what runs here.
            if not task.done() and isinstance(error, KeyboardInterrupt) and interrupted():
                raise


class _Interrupts:
    """Within `with`, the first Ctrl-C, or whatever else is a KeyboardInterrupt, cancels the task, and each further one
    is raised. Where the program handles it by itself, or in another thread than the main one, that is left as it is.
    """

    def __init__(self, loop: AgentLoop, task: asyncio.Task[Any]) -> None:
        self.count = 0
        self._loop = loop
        self._task = task
        self._ours = raising() if threading.current_thread() is threading.main_thread() else ()
        self._handling = handling(self._ours, self._handle)

    def are_raised(self) -> bool:
        """Whether a KeyboardInterrupt, be it of any place, may be the person's and not an agent's."""
        return self.count > 1 or not self._ours

    def __enter__(self) -> Self:
        self._handling.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._handling.__exit__(None, None, None)

    def _handle(self, *_: object) -> None:
        self.count += 1
        if self.count > 1 or self._task.done():
            raise KeyboardInterrupt
        # A signal finds the program anywhere, be it in an agent, which must not cancel this task.
        self._loop.call_soon_threadsafe(self._task.cancel, context=Context())


def _close(loop: AgentLoop) -> None:
    """End what is left on the loop, and leave behind what does not end."""
    loop.set_exception_handler(lambda *_: None)  # how stray tasks end concerns nobody any more
    sweep = loop.create_task(_swept())
    _until_done(loop, sweep, lambda: False)
    if left := sweep.result():
        _LOG.warning(
            "turngate: %d task(s) of the agent did not end when cancelled and are left behind: %s",
            len(left),
            ", ".join(sorted({_named(task) for task in left})),
        )
        # Thrown away, they would be closed, and their code could hang there once more.
        threading.Thread(target=lambda kept: threading.Event().wait(), args=(left,), name="left", daemon=True).start()
    loop.close()


async def _swept() -> set[asyncio.Task[Any]]:
    """Cancel every other task, close the streams that were left open, and give the tasks that stay."""
    loop = asyncio.get_running_loop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    left: set[asyncio.Task[Any]] = set()
    for group in (others, {loop.create_task(loop.shutdown_asyncgens())}):
        if group:
            _, pending = await asyncio.wait(group, timeout=GRACE)
            left |= pending
    return left


def _named(task: asyncio.Task[Any]) -> str:
    work = task.get_coro()
    return place_now(work) or str(getattr(work, "__qualname__", task.get_name()))
