"""JSON from and to bytes: fast where it can be, exact where it must be."""

from __future__ import annotations

import json
from typing import Any

import orjson


def loads(text: bytes) -> Any:
    """The value of a JSON text in UTF-8. ValueError or RecursionError if it is none.

    What the fast reader refuses and others write (lone surrogates, NaN, a byte order mark) is read by the standard one.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text.decode("utf-8-sig"))


def dumps(value: Any) -> bytes:
    """The JSON text of a value on one line, in UTF-8; lone surrogates are escaped."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
