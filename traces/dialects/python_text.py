"""Text in which Python shows an object: literals, and the calls by which a `repr` tells what the object is made of."""

from __future__ import annotations

import ast
import warnings
from typing import Any

LONGEST = 200_000
"""Characters. Python's own reader takes a thousand times as long as one of JSON, and as much more memory."""


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


def literal(text: str | ast.expr) -> Any:
    """The value of a literal. ValueError if it is none."""
    try:
        return ast.literal_eval(expression(text) if isinstance(text, str) else text)
    except (TypeError, MemoryError, RecursionError) as error:
        raise ValueError("no literal") from error
