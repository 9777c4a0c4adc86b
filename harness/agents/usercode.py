"""Telling the user's own code from everybody else's, and where in it an error arose."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from typing import Any

_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    *(str(_PACKAGE.with_name(name)) for name in (_PACKAGE.name, "tools_sandbox", "traces")),
)
_OTHERS = tuple(folder + os.sep for folder in _FOLDERS)
_BUNDLED = str(_PACKAGE / "workflows") + os.sep
"""In an installed package the bundled workflow, to be read and copied as a user's own, stands within it."""

_AWAITED = ("cr_await", "gi_yieldfrom", "ag_await")


def is_user_file(filename: str) -> bool:
    """Whether a source file, as a traceback names it, is the user's own."""
    return filename.startswith(_BUNDLED) or not filename.startswith(("<", *_OTHERS))


def is_user_module(name: str) -> bool:
    """Whether a loaded module is the user's own."""
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and is_user_file(file)


def place_of(error: BaseException) -> str | None:
    """`file:line in function`: the last frame in the user's own code that the exception came through, or else one that
    led to it. None if it came through none of that: a place in a library is nothing that a user could mend.
    """
    places = (place for one in with_causes(error) for place in _places(one))
    return next((f"{file}:{line} in {name}" for file, line, name in places if is_user_file(file)), None)


def place_now(work: Any) -> str | None:
    """`file:line in function`: where a suspended coroutine stands in the user's own code, as deep as can be told."""
    place = None
    while work is not None:
        frame = getattr(work, "cr_frame", None) or getattr(work, "gi_frame", None) or getattr(work, "ag_frame", None)
        if frame is not None and is_user_file(frame.f_code.co_filename):
            place = f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"
        work = next((part for name in _AWAITED if (part := getattr(work, name, None)) is not None), None)
    return place


def _places(error: BaseException) -> list[tuple[str, int, str]]:
    """Where an exception has been, last first."""
    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    return [(code.co_filename, line, code.co_qualname) for code, line in reversed(frames)]


def with_causes(error: BaseException) -> Iterator[BaseException]:
    """An exception and those that led to it, each once, the nearest first."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        members = one.exceptions if isinstance(one, BaseExceptionGroup) else ()
        context = None if one.__suppress_context__ else one.__context__
        waiting += reversed((*members, one.__cause__, context))
