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
    """A line or a list's item, without markup, and the list that hangs on it."""

    text: str
    items: list[Line] = field(default_factory=list)

    def sentences(self) -> Iterator[Words]:
        """Its sentences in order."""
        words = Words.of(self.text)
        start = 0
        for end in _END.finditer(self.text):
            if not _ABBREVIATION.search(words.low, start, end.end()):
                yield Words(self.text[start : end.end()].rstrip(), words.low[start : end.end()].rstrip())
                start = end.end()
        if start < len(self.text):
            yield words.part(start)


def lines(text: str) -> list[Line]:
    """The lines of a reply that are no list items. A list hangs on the line before it, a sub-list on its item; a
    table is a list of its rows, without the head.
    """
    top: list[Line] = []
    open_at: list[tuple[int, Line]] = []
    for raw in _MARKUP.sub("", _unwrapped(text)).splitlines():
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
        line = Line(body)
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
        return len(bullet[1]), raw[bullet.end() :].strip()
    return -1, body


def _unwrapped(text: str) -> str:
    """The message of a reply that came in its JSON envelope, `{"message": "…"}`: models do leak it."""
    if not text.startswith("{"):
        return text
    try:
        envelope = json.loads(text)
    except ValueError:
        return text
    values = list(envelope.values()) if isinstance(envelope, dict) else []
    return values[0] if len(values) == 1 and isinstance(values[0], str) else text
