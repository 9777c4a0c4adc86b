"""Values of calls and rows, and text, in the form that they are looked for in each other: letters and digits alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tools_sandbox.call import Json
from tools_sandbox.plain import normalised

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
"""A run of letters and digits; of scripts that are written without spaces, one character."""
_DIGIT = re.compile(r"[^\D0-9]")
"""A decimal digit of another script."""


def folded(text: str) -> str:
    """The text as it is searched: compatible forms and digits of all scripts made one, no case, nothing invisible."""
    return text.lower() if text.isascii() else _DIGIT.sub(_decimal, normalised(text)[0].casefold())


def _decimal(digit: re.Match[str]) -> str:
    return str(int(digit[0]))


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return WORD.findall(folded(text))


def leaves(value: Json, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text and number in a JSON value, as text, with the name it stands under."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            yield from leaves(member, key)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from leaves(member, name)
    elif value is not None and not isinstance(value, bool):
        yield name, str(value)
