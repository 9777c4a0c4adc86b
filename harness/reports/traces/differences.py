"""Where two JSON values differ, by path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tools_sandbox.values import ABSENT, same

_NESTED = (dict, list, type(ABSENT))
"""Nothing of another type equals one of these."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place: `path` as in `items[0].sku`, empty for the value itself; `ABSENT` where one side has nothing there."""

    path: str
    first: Any
    second: Any


def differences(first: Any, second: Any, path: str = "") -> Iterator[Difference]:
    """The innermost places at which two values differ, in the order of the first. 25 is 25.0, "1" is not 1."""
    left = [(first, second, path)]
    while left:
        one, other, at = left.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            names = list(dict.fromkeys([*one, *other]))
            inner = [(one.get(name, ABSENT), other.get(name, ABSENT), f"{at}.{name}" if at else name) for name in names]
        elif isinstance(one, list) and isinstance(other, list):
            longest = range(max(len(one), len(other)))
            inner = [(_at(one, place), _at(other, place), f"{at}[{place}]") for place in longest]
        else:
            if isinstance(one, _NESTED) or isinstance(other, _NESTED) or not same(one, other):
                yield Difference(at, one, other)
            continue
        left += reversed(inner)


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else ABSENT
