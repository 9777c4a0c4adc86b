"""Lists of objects that were flattened into attributes with numbers in their names: `gen_ai.prompt.0.role`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from traces.dialects.content.memory import LONG, MANY
from traces.dialects.facts import Message, Role
from traces.span import Span

Row = tuple[tuple[str, Any], ...]
"""One object of a list: the rests of the names behind its number, with their values."""


def rows(attributes: Mapping[str, Any], prefix: str) -> list[Row]:
    """The objects whose attributes begin with this name and a number, in the order of the numbers.

    Numbers may be missing: the limits of an SDK drop attributes silently.
    """
    find = _numbered if len(attributes) <= MANY else _numbered.__wrapped__
    found = find(tuple(attributes), prefix)
    return [tuple([(rest, attributes[name]) for name, rest in row]) for row in found]


def history(span: Span, prefix: str, role: str) -> tuple[list[Row], bool]:
    """The messages whose attributes begin with this name, and whether the first of them were dropped.

    An SDK that has as many attributes of a span as it may hold (128, unless it is told otherwise) drops the oldest for
    each new one. `role`: the rest of the name that every whole message has; the first that is left may be a part.
    """
    found = rows(span.attributes, prefix)
    if not span.dropped or not found:
        return found, False
    first = {name for name, _ in found[0]}
    if role in first and any(name.startswith(f"{prefix}0.") for name in span.attributes):
        return found, False
    return found[1:] if first == {role} or role not in first else found, True


@lru_cache(maxsize=256)
def _numbered(names: tuple[str, ...], prefix: str) -> list[list[tuple[str, str]]]:
    """Of each object the names that are its own, and their rests. Spans by the hundred have the very same names."""
    found: dict[str, list[tuple[str, str]]] = {}
    length = len(prefix)
    for name in names:
        if name.startswith(prefix):
            number, _, rest = name[length:].partition(".")
            if number in found:
                found[number].append((name, rest))
            elif number.isdecimal():
                found[number] = [(name, rest)]
    return [found[number] for number in sorted(found, key=int)]


def tree(row: Row) -> dict[str, Any]:
    """An object with the lists and objects that are flattened within it."""
    top: dict[str, Any] = {}
    for name, value in row:
        *path, last = name.split(".")
        node = top
        for step in path:
            inner = node.get(step)
            if not isinstance(inner, dict):
                inner = node[step] = {}
            node = inner
        node.setdefault(last, value)
    return {key: _listed(value) for key, value in top.items()}


def reader(read: Callable[[dict[str, Any], Role], tuple[Message, ...]]) -> Callable[[Row, Role], tuple[Message, ...]]:
    """Makes a reader of rows out of one of objects, in some role; rows that histories repeat are read once."""

    @lru_cache(maxsize=4096)
    def remembered(row: Row, role: Role) -> tuple[Message, ...]:
        return read(tree(row), role)

    def of_row(row: Row, role: Role) -> tuple[Message, ...]:
        if max([len(value) for _, value in row if type(value) is str], default=0) > LONG:
            return read(tree(row), role)
        try:
            return remembered(row, role)
        except TypeError:  # a list or an object among the values
            return read(tree(row), role)

    return of_row


def _listed(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if node and all(key.isdecimal() for key in node):
        return [_listed(node[key]) for key in sorted(node, key=int)]
    return {key: _listed(value) for key, value in node.items()}
