"""Where commands print to."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from rich.console import Console

from harness.reports.printable import commandless


class _Console(Console):
    """A console whose reader may go away (`turngate run | head`) without a word, and without changing what comes of
    the command.
    """

    def on_broken_pipe(self) -> None:
        self.quiet = True
        drop(sys.stdout)

    def print(self, *objects: Any, **options: Any) -> None:
        """As any console, but what may not be broken, as a command to paste, is not cut either, and where GitHub reads
        it, nothing that an agent said is a command to its runner.
        """
        options = {"crop": False, **options}
        if os.environ.get("GITHUB_ACTIONS") != "true":
            super().print(*objects, **options)
            return
        with self.capture() as shown:
            super().print(*objects, **options)
        try:
            self.file.write(commandless(shown.get()))
            self.file.flush()
        except BrokenPipeError:
            self.on_broken_pipe()

    def out(self, *objects: Any, sep: str = " ", end: str = "\n", **options: Any) -> None:
        """As any console, but at once: what is for programs is JSON, and neither measured nor wrapped. Where GitHub
        reads it, nothing in it is a command to its runner, and it is the same JSON.
        """
        if self.quiet:
            return
        text = sep.join(map(str, objects)) + end
        if os.environ.get("GITHUB_ACTIONS") == "true":
            text = text.replace("##[", r"\u0023#[")
        try:
            self.file.write(text)
            self.file.flush()
        except BrokenPipeError:
            self.on_broken_pipe()


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
