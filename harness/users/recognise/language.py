"""What the recogniser needs to know of a language. Adding a language is one module that fills this in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """Patterns of one language, all compiled without regard to case.

    `marks`: words by which a text is told to be in this language; most matches win.
    `cues`: without one of these (or a question mark) a sentence asks for nothing.
    `closing`: offers of more help, greetings that give the floor.
    `heads`: what an ask begins with, in the named groups of `HEADS`.
    `slots`: the usual slots, one named group a kind.
    `purpose`: where the part of a sentence begins that says why something is asked, or what comes after.
    `wh`: question words. `consent`, `details`, `follow_up`, `tag`: see `HEADS` and the readers that use them.
    `either`: what stands between the options of a choice.
    `refusal`: a request is turned down. `setback`: something failed and can be tried again, which is no refusal.
    """

    code: str
    marks: re.Pattern[str]
    cues: re.Pattern[str]
    closing: re.Pattern[str]
    heads: re.Pattern[str]
    slots: re.Pattern[str]
    purpose: re.Pattern[str]
    wh: re.Pattern[str]
    consent: re.Pattern[str]
    follow_up: re.Pattern[str]
    tag: re.Pattern[str]
    claim: re.Pattern[str]
    either: re.Pattern[str]
    refusal: re.Pattern[str]
    setback: re.Pattern[str]


def any_of(*sources: str) -> re.Pattern[str]:
    """One pattern that matches any of the sources."""
    return re.compile("|".join(f"(?:{source})" for source in sources), re.IGNORECASE)


def named(groups: Mapping[str, str | Sequence[str]]) -> re.Pattern[str]:
    """One pattern with a named group for each entry; earlier entries win where several match at the same place."""
    parts = []
    for name, sources in groups.items():
        alternatives = [sources] if isinstance(sources, str) else sources
        parts.append(f"(?P<{name}>{'|'.join(alternatives)})")
    return re.compile("|".join(parts), re.IGNORECASE)
