"""A row of figures as a row of characters: one each, the higher the larger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Letters:
    """What a sparkline is written in. `levels` from the lowest to the highest; `hole`: nothing is known there; `cut`:
    what is before it can't be compared with what is behind.
    """

    levels: str
    hole: str
    cut: str


BLOCKS = Letters("▁▂▃▄▅▆▇█", "·", "│")
ASCII = Letters("_.-~=+*#", "?", "|")


def letters_for(encoding: str) -> Letters:
    """Blocks, if the terminal's encoding has them."""
    try:
        (BLOCKS.levels + BLOCKS.hole + BLOCKS.cut).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def level(value: float, low: float, high: float, letters: Letters) -> str:
    """The letter of a value between `low` and `high`: the highest for `high` alone, the middle one if both are one."""
    if high <= low:
        return letters.levels[len(letters.levels) // 2]
    return letters.levels[int((value - low) / (high - low) * (len(letters.levels) - 1))]


def span(values: Sequence[float | None]) -> tuple[float, float]:
    """The least and the largest known value; 0 and 0 without one."""
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else (0.0, 0.0)
