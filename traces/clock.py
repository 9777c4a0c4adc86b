"""Time stamps that never go back: the wall clock is read once, and counted on by a clock that nobody can set.

An agent may put another function in its place in `time`: what is measured here is measured by the one that was there.
"""

from __future__ import annotations

from time import monotonic, monotonic_ns, time_ns

__all__ = ["monotonic", "now", "now_ns"]

_START = time_ns() - monotonic_ns()


def now_ns() -> int:
    """Nanoseconds since the epoch."""
    return _START + monotonic_ns()


def now() -> float:
    """Seconds since the epoch."""
    return (_START + monotonic_ns()) / 1e9
