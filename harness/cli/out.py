"""Where commands print to."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from rich.console import Console


class _Console(Console):
    """A console whose reader may go away (`turngate run | head`) without a word, and without changing what comes of
    the command.
    """

    def on_broken_pipe(self) -> None:
        self.quiet = True
        drop(sys.stdout)

    def print(self, *objects: Any, **options: Any) -> None:
        """As any console, but what may not be broken, as a command to paste, is not cut either."""
        super().print(*objects, **{"crop": False, **options})


def drop(stream: TextIO) -> None:
    """Send what is still to be written to a closed pipe nowhere, so that Python doesn't complain of it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def console(*, stderr: bool = False) -> Console:
    """A console that reads no markup or emoji codes in what it prints. Piped, it is wide enough that nothing is cut."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else 140
    return _Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=False, width=width)
