"""The plain words of a text, and where the sentence around a place in it begins and ends."""

from __future__ import annotations

import re

from harness.scoring.claims.facts import plain

_LONGEST = 600
_END = re.compile(r"[.!?。！？](?=[\s\"')*_”’»]|$)|\n|[。！？]")

_LETTER = re.compile(r"\w")
_QUOTES = frozenset('"“«「')
_QUOTED = re.compile(r"(?<![:{,\[])[\"“«「]([^\"“”«»「」\n]{1,400})[\"”»」]")


def unmarked(text: str) -> str:
    """A text in lower case, with blanks for the marks of its layout; as long as `text`."""
    return plain(text).replace("’", "'").replace("`", " ").replace("*", " ").replace("_", " ")


def unquoted(lowered: str) -> str:
    """A text with blanks for the words that somebody is quoted with; a single quoted word stays."""
    if _QUOTES.isdisjoint(lowered):
        return lowered
    return _QUOTED.sub(lambda said: _LETTER.sub(" ", said[0]) if " " in said[1] else said[0], lowered)


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around `start:end`, at most 600 characters to either side, its closing mark included."""
    first = max(0, start - _LONGEST)
    for mark in _END.finditer(text, first, start):
        first = mark.end()
    last = _END.search(text, end, min(len(text), end + _LONGEST))
    return first, last.end() if last else min(len(text), end + _LONGEST)
