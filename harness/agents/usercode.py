"""Telling the user's own code from libraries, the standard library and turngate itself."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

_FOLDERS = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    str(Path(__file__).resolve().parents[1]),
)
_OTHERS = tuple(folder + os.sep for folder in _FOLDERS)


def is_user_file(filename: str) -> bool:
    """Whether a source file, as a traceback names it, is the user's own."""
    return not filename.startswith(("<", *_OTHERS))


def is_user_module(name: str) -> bool:
    """Whether a loaded module is the user's own."""
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and is_user_file(file)
