"""Naming what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, or None if none is like it."""
    return _closest(name, known, 0.6)


def slip(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one, which could stand by itself, is most likely a slip of the pen for."""
    return _closest(name, known, 0.85)


def _closest(name: str, known: Iterable[str], cutoff: float) -> str | None:
    by_form = {_form(candidate): candidate for candidate in known}
    close = get_close_matches(_form(name[:200]), by_form, n=1, cutoff=cutoff)
    return by_form[close[0]] if close else None


def hint(name: str, known: Iterable[str], limit: int = 12) -> str:
    """`did you mean …?`, or else what there is."""
    names = sorted(known)
    close = nearest(name, names)
    if close is not None:
        return f"did you mean `{close}`?"
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"there is {', '.join(names[:limit])}{more}" if names else "there is none"


def _form(name: str) -> str:
    return name.casefold().replace("-", "_")
