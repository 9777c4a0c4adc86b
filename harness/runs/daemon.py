"""Threads for blocking code that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class DaemonThreads(ThreadPoolExecutor):
    """An event loop's default executor whose threads end with the process.

    A pool's threads are waited for when the loop closes and again at exit, so one node of an agent's graph that hangs
    would keep the whole run from ending. Here each job has a daemon thread of its own.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the function in a new thread."""
        future: Future[T] = Future()
        threading.Thread(target=_settle, args=(future, fn, args, kwargs), name="blocking", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is waited for."""


def _settle(future: Future[Any], function: Callable[..., Any], args: Any, kwargs: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = function(*args, **kwargs)
    except BaseException as error:  # noqa: BLE001  it is handed on to the one who waits
        future.set_exception(error)
    else:
        future.set_result(result)
