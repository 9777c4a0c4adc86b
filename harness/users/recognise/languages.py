"""The languages that the recogniser knows, and which of them a text is in."""

from __future__ import annotations

from harness.users.recognise.english import ENGLISH
from harness.users.recognise.language import Language

LANGUAGES: tuple[Language, ...] = (ENGLISH,)


def language_of(text: str) -> Language:
    """The language with the most marks in the text; the first of `LANGUAGES` where none has more."""
    return max(LANGUAGES, key=lambda language: len(language.marks.findall(text)))
