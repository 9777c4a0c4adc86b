"""The key that stand-ins are made with: one for a place, so that what is imported later has the same."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

NAME = "scrub.key"
_BYTES = 32


def key_in(folder: Path) -> bytes:
    """The key that is kept in a folder; a new one if there is none. It never leaves the machine by itself: who has it
    and a recording can try out which phone number a stand-in is of.

    Raises OSError where the folder can't be written, ValueError where what is there is no key.
    """
    path = folder / NAME
    if not path.exists():
        _make(path)
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise ValueError(f"{path}: this is no key: remove the file, and values get other stand-ins from then on")
    return key


def _make(path: Path) -> None:
    """Whole or not at all, and of two that make it at once the first one's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made, name = tempfile.mkstemp(dir=path.parent)  # only its owner may read it
    with os.fdopen(made, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(_BYTES))
    with suppress(FileExistsError):
        os.link(name, path)
    os.unlink(name)
