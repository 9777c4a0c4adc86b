"""Ids, times and enums of OTLP as they are met in the wild, not only as the specification has them."""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import UTC, datetime
from typing import Any

KINDS = ("unspecified", "internal", "server", "client", "producer", "consumer")
"""Span kinds in the order of their numbers in OTLP."""

STATUSES = ("unset", "ok", "error")
"""Status codes in the order of their numbers in OTLP."""

_HEX = re.compile("[0-9a-f]+").fullmatch
_NO_TRACE, _NO_SPAN = bytes(16), bytes(8)
_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s*(Z|[+-]\d\d:?\d\d)?", re.I
).fullmatch
_LEVELS = ("trace", "debug", "info", "warn", "error", "fatal")


def trace_id(value: Any) -> str | None:
    """The trace id as 32 lower-case hex digits; None where there is none. ValueError if it can't be read."""
    try:
        found = bytes.fromhex(value)
    except (TypeError, ValueError):
        return _identity(value, 16)
    return found.hex() if len(found) == 16 and found != _NO_TRACE else _identity(value, 16)


def span_id(value: Any) -> str | None:
    """The span id as 16 lower-case hex digits; None where there is none. ValueError if it can't be read."""
    if value is None:
        return None
    try:
        found = bytes.fromhex(value)
    except (TypeError, ValueError):
        return _identity(value, 8)
    return found.hex() if len(found) == 8 and found != _NO_SPAN else _identity(value, 8)


def nanoseconds(value: Any) -> int:
    """A time in nanoseconds since the epoch, 0 where there is none. ValueError if it can't be read.

    A number or its text, as OTLP has it; an instant as ISO 8601 has it (UTC where it names no zone); the two halves of
    a 64-bit number, or seconds and nanoseconds, as JavaScript has them.
    """
    try:
        time = int(value)
    except (TypeError, ValueError, OverflowError):
        time = _unusual_time(value)
    if not 0 <= time < 2**64:
        raise ValueError(f"{shown(value)} is no time")
    return time


def integer(value: Any) -> int:
    """A whole number: as a number, as text, or as the two halves of 64 bits. ValueError if it is none."""
    try:
        if type(value) is dict:
            return (int(value["high"]) << 32) + (int(value["low"]) & 0xFFFFFFFF)
        if type(value) is float and not value.is_integer():
            raise ValueError
        return int(value)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError(f"{shown(value)} is no whole number") from None


def counted(value: Any, most: int = 2**32 - 1) -> int:
    """A whole number from 0 to `most`. ValueError if it is none."""
    number = integer(value)
    if not 0 <= number <= most:
        raise ValueError(f"{shown(value)} is not from 0 to {most}")
    return number


def named(value: Any, names: tuple[str, ...], prefix: str) -> str:
    """The member of an enum by its number or by its name, with or without its prefix; the first where there is none.

    ValueError if there is no such member.
    """
    if type(value) is int and 0 <= value < len(names):
        return names[value]
    if value is None or value == "":
        return names[0]
    if isinstance(value, str):
        if value.isdecimal() and int(value) < len(names):
            return names[int(value)]
        name = value.rpartition(".")[2].lower().removeprefix(prefix)
        if name in names:
            return name
    raise ValueError(f"{shown(value)} is none of {', '.join(names)}")


def severity(value: Any) -> int:
    """A severity number (1 to 24, 0 where there is none), from it or from its name. ValueError if it can't be read."""
    if value is None or value == "":
        return 0
    if isinstance(value, str) and not value.isdecimal():
        name = value.rpartition(".")[2].lower().removeprefix("severity_number_")
        level, step = name.rstrip("1234"), name[len(name.rstrip("1234")) :]
        if name == "unspecified":
            return 0
        if level not in _LEVELS:
            raise ValueError(f"{shown(value)} is no severity")
        return _LEVELS.index(level) * 4 + int(step or 1)
    return counted(value, 24)


def shown(value: Any) -> str:
    """A value within a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _identity(value: Any, size: int) -> str | None:
    if value is None or value == "":
        return None
    digits = _digits(value, size)
    if digits is None:
        what = "trace id" if size == 16 else "span id"
        raise ValueError(f"{shown(value)} is no {what}, which is {2 * size} hex digits or {size} bytes in base64")
    return digits if digits.strip("0") else None


def _digits(value: Any, size: int) -> str | None:
    """The bytes of an id as hex digits: from hex of any case, base64, a list of the bytes, or a number."""
    if isinstance(value, dict):
        value = value.get("data")  # a Buffer of Node
    if isinstance(value, list):
        try:
            found = bytes(value)
        except (TypeError, ValueError):
            return None
        return found.hex() if len(found) == size or not found else None
    if type(value) is int:
        return f"{value:0{2 * size}x}" if 0 <= value < 1 << (8 * size) else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    digits = text.lower().removeprefix("0x")
    if len(digits) == 36 and digits.count("-") == 4:
        digits = digits.replace("-", "")
    if len(digits) <= 2 * size and _HEX(digits):
        return digits.zfill(2 * size)
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        found = b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except ValueError:
        return None
    return found.hex() if len(found) == size else None


def _unusual_time(value: Any) -> int:
    if value is None or value == "":
        return 0
    if isinstance(value, str) and (instant := _INSTANT(value.strip())):
        day, clock, fraction, zone = instant.groups()
        moment = datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone in (None, 'Z', 'z') else zone}")
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        return (since.days * 86400 + since.seconds) * 10**9 + int((fraction or "").ljust(9, "0"))
    if isinstance(value, list) and len(value) == 2:
        return integer(value[0]) * 10**9 + integer(value[1])
    return integer(value)
