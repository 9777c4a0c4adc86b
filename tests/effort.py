"""What work costs, told without a clock: no test fails because the machine is slow, or busy with something else."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

_Input = TypeVar("_Input")

_TIMES = 4
_HANGS = 60
"""Seconds of processor time. What is tried against it takes one or two if all is well, and minutes if not, so that no
machine gets there by being slow.
"""


def growth(run: Callable[[_Input], object], of: Callable[[int], _Input], size: int) -> float:
    """How many times as many lines of Python `run` goes through for each item of its input where there are four times
    as many of them: 1 or less if the work grows with the input, up to 4 if with its square. `of` makes an input of a
    size, never the same one twice; a small one comes first, as what is imported once counts for nobody.

    Small work on each pair shows beside much on each item only if there are many: choose the size by putting a fault
    in. What happens inside of a function written in C (a regular expression, `in` on a text) is not seen: see
    `no_hang`.
    """
    run(of(2))
    small, large = of(size), of(_TIMES * size)
    return lines(lambda: run(large)) / lines(lambda: run(small)) / _TIMES


def lines(run: Callable[[], object]) -> int:
    """How many lines of Python `run` goes through in this thread; each round of a comprehension is one."""
    count = 0

    def seen(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return seen

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # what other tests left is cleared up by lines of Python too
    sys.settrace(seen)
    try:
        run()
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return count


@contextmanager
def no_hang() -> Iterator[None]:
    """Fails if what is within takes a minute of this thread's processor time: for costs inside of functions written in
    C, which `growth` does not see. Choose an input of which a fault makes minutes.
    """
    began = time.thread_time()
    yield
    spent = time.thread_time() - began
    assert spent < _HANGS, f"it took {spent:.0f} s of processor time"
