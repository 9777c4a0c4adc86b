"""How long the event loop stands still, and by whose doing: so that no episode is charged with its neighbours' time."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, Self

from harness.model.episode import End, Episode

BEAT = 0.02
"""Seconds between two signs of life. Shorter stalls are not seen, and one that is seen is told up to this too short."""


class Share:
    """What one episode has to do with the stalls: `caused` seconds are its own doing. `sketch` makes a record of the
    episode as it stands, with the end that it is given.
    """

    def __init__(self, stalls: LoopStalls) -> None:
        self._stalls = stalls
        self.caused = 0.0
        self.sketch: Callable[[End], Episode] | None = None

    @property
    def suffered(self) -> float:
        """Seconds so far in which the loop stood still by somebody else's doing."""
        return self._stalls.seconds - self.caused


_SHARE: ContextVar[Share | None] = ContextVar("turngate_share", default=None)
"""The share of the episode that is running here; the tasks of its agent inherit it."""


class LoopStalls:
    """Measures the running event loop within `with`; one that was not begun measures nothing.

    The loop is to give a sign of life every BEAT. A thread looks whether it does, and if not, which task or callback
    is at work: the seconds that it is late are charged to the episode that it belongs to, or to nobody (turngate's own
    work, or a thread that holds the interpreter). At rest that takes a few milliseconds of CPU a second.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        """For how long the loop has stood still so far."""
        self._due = 0.0
        self._done = threading.Event()
        self._shares: weakref.WeakKeyDictionary[asyncio.Future[Any], Share] = weakref.WeakKeyDictionary()

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._factory = self._loop.get_task_factory()
        self._loop.set_task_factory(self._task)
        self._beat()
        threading.Thread(target=self._watch, name="stalls", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._next.cancel()
        self._loop.set_task_factory(self._factory)

    @property
    def standing(self) -> float:
        """For how many seconds the loop has been standing still now; 0 while it goes round."""
        return max(0.0, time.monotonic() - self._due - BEAT)

    @property
    def at_work(self) -> Share | None:
        """The share of the episode whose agent is at work on the loop at this moment. May be asked from any thread."""
        task = asyncio.current_task(self._loop)
        if task is not None:
            return self._shares.get(task)
        return _share_of_callback(sys._current_frames().get(self._thread))

    @contextmanager
    def share(self) -> Iterator[Share]:
        """The share of an episode that is played within the `with`."""
        share = Share(self)
        token = _SHARE.set(share)
        try:
            yield share
        finally:
            _SHARE.reset(token)

    def _task(
        self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any] | Generator[Any, None, Any], **more: Any
    ) -> asyncio.Future[Any]:
        """A new task, with whose it is on the record: of another thread only the task at work can be asked for."""
        task = self._factory(loop, work, **more) if self._factory else asyncio.Task(work, loop=loop, **more)
        context = more.get("context")
        share = _SHARE.get() if context is None else context.get(_SHARE)
        if share is not None:
            self._shares[task] = share
        return task

    def _beat(self) -> None:
        self._due = time.monotonic() + BEAT
        self._next = self._loop.call_later(BEAT, self._beat)

    def _watch(self) -> None:
        looked = time.monotonic()
        while not self._done.wait(BEAT):
            now, due = time.monotonic(), self._due
            if now > due + BEAT:
                share = self.at_work
                late = now - max(due, looked)
                if share is not None:
                    share.caused += late  # first, so that nobody sees it as suffered
                self.seconds += late
            looked = now


def _share_of_callback(frame: FrameType | None) -> Share | None:
    """The share of the episode in whose context the loop runs a callback, told by the frames of the loop's thread."""
    while frame is not None and frame.f_code is not asyncio.Handle._run.__code__:
        frame = frame.f_back
    handle = frame.f_locals.get("self") if frame is not None else None  # None once the callback has returned
    return handle._context.get(_SHARE) if handle is not None else None
