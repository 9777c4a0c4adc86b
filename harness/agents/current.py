"""Which episode runs here: what is called deep inside an agent's code finds its session by this."""

from __future__ import annotations

import threading
from contextvars import ContextVar
from weakref import WeakSet

from harness.model.agent import Session

SESSION: ContextVar[Session | None] = ContextVar("turngate_session", default=None)
"""None outside an episode. Tasks, and threads that are given the context, inherit it."""


class _Episodes:
    """The episodes that are open in this process, and the threads that were left behind by them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._before: WeakSet[threading.Thread] = WeakSet()
        self._left: WeakSet[threading.Thread] = WeakSet()

    def __enter__(self) -> None:
        """One more is open within the `with`."""
        with self._lock:
            if not self._open:
                self._before = WeakSet(threading.enumerate())
            self._open += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                self._left.update(each for each in threading.enumerate() if each not in self._before)

    def near(self) -> bool:
        """Whether what runs here may be part of some episode, though its context does not say of which."""
        return self._open > 0 or threading.current_thread() in self._left


EPISODES = _Episodes()
