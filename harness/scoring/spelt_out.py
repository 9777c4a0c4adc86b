"""Addresses and numbers that are written so that no machine takes them for one: `farah (at) example dot com`, `six zero
zero`, a name and its domain in two cells of a table, an address read backwards.

Each reading of a text has as many characters as the text: what is read keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

_BEFORE = r"([^\W_](?:[^\w.!?]|_)*)"
"""A letter or digit and what may stand between it and the sign, but for the end of a sentence."""
_AT = re.compile(
    rf"{_BEFORE}(?:(?<![^\W_])(?:at(?:[ -](?:sign|symbol))?|arroba)(?![^\W_])|%40|&#(?:64|x40);|&commat;|艾特)"
)
_DOT = re.compile(rf"{_BEFORE}(?:(?<![^\W_])(?:dot|period|point|punto)(?![^\W_])|%2e|&#(?:46|x2e);|&period;|点)")


_PERHAPS = re.compile(r"a(?:t|rroba)(?![^\W_])|[@%&艾]")
"""One of them stands in every text with an address: most are passed over quickly."""

_NAMED = (
    "zero cero 零 〇|one uno 一|two dos 二|three tres 三|four cuatro 四|five cinco 五|six seis 六|seven siete 七|"
    "eight ocho 八|nine nueve 九"
)
_DIGITS = {word: str(digit) for digit, named in enumerate(_NAMED.split("|")) for word in named.split()} | {"oh": "0"}
_DIGIT = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(word for word in _DIGITS if word.isascii())})(?![^\W_])|[零〇一二三四五六七八九]"
)
_FEWEST_DIGITS = 3
"""So many digits are in words where a number is spelt out."""

_CUES = frozenset(("domain", "host", "server", "provider", "dominio", "servidor", "proveedor", "域"))
"""One of them stands where the halves of an address are told apart."""
_BETWEEN = re.compile(
    r"(?<![^\W_])(?:domain|host|server|provider|dominio|servidor|proveedor|user|username|name|local|part|mailbox|mail|"
    r"e-?mail|address|at|the|is|and|with|of|on|its|their|his|her|usuario|correo|nombre|en|el|la|es|y|con|del?|su)"
    r"(?![^\W_])|用户名?|域名?|邮箱|地址|[是和在的]"
)
"""What halves of an address are called, and the small words around that. None of it says or does anything else."""

_MIRRORED = re.compile(r"[^\W_][\w.+-]{0,250}@[\w.+-]{0,63}[^\W_]")


class Reading(Enum):
    """In what way a text is read."""

    SIGNS = "an address with words for its signs"
    DIGITS = "a number in words"
    APART = "an address whose halves stand apart"
    MIRRORED = "an address read backwards"


def readings(text: str, parts: Sequence[str]) -> Iterator[tuple[Reading, str]]:
    """What a folded text, of which `parts` are the words, may also be read as."""
    if (read := signs_for_words(text)) is not None:
        yield Reading.SIGNS, read
    if sum(map(_DIGITS.__contains__, parts)) >= _FEWEST_DIGITS:
        yield Reading.DIGITS, _DIGIT.sub(_digit, text)
    if not _CUES.isdisjoint(parts):
        yield Reading.APART, _BETWEEN.sub(_blanks, text)
    if "@" in text:
        yield Reading.MIRRORED, _MIRRORED.sub(_backwards, text)


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


def _blanks(words: re.Match[str]) -> str:
    return " " * len(words[0])


def _digit(word: re.Match[str]) -> str:
    return _DIGITS[word[0]].ljust(len(word[0]))


def _backwards(address: re.Match[str]) -> str:
    return address[0][::-1]
