"""A coroutine on an event loop in a thread of its own: for callers who have a loop of theirs, or other things to do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from contextvars import Context
from typing import Any, Generic, TypeVar

from harness.agents.loop import run

S = TypeVar("S")
T = TypeVar("T")


class Background(Generic[T]):
    """Begins at once. `ended` gets what the coroutine gives or raises."""

    def __init__(self, main: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.ended: Future[T] = Future()
        self._main = main
        self._begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()
        # A daemon: what an agent left running in it must not keep the program from ending.
        threading.Thread(target=self._run, name="turngate", daemon=True).start()

    def submit(self, work: Coroutine[Any, Any, S]) -> Future[S]:
        """Run another coroutine on the same loop, from any thread; it ends with the first one at the latest."""
        loop, _ = self._begun.result()
        return asyncio.run_coroutine_threadsafe(work, loop)

    def cancel(self) -> None:
        """Cancel the coroutine, from any thread; `ended` tells when it is done."""
        loop, task = self._begun.result()
        with suppress(RuntimeError):  # it has ended, and its loop is closed
            loop.call_soon_threadsafe(task.cancel, context=Context())

    def _run(self) -> None:
        try:
            self.ended.set_result(run(self._held()))
        except BaseException as error:  # noqa: BLE001  it is handed on to the one who waits
            self.ended.set_exception(error)

    async def _held(self) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._begun.set_result((asyncio.get_running_loop(), task))
        return await self._main()
