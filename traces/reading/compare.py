"""When values of two tellings of the same thing are the same."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from traces.dialects.memory import LONG
from traces.dialects.values import as_text, parse

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
    return one == other or (bool(one and other) and last_part(one) == last_part(other))


def last_part(name: str) -> str:
    """A tool's name without what a framework put before it."""
    return (_last_part if len(name) <= LONG else _last_part.__wrapped__)(name)


@lru_cache(maxsize=1024)
def _last_part(name: str) -> str:
    return _PREFIX.split(name)[-1]


def same_arguments(asked: Any, seen: Any) -> bool:
    """Whether a tool's span shows the arguments that were asked for; some show the bare value of the only argument."""
    if asked is None or seen is None:
        return False
    if canonical(asked) == canonical(seen):
        return True
    if isinstance(asked, dict) and isinstance(seen, dict):
        return (
            bool(asked) and asked.items() <= seen.items() if _flat(asked) and _flat(seen) else False
        )  # defaults added
    return isinstance(asked, dict) and len(asked) == 1 and canonical(next(iter(asked.values()))) == canonical(seen)


def same_result(told: Any, result: Any) -> bool:
    """Whether the text that a model was told is this result of a tool."""
    return as_text(told) == as_text(result) or canonical(parse(told).value) == canonical(parse(result).value)


def _flat(value: dict[str, Any]) -> bool:
    return all(not isinstance(item, dict | list) for item in value.values())


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
