"""How long the event loop stands still, and by whose doing: so that no episode is charged with its neighbours' time."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from contextvars import Context, ContextVar
from types import FrameType
from typing import Any, Self

from harness.agents.current import SESSION
from harness.model.episode import End, Episode
from traces.clock import monotonic

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

    def __enter__(self) -> Self:
        self._token = _SHARE.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _SHARE.reset(self._token)

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

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._beat()
        threading.Thread(target=self._watch, name="stalls", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._next.cancel()

    @property
    def standing(self) -> float:
        """For how many seconds the loop has been standing still now; 0 while it goes round."""
        return max(0.0, monotonic() - self._due - BEAT)

    @property
    def at_work(self) -> Share | None:
        """The share of the episode whose agent is at work on the loop at this moment. May be asked from any thread."""
        return _share_at(sys._current_frames().get(self._thread))

    def share(self) -> Share:
        """The share of an episode that is played within the `with`."""
        return Share(self)

    def _beat(self) -> None:
        self._due = monotonic() + BEAT
        self._next = self._loop.call_later(BEAT, self._beat)

    def _watch(self) -> None:
        looked = monotonic()
        while not self._done.wait(BEAT):
            now, due = monotonic(), self._due
            if now > due + BEAT:
                share = self.at_work
                late = now - max(due, looked)
                if share is not None:
                    share.caused += late  # first, so that nobody sees it as suffered
                self.seconds += late
            looked = now


def _share_at(frame: FrameType | None) -> Share | None:
    """The share of the episode whose agent's code the loop runs, a task or a callback: told by the context that it runs
    it in, which the frames of the loop's thread hold. Of another thread nothing else can be asked for.
    """
    while frame is not None and frame.f_code is not asyncio.Handle._run.__code__:
        frame = frame.f_back
    # Once it has returned there is none any more.
    handle: Any = frame.f_locals.get("self") if frame is not None else None
    context: Context | None = None if handle is None else handle._context
    # Without a session it is turngate's own work, though it be done for an episode.
    return context.get(_SHARE) if context is not None and context.get(SESSION) is not None else None
