"""Finding what is told of a person, however it is spelt: in any case, with any white space, in any form of Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf])")
_GAP = r"[\s\u00ad\u200b-\u200d\u2060\ufeff]*"
"""White space, and what can't be seen."""


class Subject:
    """A text to look for. Where it begins or ends with a letter or digit of a script that sets words apart, it is found
    as a whole word: `Ana` is not in `Banana`. Raises ValueError for a text without letters and digits.
    """

    def __init__(self, text: str) -> None:
        wanted = "".join(re.sub(_GAP, "", _folded(text)))
        if not any(map(str.isalnum, wanted)):
            raise ValueError("there is no letter and no digit in it")
        before = r"(?<![^\W_])" if _sets_words_apart(wanted[0]) else ""
        after = r"(?![^\W_])" if _sets_words_apart(wanted[-1]) else ""
        self._pattern = re.compile(before + _GAP.join(map(re.escape, wanted)) + after)

    def within(self, value: Any) -> bool:
        """Whether a JSON value has it anywhere: in a text, a key, a number, or JSON written in a text."""
        return any(self._pattern.search(_folded(text)) for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _texts(key)
            yield from _texts(member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _texts(member)
    elif isinstance(value, str):
        yield value
        if _ESCAPED.search(value):
            yield _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _sets_words_apart(character: str) -> bool:
    """Letters without case are of scripts in which words may stand without white space between them."""
    return character.isalnum() and unicodedata.category(character) != "Lo"
