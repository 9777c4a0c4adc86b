"""The options of a choice, as worded."""

from __future__ import annotations

import re

from harness.users.recognise.language import Language
from harness.users.recognise.segments import Line, Words

_LEAD_IN = re.compile(r"[:：?？—–]\s+|[(（](?![a-h1-9]\))|，")
_NUMBER = re.compile(r"^\(?[a-h1-9]\)\s*")
_EDGES = " \t.,;:!?¿？。，；：！、"


def listed_options(items: list[Line]) -> tuple[str, ...]:
    """The options that a list gives."""
    return tuple(item.text.strip(_EDGES) for item in items)


def inline_options(body: Words, language: Language) -> tuple[str, ...]:
    """The options that a sentence gives: "A, B or C". Empty where its "or" makes no choice."""
    found = list(language.conjunction.finditer(body.low))
    if not found:
        return ()
    before = language.comma.split(body.text[: found[-1].start()].rstrip(_EDGES))
    before[0] = _LEAD_IN.split(before[0])[-1]
    options = tuple(_NUMBER.sub("", part.strip(_EDGES)) for part in (*before, body.text[found[-1].end() :]))
    return options if all(options) else ()
