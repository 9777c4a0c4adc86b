"""The record of an episode that took its process down with it."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from harness.agents.usercode import is_user_file
from harness.model.episode import End, Episode

_FRAME = re.compile(r'^  File "(?P<file>[^"\n]+)", line (?P<line>\d+) in (?P<name>.+)$', re.MULTILINE)
"""A line of what Python's faulthandler writes about a process that crashes or is stuck."""
_HELD = re.compile(r"^Timeout \(.*\)!$", re.MULTILINE)


def ended_with_process(sketch: Episode, how: str, printed: str) -> Episode:
    """The episode as it last stood, which ended when its process did. `how`: what goes on after "the agent's process";
    `printed`: what the process wrote to its standard streams by itself.
    """
    if _HELD.search(printed):
        how = "held the interpreter for longer than a turn may take, so that nothing else could run"
    end = End("agent_error", "FL4", f"the agent's process {how}", printed, _place(printed))
    return _with(sketch, end, printed)


def stuck(sketch: Episode, how: str, printed: str) -> Episode:
    """The episode as it last stood, in which turngate's own code was at work for too long."""
    return _with(sketch, End("fault", "X5", how, printed), printed)


def _with(sketch: Episode, end: End, printed: str) -> Episode:
    return replace(sketch, end=end, stderr=sketch.stderr + printed, ended=time.time())


def _place(printed: str) -> str | None:
    """Where in the user's own code a crash report says that it was."""
    frames = [match for match in _FRAME.finditer(printed) if is_user_file(match["file"])]
    return f"{frames[0]['file']}:{frames[0]['line']} in {frames[0]['name']}" if frames else None
