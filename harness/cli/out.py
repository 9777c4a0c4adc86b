"""Where commands print to."""

from __future__ import annotations

import os
import sys

from rich.console import Console


def console(*, stderr: bool = False) -> Console:
    """A console that reads no markup or emoji codes in what it prints. Piped, it is wide enough that nothing is cut."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else 140
    return Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=False, width=width)
