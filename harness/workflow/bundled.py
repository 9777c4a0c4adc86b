"""The workflows that come with turngate."""

from __future__ import annotations

from pathlib import Path

import harness


def bundled(name: str) -> Path:
    """The folder of a workflow that is carried: within the installed package, or beside it in a checkout."""
    package = Path(harness.__file__).parent
    installed = package / "workflows" / name
    return installed if installed.is_dir() else package.parent / "workflows" / name
