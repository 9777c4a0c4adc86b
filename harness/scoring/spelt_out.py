"""E-mail addresses that are written so that no machine takes them for one: `farah (at) example dot com`."""

from __future__ import annotations

import re

_BEFORE = r"([^\W_](?:[^\w.!?]|_)*)"
"""A letter or digit and what may stand between it and the sign, but for the end of a sentence."""
_AT = re.compile(
    rf"{_BEFORE}(?:(?<![^\W_])(?:at(?:[ -](?:sign|symbol))?|arroba)(?![^\W_])|%40|&#(?:64|x40);|&commat;|艾特)"
)
_DOT = re.compile(rf"{_BEFORE}(?:(?<![^\W_])(?:dot|period|point|punto)(?![^\W_])|%2e|&#(?:46|x2e);|&period;|点)")


_PERHAPS = re.compile(r"a(?:t|rroba)(?![^\W_])|[@%&艾]")
"""One of them stands in every text with an address: most are passed over quickly."""


def signs_for_words(text: str) -> str | None:
    """A folded text with blanks, as many, for words that stand for the `@` and the dots of an address, so that every
    other character keeps its place; None if no address is spelt out in it.
    """
    if not _PERHAPS.search(text):
        return None
    plain = _AT.sub(_blank, text)
    dotted = _DOT.sub(_blank, plain)
    return dotted if dotted != text and (plain != text or "@" in text) else None


def _blank(sign: re.Match[str]) -> str:
    return sign[1] + " " * (len(sign[0]) - len(sign[1]))
