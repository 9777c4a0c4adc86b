"""What could not be read, told in a sentence; the rest is read all the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaw:
    """One span, log record or document that could not be read, and why."""

    what: str
