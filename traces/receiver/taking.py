"""What a receiver and whoever takes what it gets have to say to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from traces.log_record import LogRecord
from traces.span import Span

Records = Sequence[Span | LogRecord]


class Full(Exception):
    """There is no room now: the sender is to keep what it has, and send it again after so many `seconds`."""

    def __init__(self, seconds: int = 1) -> None:
        super().__init__(f"there is no room now; send it again in {seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Refused:
    """How many spans or log records of a request are not taken, and will not be if they are sent again, and why."""

    count: int
    why: str


Take = Callable[[Records], Refused | None]
"""Takes the records of one request, all at once, in the receiver's thread: once it returns, they are safe.

Raises Full, having taken none, and OSError where they can't be kept.
"""
