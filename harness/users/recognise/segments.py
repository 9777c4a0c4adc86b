"""A reply cut into lines, the lists that hang on them, and sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.users.recognise.language import folded

_MARKUP = re.compile(r"\*\*|__|`|^#{1,6} +|^> ?|<br ?/?>", re.MULTILINE)
_BULLET = re.compile(r"(\s*)(?:(?:[-*•–·]|\(?\d{1,2}[.)]|\(?[a-hA-H]\))\s+(?=\S)|\d{1,2}[、.)]\s*(?=[^\W\d])|[①-⑨]\s*)")
_ROW = re.compile(r"\s*\|(.*)\|\s*")
_RULE = re.compile(r"[\s|:–-]+")
# An end mark ends a sentence when a space follows, so "49.90" and "ana@example.com" stay whole; a full stop only when
# a capital follows too, so "approx. 5 days" does.
_END = re.compile(r"[!?][\"”'’)\]]*\s+(?!\()|[.…][\"”'’)\]]*\s+(?=[\"“'(¿¡]*[A-ZÁÉÍÓÚÑ✓-])|[。！？；]\s*|\s(?=¿)")
_QUESTION = re.compile(r"[?？][\s\"'”’»)]*(?:\([^()]*\)[\s.]*)?$")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|no|mr|mrs|ms|dr|st|vs|approx|nº|núm|sra?|a\.m|p\.m|dept|apt|\w)\.\s+$")


_LONGEST = 1000
"""Characters: a longer sentence is read in pieces, so that no pattern takes time by the square of a hostile text."""
_MOST = 30_000
"""Characters read at the start and at the end of a reply; what a longer one says between is not read for asks."""
_DEEPEST = 20
"""Columns: lists that are indented further are read as if they were not."""


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text as it stands, and folded for matching; both of one length."""

    text: str
    low: str

    @classmethod
    def of(cls, text: str) -> Words:
        """The stretch that is this text."""
        return cls(text, folded(text))

    def part(self, start: int, end: int | None = None) -> Words:
        """What stands between two places."""
        return Words(self.text[start:end], self.low[start:end])

    def pieces(self, start: int, end: int) -> Iterator[Words]:
        """What stands between two places, in pieces that are not too long."""
        for at in range(start, end, _LONGEST):
            piece = self.text[at : min(end, at + _LONGEST)].rstrip()
            yield Words(piece, self.low[at : at + len(piece)])

    @property
    def asks(self) -> bool:
        """Whether it is a question: it ends in a question mark, or has only a parenthesis after it."""
        return _QUESTION.search(self.low) is not None

    @property
    def leads(self) -> bool:
        """Whether it ends in a colon, so that what follows belongs to it."""
        return self.low.endswith((":", "："))


@dataclass(slots=True)
class Line:
    """A line or a list's item, without markup, and the list that hangs on it. `row`: it is a table's row."""

    text: str
    row: bool = False
    items: list[Line] = field(default_factory=list)

    def under(self) -> Iterator[Line]:
        """All that hangs on it, sub-lists too."""
        for item in self.items:
            yield item
            yield from item.under()

    def sentences(self) -> Iterator[Words]:
        """Its sentences in order."""
        words = Words.of(self.text)
        start = 0
        for end in _END.finditer(self.text):
            if not _ABBREVIATION.search(words.low, max(start, end.end() - 10), end.end()):
                yield from words.pieces(start, end.end())
                start = end.end()
        yield from words.pieces(start, len(self.text))


def lines(text: str) -> list[Line]:
    """The lines of a reply that are no list items. A list hangs on the line before it, a sub-list on its item; a
    table is a list of its rows, without the head.
    """
    top: list[Line] = []
    open_at: list[tuple[int, Line]] = []
    for raw in _MARKUP.sub("", _unwrapped(_bounded(text))).splitlines():
        body = raw.strip()
        if not body:
            continue
        if body[0] == "|" and _RULE.fullmatch(body):
            if open_at:
                open_at[0][1].items.clear()
            continue
        depth, body = _placed(raw, body)
        if depth < 0 and raw[0].isspace() and len(open_at) > 1:
            open_at[-1][1].text += " " + body
            continue
        line = Line(body, row=raw.lstrip().startswith("|"))
        while open_at and open_at[-1][0] >= depth:
            open_at.pop()
        (open_at[-1][1].items if open_at else top).append(line)
        open_at.append((depth, line))
    return top


def _placed(raw: str, body: str) -> tuple[int, str]:
    """How deep a line stands (-1: in no list) and what it says."""
    row = _ROW.fullmatch(raw) if body[0] == "|" else None
    if row:
        return 0, ", ".join(cell.strip() for cell in row[1].split("|"))
    bullet = _BULLET.match(raw)
    if bullet:
        return min(len(bullet[1]), _DEEPEST), raw[bullet.end() :].strip()
    return -1, body


def _bounded(text: str) -> str:
    return text if len(text) <= 2 * _MOST else f"{text[:_MOST]}\n{text[-_MOST:]}"


def _unwrapped(text: str) -> str:
    """The message of a reply that came in its JSON envelope, `{"message": "…"}`: models do leak it."""
    if not text.startswith("{"):
        return text
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return text
    values = list(envelope.values()) if isinstance(envelope, dict) else []
    return values[0] if len(values) == 1 and isinstance(values[0], str) else text
