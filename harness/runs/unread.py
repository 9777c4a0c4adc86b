"""What of the telemetry could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field

_KEPT = 20


@dataclass(slots=True)
class Unread:
    """How many parts could not be read, and of the first of them where and why: there may be millions."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Count one, and keep what is said of it if it is among the first."""
        self.count += 1
        if len(self.first) < _KEPT:
            self.first.append(text)
