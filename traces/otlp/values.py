"""Attribute values and log bodies: from OTLP's AnyValue in JSON to plain JSON values, and back."""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from sys import intern
from typing import Any

from traces.otlp.scalars import integer, shown

SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""What OTLP's integers can hold; others are written as text."""

DEEPEST = 24
"""Values nested deeper are written as JSON text: protobuf libraries read no message nested deeper than 100."""


def attributes(items: Any) -> dict[str, Any]:
    """Attributes as a dict of JSON values: of OTLP's list of keys and values, or of a plain mapping.

    Of a key that is there twice the last value counts. ValueError if it is neither.
    """
    if not items:
        return {}
    if isinstance(items, dict):
        return {str(name): as_json(member) for name, member in items.items()}
    if not isinstance(items, list):
        raise ValueError(f"attributes are a list, not {shown(items)}")
    found: dict[str, Any] = {}
    for item in items:
        try:
            held = item["value"]
            if type(text := held.get("stringValue")) is str:
                found[intern(item["key"])] = text
            elif type(number := held.get("intValue")) is str:
                found[intern(item["key"])] = int(number)
            else:
                found[intern(item["key"])] = value(held)
        except (AttributeError, KeyError, TypeError, ValueError):
            name, member = _uncommon(item)
            found[name] = member
    return found


def value(held: Any) -> Any:
    """An AnyValue as a JSON value: bytes as base64 text, numbers that JSON has no word for as text, `{}` as null.

    What is no AnyValue is taken as it is. A kind that is null is not there.
    """
    if isinstance(held, dict):
        for kind, member in held.items():
            if kind in _READ and member is not None:
                try:
                    return _READ[kind](member)
                except (AttributeError, TypeError, ValueError):
                    return as_json(member)
        if held.keys() <= _READ.keys():
            return None
    return as_json(held)


def as_json(held: Any) -> Any:
    """The same without what JSON has no word for: such numbers as text, bytes as base64 text."""
    if isinstance(held, float):
        return held if math.isfinite(held) else str(held)
    if isinstance(held, dict):
        return {str(name): as_json(member) for name, member in held.items()}
    if isinstance(held, list | tuple):
        return [as_json(member) for member in held]
    if isinstance(held, bytes):
        return b64encode(held).decode()
    return held if held is None or isinstance(held, str | int) else str(held)


def any_value(plain: Any, depth: int = 0) -> dict[str, Any]:
    """A JSON value as an AnyValue.

    Text becomes what OTLP has no other word for: integers beyond 64 bits, numbers that are not finite, and, as JSON,
    what is nested deeper than DEEPEST.
    """
    if isinstance(plain, str):
        return {"stringValue": plain}
    if plain is None:
        return {}
    if isinstance(plain, bool):
        return {"boolValue": plain}
    if isinstance(plain, int):
        return {"intValue": str(plain)} if SMALLEST <= plain <= LARGEST else {"stringValue": str(plain)}
    if isinstance(plain, float):
        return {"doubleValue": plain} if math.isfinite(plain) else {"stringValue": str(plain)}
    if not isinstance(plain, dict | list | tuple):
        return {"stringValue": str(as_json(plain))}
    if depth == DEEPEST:
        return {"stringValue": json.dumps(plain, default=str)}
    if isinstance(plain, dict):
        return {"kvlistValue": {"values": key_values(plain, depth + 1)}}
    return {"arrayValue": {"values": [any_value(member, depth + 1) for member in plain]}}


def key_values(plain: Mapping[str, Any], depth: int = 0) -> list[dict[str, Any]]:
    """A mapping of JSON values as OTLP's list of keys and values."""
    return [{"key": str(name), "value": any_value(member, depth)} for name, member in plain.items()]


def _uncommon(item: Any) -> tuple[str, Any]:
    name = item.get("key", "") if isinstance(item, dict) else None  # what is empty may be left out
    if not isinstance(name, str):
        raise ValueError(f"{shown(item)} is no attribute, which has a `key` and a `value`")
    return name, value(item.get("value"))


def _boolean(held: Any) -> Any:
    return {"true": True, "false": False}.get(held, held) if isinstance(held, str) else held


def _double(held: Any) -> Any:
    number = float(held)
    return number if math.isfinite(number) else str(number)


def _bytes(held: Any) -> Any:
    return b64encode(bytes(held)).decode() if isinstance(held, list) else held


def _array(held: Any) -> list[Any]:
    return [value(member) for member in _values(held)]


def _mapping(held: Any) -> dict[str, Any]:
    return attributes(_values(held))


def _values(held: Any) -> Any:
    return (held.get("values") or []) if isinstance(held, dict) else held


def _same(held: Any) -> Any:
    return held


def _both(readers: Iterable[tuple[str, Callable[[Any], Any]]]) -> dict[str, Callable[[Any], Any]]:
    """By the name in JSON and by the name of the field in protobuf, which some dumps keep."""
    return {name: read for kind, read in readers for name in (f"{kind}Value", f"{kind}_value")}


_READ = _both(
    (
        ("string", _same),
        ("bool", _boolean),
        ("int", integer),
        ("double", _double),
        ("array", _array),
        ("kvlist", _mapping),
        ("bytes", _bytes),
    )
)
