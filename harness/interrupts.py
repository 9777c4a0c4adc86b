"""Ctrl-C, and the signals that end a command as it does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)  # Windows has no SIGHUP
)


def end_as_ctrl_c() -> None:
    """From here on a job that is cancelled (SIGTERM) and a terminal that is closed (SIGHUP) end a command as Ctrl-C
    does, so that what was done is kept and told. What whoever started it handles or ignores stays so: of what a script
    puts in the background, Ctrl-C is ignored, and only that.
    """
    if _ctrl_c_is_ours():
        for number in _ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)


def raising() -> tuple[int, ...]:
    """Those of the signals that raise KeyboardInterrupt wherever they find the program; none if it handles Ctrl-C."""
    ours = _ENDING if _ctrl_c_is_ours() else ()
    return tuple(number for number in ours if signal.getsignal(number) is signal.default_int_handler)


def heard() -> tuple[int, ...]:
    """Those of the signals that anything in the program hears."""
    return tuple(number for number in _ENDING if callable(signal.getsignal(number)))


@contextmanager
def handling(numbers: Iterable[int], handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Within it, `handler` hears these signals. For the main thread."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, each in before.items():
            signal.signal(number, each)


def _ctrl_c_is_ours() -> bool:
    return signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_IGN)
