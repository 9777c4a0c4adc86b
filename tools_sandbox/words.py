"""Splitting text into words: normalised, numbers with their values, scripts without spaces as runs."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from tools_sandbox.plain import normalised

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
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_PLAIN = re.compile(r"(?:0|[1-9]\d*)(?:[.,]\d+)?")


class Word(NamedTuple):
    """A word of a text, case folded, and where it stands. `run`: a stretch of a script without spaces. `values`: what a
    number may mean, empty for any other word.
    """

    text: str
    start: int
    end: int
    run: bool
    values: tuple[Decimal, ...]

    @property
    def is_currency(self) -> bool:
        """Whether it is a currency sign."""
        return _CURRENCY_SIGN.fullmatch(self.text) is not None

    def stands_for(self, wanted: Word, *, first: bool, last: bool) -> bool:
        """Whether this word of a text is the wanted one. Part of a run is enough, unless a neighbour is wanted."""
        if wanted.values:
            return any(value in wanted.values for value in self.values)
        if not wanted.run:
            return self.text == wanted.text
        if not self.run:
            return False
        if first and last:
            return wanted.text in self.text
        if first:
            return self.text.endswith(wanted.text)
        return self.text.startswith(wanted.text) if last else self.text == wanted.text


class Words:
    """The words of a text in order, with an index of where each is."""

    __slots__ = ("_places", "_runs", "all")

    def __init__(self, text: str) -> None:
        self.all = tuple(_split(text))
        self._places: dict[str | Decimal, list[int]] = {}
        self._runs: list[int] = []
        for at, word in enumerate(self.all):
            if word.run:
                self._runs.append(at)
            for name in word.values or (word.text,):
                self._places.setdefault(name, []).append(at)

    @classmethod
    def of(cls, text: str) -> Words:
        """The words of a text; those of texts of usual length are remembered for the next phrase."""
        return _remembered(text) if len(text) <= _USUAL_LENGTH else cls(text)

    def candidates(self, wanted: Word) -> list[int]:
        """Where the wanted word may stand: exactly there, but for runs."""
        if wanted.run:
            return self._runs
        if len(wanted.values) < 2:
            return self._places.get(wanted.values[0] if wanted.values else wanted.text, [])
        return sorted({at for value in wanted.values for at in self._places.get(value, [])})


_USUAL_LENGTH = 10_000


@lru_cache(maxsize=256)
def _remembered(text: str) -> Words:
    return Words(text)


def _split(text: str) -> list[Word]:
    plain, places = normalised(text)
    words = []
    for found in _TOKEN.finditer(plain):
        start, end = found.span()
        if places is not None:
            start, end = places[start][0], places[end - 1][1]
        kind, word = found.lastgroup, found.group()
        words.append(
            Word(word.casefold(), start, end, kind == "run", _values(word) if kind in ("number", "amount") else ())
        )
    return words


def _values(number: str) -> tuple[Decimal, ...]:
    values: set[Decimal] = set()
    if _GROUPED.fullmatch(number):
        point = max(number.rfind("."), number.rfind(","))
        separators = {char for char in number if not char.isdigit()}
        decimals = number[point + 1 :] if len(separators) == 2 else ""
        whole = number[:point] if decimals else number
        values.add(Decimal(whole.replace(",", "").replace(".", "") + ("." + decimals if decimals else "")))
    if _PLAIN.fullmatch(number) and not (values and "," in number):
        values.add(Decimal(number.replace(",", ".")))
    return tuple(values)
