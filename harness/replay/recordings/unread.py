"""What could not be read of a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a file that gave no recording, and why. `line`, `column`: where it begins, counted from 1; None of what
    has none.
    """

    file: str
    what: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        return f"{self.file}{place}: {self.what}"
