"""Where in the user's own code an exception came from."""

from __future__ import annotations

import re
from pathlib import Path

_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>\S+)')
_OURS = tuple(f"{Path(__file__).parents[2] / package}/" for package in ("harness", "tools_sandbox", "traces"))
_INSTALLED = ("site-packages", "dist-packages", "/lib/python", "<frozen ")


def last_place(trace: str) -> str | None:
    """`file:line in function` of the last frame of a traceback that is the user's own code, else of its last frame;
    None if there is none.
    """
    frames = list(_FRAME.finditer(trace))
    own = [frame for frame in frames if not _foreign(frame["file"])]
    if not frames:
        return None
    frame = (own or frames)[-1]
    return f"{frame['file']}:{frame['line']} in {frame['name']}"


def _foreign(file: str) -> bool:
    return file.startswith(_OURS) or any(part in file for part in _INSTALLED)
