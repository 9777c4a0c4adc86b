"""Text in which Python shows an object: literals, and the calls by which a `repr` tells what the object is made of."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

LONGEST = 200_000
"""Characters. Python's own reader takes a thousand times as long as one of JSON, and as much more memory."""

_OPEN, _CLOSE = frozenset("[({"), frozenset("])}")
_STRINGS = r"""'(?:[^'\\]|\\.)*+'?|"(?:[^"\\]|\\.)*+"?"""
"""Texts; one that was cut within goes on to the end, and is not looked for again behind each quote in it."""
_HELD = 2
"""How deep in brackets the parts of the objects of a list are."""


def expression(text: str) -> ast.expr:
    """The expression that a text is. ValueError if it is none, or a longer one than LONGEST; nothing of it is run."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes and numbers; it is nobody's source code
            return ast.parse(text.lstrip(" \t"), mode="eval").body
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("no Python") from error


def lists_of(text: str, name: str) -> Iterator[Any]:
    """The lists of this name that objects hold whose own list a text shows: of `x` in `[A(x=[1], y=2), A(x=[3])]`.

    What stands within their texts or their parts is none of theirs; nor is a list that is no literal.
    """
    depth, start = 0, None
    for piece in re.finditer(rf"{_STRINGS}|\b{name}=(?=\[)|[][(){{}}]", text, re.DOTALL):
        found = piece[0]
        if found in _OPEN:
            depth += 1
        elif found in _CLOSE:
            depth -= 1
            if depth == _HELD and start is not None:
                with suppress(ValueError):
                    yield literal(text[start : piece.end()])
                start = None
        elif depth == _HELD and found[0] not in "'\"":
            start = piece.end()


def literal(text: str | ast.expr) -> Any:
    """The value of a literal. ValueError if it is none."""
    try:
        return ast.literal_eval(expression(text) if isinstance(text, str) else text)
    except (TypeError, MemoryError, RecursionError) as error:
        raise ValueError("no literal") from error
