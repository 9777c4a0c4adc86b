"""Arguments and results in the one form in which those of two calls are held against each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from tools_sandbox.call import Json
from tools_sandbox.schema import ANY, FieldType, SandboxSchema
from tools_sandbox.values import read

Canon = Callable[[str, dict[str, Json]], dict[str, Json]]
"""From a tool and the arguments of a call to those that count, as canonical values: what is ignored is left out."""

_MOST_DIGITS = 4000
"""A whole number with more stays as it is written: `1e999999999` would take all memory to write out."""


def canonical(value: Json, kind: FieldType = ANY) -> Json:
    """The value as its type reads it, else as plain JSON: numbers as int or Decimal, so that 25, 25.0 and, of a type
    that is a number, "25.00" are one; times of one instant are one text; text stays as it is. What is nested too deeply
    to be walked through is one text.
    """
    try:
        return _plain(read(value, kind))
    except ValueError:
        return _plain(read(value, ANY))
    except RecursionError:
        return _flat(value)


def typed(schema: SandboxSchema) -> Canon:
    """Arguments read through the types that a sandbox's tools declare."""

    def canon(tool: str, arguments: dict[str, Json]) -> dict[str, Json]:
        spec = schema.tools.get(tool)
        types = spec.arguments if spec else {}
        return {name: canonical(value, types.get(name, ANY)) for name, value in arguments.items()}

    return canon


def frozen(value: Json) -> Hashable:
    """A canonical value as a key: two are equal exactly if the values are. True is not 1."""
    if isinstance(value, dict):
        return "{", tuple(sorted((name, frozen(member)) for name, member in value.items()))
    if isinstance(value, list):
        return "[", tuple(map(frozen, value))
    return (value,) if isinstance(value, bool) else value


def _flat(value: Json) -> str:
    """A text that is the same of equal values alone, however deep they are."""
    parts: list[str] = []
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            parts.append(f"{{{len(each)}")
            left += [part for name in sorted(each) for part in (each[name], name)]
        elif isinstance(each, list):
            parts.append(f"[{len(each)}")
            left += each
        else:
            parts.append(repr(frozen(_plain(read(each, ANY)))))
    return " ".join(parts)


def _plain(value: Any) -> Json:
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, Decimal):
        whole = value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS
        return int(value) if whole else value.normalize()
    if isinstance(value, datetime):
        return (value if value.utcoffset() is None else value.astimezone(UTC)).isoformat()
    if isinstance(value, float):  # NaN and infinities alone are still one; NaN would not equal itself
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
