"""Times, durations and values of traces in words. What comes from telemetry is made printable."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from harness.reports.printable import one_line, printable
from traces.conversation import ToolError

FOLDED = 160
"""Characters of a value that is folded to a line."""


def lasted(started: int | None, ended: int | None) -> int | None:
    """Nanoseconds between two times; None where one of them is not known: not there, 0, or the end before the start."""
    return ended - started if started and ended is not None and ended >= started else None


def duration(nanoseconds: float | None) -> str:
    """`0.4 ms`, `12 ms`, `3.2 s`, `2 min 05 s`; `?` if it is not known."""
    if nanoseconds is None:
        return "?"
    milliseconds = max(0.0, nanoseconds / 1e6)
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"


def moment(seconds: float) -> str:
    """When, in UTC; `?` for what no calendar holds."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}" if seconds > 0 else "?"
    except (OverflowError, ValueError, OSError):
        return "?"


def many(count: int, what: str) -> str:
    """`1 turn`, `2 turns`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def value_text(value: Any, *, full: bool = False) -> str:
    """A JSON value on one line, cut; or all of it on as many as it takes."""
    if full:
        return printable(
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
        )
    return one_line(json.dumps(value, ensure_ascii=False, default=str), FOLDED)


def error_text(error: ToolError, *, full: bool = False) -> str:
    """`Type: message`, as far as either is known."""
    said = ": ".join(part for part in (error.type, error.message) if part) or "failed"
    return printable(said) if full else one_line(said, FOLDED)
