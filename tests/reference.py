"""Real conversations and labels that some tests are held against; they are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def data() -> Path:
    """Where the reference data would be: in the folder that TURNGATE_DATA names, else beside the checkout."""
    return Path(os.environ.get("TURNGATE_DATA") or ROOT.parent / "shared")


def reference(path: str) -> Path:
    """The file or folder at `path` within the reference data; skips the test where there is none."""
    found = data() / path
    if not found.exists():
        pytest.skip(f"no reference data at {path}: set TURNGATE_DATA to try it")
    return found
