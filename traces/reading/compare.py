"""When values of two tellings of the same thing are the same."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from traces.dialects.content.memory import LONG
from traces.dialects.content.values import as_text, parse

_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode
_PREFIX = re.compile(r"[-.:/]|__")


def canonical(value: Any) -> str:
    """JSON text that is the same for equal values: keys sorted, whole numbers without their `.0`."""
    try:
        return _encode(_plain(value))
    except RecursionError:
        return "(nested too deeply)"


def same_name(one: str, other: str) -> bool:
    """Whether two names are of one tool: a framework may put a prefix before it, as in `Tools-get_order`."""
    return one == other or tool_name(one) == tool_name(other)


def tool_name(name: str) -> tuple[bool, str]:
    """What all names of one tool have in common."""
    return bool(name), last_part(name)


def last_part(name: str) -> str:
    """A tool's name without what a framework put before it."""
    return (_last_part if len(name) <= LONG else _last_part.__wrapped__)(name)


@lru_cache(maxsize=1024)
def _last_part(name: str) -> str:
    return _PREFIX.split(name)[-1]


def told_as(result: Any) -> tuple[tuple[str, str], tuple[str, str]]:
    """What a result is known by, as a tool gave it or as a model was told it: its text, and its JSON."""
    return ("text", as_text(result)), ("json", canonical(parse(result).value))


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
