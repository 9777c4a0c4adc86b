"""JSON from and to text: fast where it can be, exact where it must be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import orjson

_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]+")


def loads(text: bytes) -> Any:
    """The value of a JSON text in UTF-8. ValueError or RecursionError if it is none.

    What the fast reader refuses and others write (lone surrogates, NaN, a byte order mark) is read by the standard one.
    A number of more digits than Python makes one of stays text.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text.decode("utf-8-sig"), parse_int=_integer)


def flaw(text: bytes, error: ValueError | RecursionError) -> str:
    """What is wrong with a text of which `loads` raised this: what it is not, and where that shows."""
    if isinstance(error, json.JSONDecodeError):
        line = f" of line {error.lineno}" if error.lineno > 1 else ""
        return f"no JSON: {error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}{line}"
    if isinstance(error, UnicodeDecodeError):
        return f"not in UTF-8: byte 0x{text[error.start]:02x} at place {error.start + 1}"
    return "nested too deeply"


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits


def dumps(value: Any) -> bytes:
    """The shortest JSON text of a JSON value, in UTF-8. Numbers of any size and lone surrogates are written too."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:  # beyond 64 bits, or what UTF-8 has no bytes for
        return json.dumps(value, separators=(",", ":")).encode()


def json_text(value: Any) -> str:
    """The same as characters: what attributes and records are written as."""
    return dumps(value).decode()


def pretty(value: Any, default: Callable[[Any], Any] = str) -> str:
    """JSON over many lines, in ASCII only: whatever it says steers no terminal. `default` gives what stands for a value
    that is none of JSON; that of a dataclass too.
    """
    try:
        return in_ascii(orjson.dumps(value, default, orjson.OPT_INDENT_2 | orjson.OPT_PASSTHROUGH_DATACLASS))
    except orjson.JSONEncodeError:  # as in `dumps`, or nested deeply
        return json.dumps(value, indent=2, default=default)


def in_ascii(text: bytes) -> str:
    """A JSON text in UTF-8 as one of the same value in ASCII only."""
    return _BEYOND_ASCII.sub(lambda found: _escaped(found[0]), text.decode())


def _escaped(text: str) -> str:
    units = text.encode("utf-16-be")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])
