"""What was read of a text is remembered: every trial meets the same lines, results and passages.

Which claims a text makes, and where, is told by its words and by where digits stand, not by which they are. That is
remembered by the `shape` of the text, in which every digit is a zero: what was read of "Order 1001 is paid." holds of
"Order 1002 is paid." too, and an agent that says the same of every order is read once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from tools_sandbox.text import zeroed

R = TypeVar("R")
P = ParamSpec("P")

_USUAL_LENGTH, _MANY = 1000, 2048
"""Characters of a text that is remembered, and how many are."""


def shape(text: str) -> str:
    """The shape of a text, as long as the text. One with `+1` in it, which after a time says that it is on the next
    day, is its own.
    """
    return text if "+1" in text else zeroed(text)


def remembered_by(
    key: Callable[[str], str],
) -> Callable[[Callable[Concatenate[str, P], R]], Callable[Concatenate[str, P], R]]:
    """Have a function of a text read the text's key (`shape`, or `str` for the text itself) in its place, and remember
    what it gave for those of usual length.
    """

    def remembering(read: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[str, P], R]:
        remembered: Callable[..., R] = lru_cache(maxsize=_MANY)(read)

        @wraps(read)
        def of_text(text: str, /, *more: P.args, **named: P.kwargs) -> R:
            seen = key(text)
            return (remembered if len(seen) <= _USUAL_LENGTH else read)(seen, *more, **named)

        return of_text

    return remembering
