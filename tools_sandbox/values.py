"""JSON values and the field types that they are read through before anything is compared."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any, NoReturn, TypeGuard

from pydantic import BaseModel

from tools_sandbox.call import Json
from tools_sandbox.schema import ANY, FieldType

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MOST_DIGITS = 4000
"""Beyond it a whole number is refused: `1e999999999` would take all memory to write out."""


class Absent(Enum):
    """The type of ABSENT, which stands for a value that is not there (null is one that is)."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent.ABSENT


def to_json(value: Any) -> Json:
    """A fresh JSON copy: decimals as text, dates and times in ISO 8601, enums by value, models and dataclasses as
    objects, sets as sorted lists.

    Raises TypeError for what JSON cannot hold, NaN and infinities included.
    """
    kind: Any = type(value)
    if kind in _AS_IT_IS:
        return value
    return dict(value) if is_flat(value) else _writer(kind)(value)


_AS_IT_IS = frozenset({str, int, bool, type(None)})
_TEXT = frozenset({str})


def is_flat(value: Any) -> TypeGuard[dict[str, Json]]:
    """Whether a value is a dict of JSON values none of which can be changed, as most arguments and results are."""
    return (
        type(value) is dict and _TEXT.issuperset(map(type, value)) and _AS_IT_IS.issuperset(map(type, value.values()))
    )


@lru_cache(maxsize=512)
def _writer(kind: type) -> Callable[[Any], Json]:
    """How values of a class are written."""
    for base, write in _WRITERS:
        if issubclass(kind, base):
            return write
    return _write_dataclass if is_dataclass(kind) else _refuse


def _write_members(value: Mapping[Any, Any]) -> dict[str, Json]:
    return {
        key if type(key) is str else _key(key): member if type(member) in _AS_IT_IS else to_json(member)
        for key, member in value.items()
    }


def _write_float(value: float) -> float:
    if not math.isfinite(value):
        raise TypeError(f"{value} cannot be written as JSON")
    return float(value)


def _write_dataclass(value: Any) -> dict[str, Json]:
    return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}


def _refuse(value: Any) -> NoReturn:
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


_WRITERS: tuple[tuple[Any, Callable[[Any], Json]], ...] = (
    (Enum, lambda value: to_json(value.value)),
    (str, str),
    (int, int),
    (float, _write_float),
    (Decimal, str),
    (date | time, lambda value: value.isoformat()),
    (BaseModel, lambda value: _write_members(value.__dict__)),
    (Mapping, _write_members),
    (list | tuple, lambda value: [to_json(member) for member in value]),
    (set | frozenset, lambda value: sorted((to_json(member) for member in value), key=_canonical)),
)
"""The first that fits counts."""


def _key(key: Any) -> str:
    written = to_json(key)
    return written if isinstance(written, str) else json.dumps(written)


def with_numbers(value: Any) -> Any:
    """The value with every Decimal in it as a JSON number: what an untyped place holds for an unquoted 49.90."""
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else float(value)
    if isinstance(value, Mapping):
        return {key: with_numbers(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [with_numbers(member) for member in value]
    return value


def read(value: Any, kind: FieldType) -> Any:
    """The Python value that a JSON (or already typed) value means in a field of this type.

    Numbers become int or Decimal, so that 25, 25.0 and Decimal("25.00") are one value; dates and times become date and
    datetime. Raises ValueError if the value does not fit the type.
    """
    if value is None:
        if kind.nullable:
            return None
        raise ValueError(f"null is no {kind.name}")
    if isinstance(value, Enum):
        value = value.value
    return _READERS[kind.name](value, kind)


_AS_WRITTEN = frozenset({"any", "text"})
"""Types of which two texts mean the same only if they are the same."""


def same(expected: Any, actual: Any, kind: FieldType = ANY) -> bool:
    """Whether two values mean the same in a field of this type; values that the type can't read compare as JSON.

    Without a type, JSON types compare: 25 is 25.0, "1" is not 1, true is not 1. Two aware times are the same if they
    are the same instant; an aware and a naive time never are.
    """
    if expected is None or actual is None:
        return expected is actual
    if type(expected) is str and type(actual) is str and (expected == actual or kind.name in _AS_WRITTEN):
        return expected == actual
    try:
        return equal(read(expected, kind), read(actual, kind))
    except ValueError:
        return equal(read(expected, ANY), read(actual, ANY))


def equal(one: Any, other: Any) -> bool:
    """Equality of two values that `read` gave; unlike Python's, true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(member, other[key]) for key, member in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def show(value: Any, limit: int = 80) -> str:
    """A value on one line for a person, at most `limit` characters, with nothing in it that a terminal would obey."""
    if value is ABSENT:
        return "nothing"
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    if not text.isprintable():
        text = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def digest(value: Json) -> str:
    """SHA-256 (hex) of a JSON value's canonical text: sorted keys, no spaces, ASCII."""
    return hashlib.sha256(_canonical(value).encode()).hexdigest()


def digest_of_rows(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """SHA-256 (hex) of all rows by table and key, whatever their order."""
    total = hashlib.sha256()
    for name in sorted(tables):
        for key in sorted(tables[name]):
            total.update(digest([name, key, to_json(tables[name][key])]).encode())
    return total.hexdigest()


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=to_json, allow_nan=False)


def _no(value: Any, kind: FieldType) -> ValueError:
    return ValueError(f"{show(value)} is no {kind.name}")


def _text(value: Any, kind: FieldType) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal | date):
        raise _no(value, kind)
    text = value.isoformat() if isinstance(value, date) else str(value)
    if kind.choices and text not in kind.choices:
        raise ValueError(f"{show(text)} is none of {', '.join(kind.choices)}")
    return text


def _number(value: Any, kind: FieldType) -> int | Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise _no(value, kind)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        number = Decimal(repr(value))
    elif isinstance(value, Decimal):
        number = value
    elif _NUMBER.fullmatch(value):
        number = Decimal(value)
    else:
        raise _no(value, kind)
    if not number.is_finite():
        raise _no(value, kind)
    return number


def _integer(value: Any, kind: FieldType) -> int:
    number = _number(value, kind)
    if isinstance(number, Decimal) and (number.adjusted() > _MOST_DIGITS or number != int(number)):
        raise _no(value, kind)
    return int(number)


def _boolean(value: Any, kind: FieldType) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise _no(value, kind)


def _datetime(value: Any, kind: FieldType) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise _no(value, kind)


def _date(value: Any, kind: FieldType) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    moment = _datetime(value, kind)
    if moment.time() != time():
        raise _no(value, kind)
    return moment.date()


def _list(value: Any, kind: FieldType) -> list[Any]:
    if not isinstance(value, list | tuple | set | frozenset):
        raise _no(value, kind)
    of = kind.of or ANY
    return [read(member, of) for member in (to_json(value) if isinstance(value, set | frozenset) else value)]


def _members(value: Any, kind: FieldType) -> dict[str, Any]:
    if isinstance(value, BaseModel):
        value = value.__dict__
    if not isinstance(value, Mapping):
        raise _no(value, kind)
    of = kind.of or ANY
    return {str(key): read(member, kind.fields.get(key, of)) for key, member in value.items()}


def _any(value: Any, kind: FieldType) -> Any:
    if isinstance(value, str | bool | int | date):
        return value
    if isinstance(value, float | Decimal):
        return _number(value, kind) if math.isfinite(value) else value
    if isinstance(value, Mapping | BaseModel):
        return _members(value, kind)
    if isinstance(value, list | tuple | set | frozenset):
        return _list(value, kind)
    return to_json(value)


_READERS: Mapping[str, Callable[[Any, FieldType], Any]] = {
    "text": _text,
    "integer": _integer,
    "number": _number,
    "decimal": _number,
    "boolean": _boolean,
    "date": _date,
    "datetime": _datetime,
    "list": _list,
    "record": _members,
    "map": _members,
    "any": _any,
}
