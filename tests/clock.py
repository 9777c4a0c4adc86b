"""A clock that only waiting moves on: however slow the machine is, work takes no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")

_ROUND = 1e-9
"""Seconds that a round of the loop takes: less than a timer's precision, but what is due a moment later has to come."""


class Clock:
    """Call it for the seconds that have passed, as `time.monotonic`, in whose place it is to be put."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def __call__(self) -> float:
        """The seconds that have passed."""
        return self._seconds

    def wait(self, seconds: float) -> None:
        """Wait, as `time.sleep` does."""
        self._seconds += seconds

    def run(self, main: Coroutine[Any, Any, _Result]) -> _Result:
        """Run a coroutine, as `asyncio.run` does. Where all tasks wait, the time that the first of them waits for has
        come; nobody is to wait for another thread, as nothing tells how much of this time that takes.
        """
        with asyncio.Runner(loop_factory=lambda: _Loop(self)) as runner:
            return runner.run(main)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: Clock) -> None:
        super().__init__(_Selector(clock))
        self._clock = clock

    def time(self) -> float:
        return self._clock()


class _Selector(selectors.DefaultSelector):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(timeout if timeout is None else 0)
        self._clock.wait(_ROUND if found or timeout is None else max(timeout, _ROUND))
        return found
