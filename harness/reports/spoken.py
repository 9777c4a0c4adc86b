"""What somebody said, behind their name.

None of its lines begins where turngate's own do: a reply that is made to look like a turn, a call or a verdict is seen
to be a reply.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_NAME = 7


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message, printable already. `who`: `user` or `agent`, written in this style."""

    who: str
    text: str
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width - _NAME, 1)
        name = Text(f"{self.who:<{_NAME}}", style=self.style)
        for line in Text(self.text).wrap(console, width, overflow="fold"):
            yield Text.assemble(name, line, no_wrap=True, overflow="ignore")
            name = Text(" " * _NAME)
