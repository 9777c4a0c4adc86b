"""A reply cut into sentences, with the lists that follow them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_MARKUP = re.compile(r"\*\*|__|`|^#{1,6} +|^> ?|^\|[\s|:-]+\|?$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*•–·]|\(?\d{1,2}[.)、]|\(?[a-hA-H][.)])\s+(?=\S)|^\s*[①-⑨]\s*")
# An end mark ends a sentence when a space or the end follows; so "49.90", "ana@example.com" and "p.m.," stay whole.
_END = re.compile(
    r"(?<=[!?])[\"”'’)\]]*\s+|(?<=[^\W\d_][.])[\"”'’)\]]*\s+(?=[\"“'(]?[A-Z¿¡✓-])|(?<=[\d)\"”'’\]][.])\s+(?=[A-Z¿¡])|(?<=[。！？；])\s*(?=\S)|(?<=\S)\s+(?=¿)"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|no|mr|mrs|ms|dr|st|vs|approx|etc|nº|núm|sr|sra|a\.m|p\.m|dept|apt)\.$", re.IGNORECASE
)


@dataclass(slots=True)
class Sentence:
    """A sentence without markup. `items`: the list that follows it. `item`: it is (part of) a list's item itself."""

    text: str
    item: bool = False
    items: list[str] = field(default_factory=list)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a reply in order; a list's items follow the sentence that leads them in."""
    found: list[Sentence] = []
    lead: Sentence | None = None
    for line in _MARKUP.sub("", _unwrapped(text)).splitlines():
        bullet = _BULLET.match(line)
        body = (line[bullet.end() :] if bullet else line).strip(" \t|")
        if not body:
            continue
        if bullet and lead is not None:
            lead.items.append(body)
        pieces = [Sentence(piece, item=bullet is not None) for piece in _split(body)]
        found += pieces
        if bullet is None and pieces:
            lead = pieces[-1]
    return found


def _split(body: str) -> list[str]:
    pieces: list[str] = []
    for piece in _END.split(body):
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] += " " + piece
        elif piece:
            pieces.append(piece)
    return pieces


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
