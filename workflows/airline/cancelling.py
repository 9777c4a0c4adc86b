"""The policy on cancelling, as the reference agent keeps it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

_COVERED = re.compile(r"\b(sick|ill|unwell|health|hospital|injur\w+|storm|snow|hurricane|weather)\b", re.IGNORECASE)
_FLOWN = frozenset({"flying", "landed"})


def is_flown(statuses: Collection[str]) -> bool:
    """Whether any flight of a reservation, by their statuses, has taken off already."""
    return not _FLOWN.isdisjoint(statuses)


def may_be_cancelled(reservation: Mapping[str, Any], statuses: Collection[str], reason: str, now: datetime) -> bool:
    """Whether clause C3 lets a reservation be cancelled, no flight of which has taken off."""
    booked = datetime.fromisoformat(reservation["created_at"]).replace(tzinfo=now.tzinfo)
    return (
        now - booked <= timedelta(hours=24)
        or "cancelled" in statuses
        or reservation["cabin"] == "business"
        or (reservation["insurance"] == "yes" and _COVERED.search(reason) is not None)
    )
