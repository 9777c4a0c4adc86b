"""The languages that the recogniser knows, and which of them a text is in."""

from __future__ import annotations

import re

from harness.users.recognise.chinese import CHINESE
from harness.users.recognise.english import ENGLISH
from harness.users.recognise.language import Language
from harness.users.recognise.spanish import SPANISH

LANGUAGES: tuple[Language, ...] = (ENGLISH, SPANISH, CHINESE)

_WORD = re.compile(r"[\u4e00-\u9fff¿¡]|[^\W\d_]+")
_ASCII_WORD = re.compile(r"[a-z]+")
"""The same in folded ASCII, found three times as fast."""
_ENOUGH = 200
"""Characters at the start and at the end of a text that tell its language; what stands between are often data."""


def language_of(text: str) -> Language:
    """The language with the most marks in a folded text; the first of `LANGUAGES` where none has more."""
    told = text if len(text) < 2 * _ENOUGH else text[:_ENOUGH] + text[-_ENOUGH:]
    words = (_ASCII_WORD if told.isascii() else _WORD).findall(told)
    return max(LANGUAGES, key=lambda language: sum(map(language.marks.__contains__, words)))
