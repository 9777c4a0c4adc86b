"""Ending the process, whatever an agent left running in it."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from contextlib import suppress
from typing import NoReturn

GRACE = 1.0
"""Seconds that threads have to end in, and again what is registered to run at exit."""

_NAMED = 5
"""How many of them are named."""


def leave(code: str | int | None) -> NoReturn:
    """End the process with what SystemExit would say. Threads and child processes, for which Python would wait for
    ever, are named and left behind.
    """
    if names := _left():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        sys.stderr.write(f"turngate: left behind, still running: {', '.join(names[:_NAMED])}{more}\n")
    elif threading.active_count() == 1:
        raise SystemExit(code)
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
    # Python has no other way out that waits for no thread; so what it does at exit is done here.
    ending = threading.Thread(target=atexit._run_exitfuncs, daemon=True)
    ending.start()
    ending.join(GRACE)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _left() -> list[str]:
    """What would hold the process, after the grace."""
    until = time.monotonic() + GRACE
    multiprocessing = sys.modules.get("multiprocessing")
    children = multiprocessing.active_children() if multiprocessing else []
    threads = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    held = [("thread", each) for each in threads] + [("process", each) for each in children if not each.daemon]
    for _, one in held:
        one.join(max(0.0, until - time.monotonic()))
    return sorted(f"{kind} {one.name}" for kind, one in held if one.is_alive())
