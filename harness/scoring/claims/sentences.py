"""Where the sentence around a place in a text begins and ends."""

from __future__ import annotations

import re

_LONGEST = 600
_END = re.compile(r"[.!?。！？](?=[\s\"')*_”’»]|$)|\n|[。！？]")


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around `start:end`, at most 600 characters to either side, its closing mark included."""
    first = max(0, start - _LONGEST)
    for mark in _END.finditer(text, first, start):
        first = mark.end()
    last = _END.search(text, end, min(len(text), end + _LONGEST))
    return first, last.end() if last else min(len(text), end + _LONGEST)
