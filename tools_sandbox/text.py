"""Whether a text mentions a phrase: whole words, case folded, numbers as numbers, in any order.

Words that the phrase writes without a space between them (`O-1001`, `5-7`, `ana@example.com`, `10%`) must stand side by
side in the text; currency signs are words of their own. Numbers compare by value: `49.90`, `49.9` and `49,90` are one
number, `1,000` is `1000`. A comma before exactly three digits groups thousands; a point before exactly three digits is
read both ways (`1.000` is 1 and 1000); a number with leading zeros is a word, so `00123` is not `123`. Scripts that are
written without spaces (Chinese, Japanese, Thai …) match within a run of such characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

# Han, kana, Hangul (particles are glued to words), Thai, Lao, Burmese, Khmer.
_RUN = (
    "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3040-\u30ff\uac00-\ud7af"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
# Combining marks, and the vowel signs of Indic scripts, belong to the word they stand in.
_MARK = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER = f"(?:(?![{_RUN}_])[\\w{_MARK}])"
_ALPHA = f"(?:(?!\\d){_LETTER})"
_CURRENCY = "$¢£¤¥฿₠-₿"

_TOKEN = re.compile(
    rf"(?P<number>\d++(?:[.,]\d++)*+)(?!{_LETTER})"
    rf"|(?P<amount>\d++(?:[.,]\d++)*+)(?={_ALPHA}{{2,}}(?!{_LETTER}))"  # 49.90EUR, 7pm
    rf"|(?P<unit>{_ALPHA}{{2,}}+)(?=\d++[.,]\d)"  # EUR49.90
    rf"|(?P<word>{_LETTER}+)"
    rf"|(?P<run>[{_RUN}]+)"
    rf"|(?P<sign>[%‰{_CURRENCY}])"
)
_CURRENCY_SIGN = re.compile(f"[{_CURRENCY}]")
_GROUPED = re.compile(
    r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|[1-9]\d{0,2}(?:\.\d{3}){2,}"
)
_PLAIN = re.compile(r"(?:0|[1-9]\d*)(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of a text and where it stands. `readings`: the values of a number, empty for any other word."""

    word: str
    start: int
    end: int
    run: bool
    readings: frozenset[Decimal]

    def stands_for(self, wanted: _Token, *, first: bool, last: bool) -> bool:
        """Whether this word of a text is the wanted one. Part of a run is enough, unless a neighbour is wanted."""
        if wanted.readings:
            return bool(self.readings & wanted.readings)
        if not wanted.run:
            return self.word == wanted.word
        if not self.run:
            return False
        if first and last:
            return wanted.word in self.word
        if first:
            return self.word.endswith(wanted.word)
        return self.word.startswith(wanted.word) if last else self.word == wanted.word


def mentions(phrase: str, text: str) -> tuple[int, int] | None:
    """The shortest stretch of the text that holds all words of the phrase, as (start, end); None if one is missing.

    A phrase without any word (only punctuation) is looked for as it stands.
    """
    wanted = _chunks(phrase)
    if not wanted:
        at = text.find(phrase.strip()) if phrase.strip() else -1
        return (at, at + len(phrase.strip())) if at >= 0 else None
    tokens = _tokens(text)
    places: list[list[tuple[int, int]]] = []
    for chunk in wanted:
        found = list(_places(chunk, tokens))
        if not found:
            return None
        places.append(found)
    return _shortest(places)


def like(pattern: str, text: str) -> tuple[int, int] | None:
    """Where a regular expression first fits, anywhere in the text and whatever the case; None if nowhere.

    Raises re.error for a pattern that is none.
    """
    found = re.search(pattern, text, re.IGNORECASE)
    return found.span() if found else None


def _places(chunk: tuple[_Token, ...], tokens: tuple[_Token, ...]) -> Iterator[tuple[int, int]]:
    last = len(chunk) - 1
    for at in range(len(tokens) - last):
        if all(
            tokens[at + step].stands_for(wanted, first=step == 0, last=step == last)
            for step, wanted in enumerate(chunk)
        ):
            yield tokens[at].start, tokens[at + last].end


def _shortest(places: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """The shortest span with one place of every list in it: sweep over all starts, always moving the leftmost on."""
    at = [0] * len(places)
    best: tuple[int, int] | None = None
    while True:
        spans = [spans[index] for spans, index in zip(places, at, strict=True)]
        start, end = min(spans)[0], max(end for _, end in spans)
        if best is None or end - start < best[1] - best[0]:
            best = start, end
        leftmost = spans.index(min(spans))
        at[leftmost] += 1
        if at[leftmost] == len(places[leftmost]):
            return best


@lru_cache(maxsize=4096)
def _chunks(phrase: str) -> tuple[tuple[_Token, ...], ...]:
    chunks: list[tuple[_Token, ...]] = []
    for part in phrase.split():
        chunk: list[_Token] = []
        for token in _tokens(part):
            if _CURRENCY_SIGN.fullmatch(token.word):
                chunks += [tuple(chunk), (token,)]
                chunk = []
            else:
                chunk.append(token)
        chunks.append(tuple(chunk))
    return tuple(dict.fromkeys(chunk for chunk in chunks if chunk))


@lru_cache(maxsize=512)
def _tokens(text: str) -> tuple[_Token, ...]:
    plain, offsets = _normalised(text)
    tokens = []
    for found in _TOKEN.finditer(plain):
        start, end = found.span()
        if offsets is not None:
            start, end = offsets[start], offsets[end]
        kind = found.lastgroup
        word = found.group()
        numeric = _readings(word) if kind in ("number", "amount") else frozenset()
        tokens.append(_Token(word.casefold(), start, end, kind == "run", numeric))
    return tuple(tokens)


def _readings(number: str) -> frozenset[Decimal]:
    values = set()
    if _GROUPED.fullmatch(number):
        point = max(number.rfind("."), number.rfind(","))
        separators = {char for char in number if not char.isdigit()}
        decimals = number[point + 1 :] if len(separators) == 2 else ""
        whole = number[:point] if decimals else number
        values.add(Decimal(whole.replace(",", "").replace(".", "") + ("." + decimals if decimals else "")))
    if _PLAIN.fullmatch(number) and not (values and "," in number):
        values.add(Decimal(number.replace(",", ".")))
    return frozenset(values)


def _normalised(text: str) -> tuple[str, list[int] | None]:
    """The text in NFKC without invisible characters, and where in the original each of its characters (and its end)
    stands; None where nothing moved.
    """
    if text.isascii():
        return text, None
    pieces: list[str] = []
    offsets: list[int] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and unicodedata.combining(text[end]):
            continue
        cluster = text[start:end]
        if unicodedata.category(cluster[0]) != "Cf":
            piece = unicodedata.normalize("NFKC", cluster)
            pieces.append(piece)
            offsets += [start] * len(piece)
        start = end
    return "".join(pieces), [*offsets, len(text)]
