"""Which commit of its repository a workflow was at when a run began."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tools_sandbox.call import Json

_SECONDS = 5
"""A repository that takes longer to look at is not waited for."""


def revision_of(folder: Path) -> dict[str, Json] | None:
    """The `commit` (hex) that is checked out there, and whether tracked files are `dirty`: changed since. None where
    there is no repository, no commit yet, or no git to ask.
    """
    command = ["git", "-C", str(folder), "status", "--porcelain=v2", "--branch", "--untracked-files=no"]
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}  # looking must not write
    try:
        asked = subprocess.run(command, env=quiet, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    head, changed = None, False
    for line in asked.stdout.decode(errors="replace").splitlines():
        if line.startswith("# branch.oid "):
            head = line.removeprefix("# branch.oid ")
        elif not line.startswith("#"):
            changed = True
    return None if head is None or head == "(initial)" else {"commit": head, "dirty": changed}
