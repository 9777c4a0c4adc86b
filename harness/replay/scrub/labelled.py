"""Fields with their values in a text that is no JSON: lines, mappings as Python shows them, XML, broken JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FIELD = r"(?P<field>[^\W\d_][\w-]{0,40}(?:[ ][\w-]{1,40}){0,2})"
_PAIR = re.compile(
    rf"""
    (?<![\w-]) {_FIELD} [\\"'*`]{{0,4}} \s{{0,2}} [:=：] [*`]{{0,2}} [ \t]{{0,8}} (?:
        \\?"(?P<double>[^"\\\n]{{1,400}})
      | '(?P<single>[^'\n]{{1,400}})'
      | (?P<plain>[^\s"'{{}}\[\]<>|;:,][^\n"{{}}\[\]<>|;]{{0,400}})
    )
    | <(?P<tag>[A-Za-z][\w-]{{0,40}})>(?P<text>[^<>]{{1,400}})</(?P=tag)>
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"[,，]\s*[\"']?[^\W\d_][\w -]{0,40}[\"']?\s?[:=：]")
"""Where a value that is not quoted ends, for on the same line another field follows."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A field and its value. `sure`: quotes or tags say where the value ends; else it is the rest of the line, as far
    as no other field follows.
    """

    field: str
    value: str
    sure: bool


def labelled(text: str) -> Iterator[Labelled]:
    """What a text tells field by field, also within the values of others."""
    at = 0
    while (found := _PAIR.search(text, at)) is not None:
        at = found.end()
        if found["tag"] is not None:
            yield Labelled(found["tag"], found["text"].strip(), sure=True)
        elif (quoted := found["double"] or found["single"]) is not None:
            yield Labelled(found["field"], quoted, sure=True)
        else:
            at = found.start("plain")
            ends = _NEXT.search(found["plain"])
            plain = found["plain"][: ends.start() if ends else None]
            yield Labelled(found["field"], plain.strip(" *`"), sure=False)
