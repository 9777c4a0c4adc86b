"""Time stamps that never go back: the wall clock is read once, and counted on by a clock that nobody can set."""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()


def now_ns() -> int:
    """Nanoseconds since the epoch."""
    return _START + time.monotonic_ns()


def now() -> float:
    """Seconds since the epoch."""
    return (_START + time.monotonic_ns()) / 1e9
