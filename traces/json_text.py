"""JSON text, fast: what attributes and records are written as."""

from __future__ import annotations

import json
from typing import Any

import orjson


def json_text(value: Any) -> str:
    """The shortest JSON text of a JSON value. Whole numbers of any size and lone surrogates are written too."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # beyond 64 bits, or what UTF-8 has no bytes for
        return json.dumps(value, separators=(",", ":"))
