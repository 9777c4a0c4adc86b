"""Whether a text is like a regular expression, which sees it as a reader does and can't search for ever.

The pattern is held against the text in NFKC, without invisible characters, and with each run of white space (line
breaks, no-break spaces) made one blank: neither `guaranteed<U+00A0>delivery` nor a zero-width character in a word gets
past a pattern. Characters of the pattern that NFKC changes (`（`, `，`) stand for what they become in the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from tools_sandbox.plain import INVISIBLE, on_one_line

if TYPE_CHECKING:
    import regex

_SECONDS = 1.0
"""Of CPU, for one search: a sound pattern takes a thousandth of it."""
_SHORT = 2000
"""Characters that a pattern with one repeat searches in no time."""
_UNIT = re.compile(r"\\?.", re.DOTALL)
_TRIES = re.compile(r"[*+?{|]")


class BadPattern(ValueError):
    """A text that is no regular expression; says why."""


class SlowPattern(Exception):
    """A pattern that takes too long to search a text: its author's fault, not that of the text."""

    def __init__(self, pattern: str) -> None:
        super().__init__(
            f"the pattern {pattern[:60]!r} takes too long: it has parts that fit the same text in many ways, such as "
            "`(a+)+`; write it without a repeat within a repeat"
        )


def like(pattern: str, text: str) -> tuple[int, int] | None:
    """Where a regular expression first fits, anywhere in the text and whatever the case; None if nowhere.

    Raises BadPattern for a pattern that is none, SlowPattern for one that takes more than a second.
    """
    seen, places = on_one_line(text)
    # To watch the clock takes longer than most searches.
    seconds = None if len(seen) <= _SHORT and _quick(pattern) else _SECONDS
    try:
        found = compiled(pattern).search(seen, timeout=seconds)
    except TimeoutError:
        raise SlowPattern(pattern) from None
    if found is None or places is None:
        return found.span() if found else None
    start, end = found.span()
    first = places[start][0] if start < len(places) else len(text)
    return first, places[end - 1][1] if end > start else first


@lru_cache(maxsize=1024)
def _quick(pattern: str) -> bool:
    """Whether a pattern can be tried in no more ways at a place than a text has characters: it has one repeat or
    choice at most, and no group.
    """
    return "(" not in pattern and len(_TRIES.findall(pattern)) <= 1


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> regex.Pattern[str]:
    """The regular expression that a pattern is. Raises BadPattern."""
    import regex  # is slow to import, and few workflows have patterns

    try:
        return regex.compile(
            "".join(map(_as_seen, _UNIT.findall(unicodedata.normalize("NFC", pattern)))), regex.IGNORECASE
        )
    except regex.error as error:
        raise BadPattern(str(error)) from None


def _as_seen(unit: str) -> str:
    """A character of a pattern, perhaps escaped, as it stands in a text that is normalised."""
    char = unit[-1]
    if char.isascii():
        return unit
    plain = "" if INVISIBLE.match(char) else unicodedata.normalize("NFKC", char)
    return unit if plain == char else re.escape(plain)
