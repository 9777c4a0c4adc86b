"""What is said of where commands keep things."""

from __future__ import annotations

import os


def elsewhere(place: str | None) -> list[str]:
    """What is to be said of the commands that a report prints, where the store was named on the command line."""
    if place is None or place == os.environ.get("TURNGATE_STORE"):
        return []
    return ["the commands above need the same --store as this one, or TURNGATE_STORE"]
