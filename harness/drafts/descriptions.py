"""What the description of a tool says for a draft: its first sentence, and an example of an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools_sandbox.schema import FieldType, ToolSpec
from tools_sandbox.values import read

_STOP = re.compile(r"(\S+)[.!?](?=\s+[^\sa-z])")
"""A word with the mark behind it, where what follows may begin a sentence."""
_SHORT = re.compile(r"\W*(?:[a-z]|\w*\.\w+|etc|cf|vs|approx|incl|no|nr|mr|mrs|ms|dr|st)", re.IGNORECASE)
"""Abbreviations, which end no sentence: `e.g`, `i.e`, `a.m` and the like."""
_EXAMPLE = re.compile(
    r"(?:\be\.\s?g\.|\bfor (?:example|instance)\b|\bsuch as\b|\bexamples?:)[,:]?\s+"
    r"(?:[`'\"“](?P<quoted>[^`'\"“”]+)[`'\"”]"
    r"|(?P<coded>[^\s,;()]*[\d@][^\s,;()]*)"
    r"|(?P<words>[^,;()]+?)(?=\.?$|\.\s|[,;()]|\s(?:or|and)\s))",
    re.IGNORECASE,
)
"""A quotation; else a word with a digit or an @ in it; else the words up to the next mark."""


def first_sentence(text: str) -> str:
    """The first sentence, on one line and without the mark at its end."""
    line = " ".join(text.split())
    ends = (stop.end(1) for stop in _STOP.finditer(line) if not _SHORT.fullmatch(stop.group(1)))
    return line[: next(ends, None)].rstrip(".!?")


def example_of(tool: ToolSpec, argument: str) -> str | None:
    """An example of an argument that the tool itself gives and its type takes: `examples` or `default` of its schema,
    else a value that a description names as one (`e.g. H-12`). None if there is none.
    """
    kind = tool.arguments[argument]
    return next((str(value) for value in _given(tool, argument) if _fits(value, kind)), None)


def _given(tool: ToolSpec, argument: str) -> Iterator[Any]:
    part: Mapping[str, Any] = tool.parameters.get("properties", {}).get(argument, {})
    yield from part.get("examples", ())
    yield from (part[key] for key in ("example", "default") if key in part)
    for text in _about(tool, argument, part):
        if found := _EXAMPLE.search(" ".join(text.split())):
            yield (found["quoted"] or found["coded"] or found["words"]).rstrip(".!?:")


def _about(tool: ToolSpec, argument: str, part: Mapping[str, Any]) -> Iterator[str]:
    """Texts about an argument: its own, its line in the docstring, and all of that where no other has to be told."""
    yield part.get("description", "")
    yield from re.findall(rf"^[ \t]*(?::param )?{re.escape(argument)}\b[^:\n]*:(.+)", tool.description, re.MULTILINE)
    if [*tool.parameters.get("required", ())] == [argument]:
        yield tool.description


def _fits(value: Any, kind: FieldType) -> bool:
    if not isinstance(value, str | int | float) or value == "":
        return False
    try:
        read(value, kind)
    except ValueError:
        return False
    return True
