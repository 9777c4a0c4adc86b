"""Watches over the event loop of a worker: whoever blocks it for longer than a turn may take ends the process."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from dataclasses import asdict
from types import FrameType
from typing import NoReturn, Self

from harness.agents.usercode import is_user_file
from harness.episodes.stalls import LoopStalls, Share
from harness.model.episode import End
from harness.runs.local.wire import Line
from harness.store.codec import written

_LOOK = 0.2
"""Seconds between two looks."""
_LOOKS_A_SIGN = 5
"""Looks between two signs of life to the supervisor, who ends a process that gives none."""
_GRACE = 5.0
"""Seconds after which a process is ended in which not even this thread gets to run."""
STUCK = 70
"""Exit code of a worker whose loop was blocked by nobody that could be named."""


class Watchdog:
    """Within the `with`, ends the process when its event loop stands still for more than `limit` seconds.

    An episode whose agent is at work then is told as it stands, with the limit as its end; the others are not
    to blame. Where it can't be told which episode that is, the supervisor is told what end it has made, of use to it
    if there is only one. Code that holds the interpreter as well, so that no other thread runs, is ended a little later
    by the system's own means, with nobody named.
    """

    def __init__(self, stalls: LoopStalls, limit: float, line: Line) -> None:
        self._stalls = stalls
        self._limit = limit
        self._line = line
        self._over = threading.Event()
        self._loop_thread = threading.get_ident()

    def __enter__(self) -> Self:
        self._rearm()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        faulthandler.cancel_dump_traceback_later()

    def _watch(self) -> None:
        looks = 0
        while not self._over.wait(_LOOK):
            self._rearm()
            looks += 1
            if looks % _LOOKS_A_SIGN == 0:
                self._line.say(alive=True)
            if self._stalls.standing > self._limit:
                self._end(self._stalls.at_work)

    def _rearm(self) -> None:
        faulthandler.dump_traceback_later(self._limit + _GRACE, exit=True, file=2)

    def _end(self, share: Share | None) -> NoReturn:
        frame = sys._current_frames().get(self._loop_thread)
        users = _users(frame)
        blocked = f"the agent blocked the event loop for more than {self._limit:g} s"
        by_agent = End("limit", "FL4", blocked, place=_place(users or frame))
        if share is not None and share.sketch is not None:
            self._line.say(episode=True, record=written(share.sketch(by_agent)))
            self._line.say(blamed=True)
        elif users is not None:
            self._line.say(stuck=asdict(by_agent))
        else:
            still = f"the event loop stood still for more than {self._limit:g} s"
            self._line.say(stuck=asdict(End("fault", "X5", still, place=_place(frame))))
        os._exit(STUCK)


def _users(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of the user's own code."""
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _place(frame: FrameType | None) -> str | None:
    """`file:line in function`."""
    return frame and f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
