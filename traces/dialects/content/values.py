"""Attribute values: structured, JSON, JSON in JSON, Python literals, LangChain constructors, cut JSON, plain text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from traces.dialects.content.cut import head
from traces.dialects.content.python_text import literal

How = Literal["structured", "json", "python", "constructor", "cut", "text"]
"""The step that made sense of a value: see `parse`."""

NESTED = 3
"""So many layers of JSON text within JSON text are read, and not one more."""

DEEPEST = 100
"""Levels of lists and objects within each other; text that holds more stays text, for nobody means that."""

HIDDEN = frozenset({"[REDACTED]", "__REDACTED__", "<REDACTED>"})
"""What instrumentations and collectors put in place of what they were told to hide. It is not captured."""

_LONGEST_MARK = max(map(len, HIDDEN))  # what is longer need not be hashed

_SCRUBBED = "[Scrubbed due to "
"""How Logfire begins what it puts there, before the word that it took offence at."""

_reader = json.JSONDecoder(parse_constant=str, strict=False)
_scan: Callable[[str, int], tuple[Any, int]] = _reader.scan_once  # type: ignore[attr-defined]

_OPENERS = frozenset("{[\"'(-0123456789tfnNITF")
"""What JSON and Python's literals begin with; any other text needs no reader to be known as such."""


@dataclass(slots=True)
class Parsed:
    """`value`: a JSON value. `how`: the step that succeeded. `raw`: the text that it was read from, None if no text."""

    value: Any
    how: How
    raw: str | None = None


def parse(value: Any) -> Parsed:
    """What a value says, by the first step that fits.

    It is taken as it is, as JSON, as a Python literal, as a LangChain constructor, as JSON that was cut, or as text.
    What was hidden is None.

    Only a whole value is unwrapped: text that stands within a structure stays text. Of JSON that was cut, the head is
    read and its open ends are marked (see `traces.dialects.content.cut`); what is lost is never guessed. Never raises.
    """
    if not isinstance(value, str):
        made = constructed(value)
        return Parsed(value, "structured") if made is None else Parsed(made, "constructor")
    text = value.strip()
    if text[:1] != "{" and is_hidden(text):
        return Parsed(None, "structured")
    found, how = _read(text)
    if how == "text":
        return Parsed(value, "text", value)
    made = constructed(found)
    return Parsed(found, how, value) if made is None else Parsed(made, "constructor", value)


def read(value: Any) -> Any:
    """The value that `parse` finds."""
    return value if value is None or type(value) is list else parse(value).value


def record(value: Any) -> dict[str, Any]:
    """The value that `parse` finds if it is an object, else an empty one."""
    found = read(value)
    return found if isinstance(found, dict) else {}


def constructed(value: Any) -> dict[str, Any] | None:
    """What a LangChain constructor was given, with the name of its class as `class`; None if the value is none."""
    if not isinstance(value, dict) or value.get("lc") != 1 or not is_record(value.get("kwargs")):
        return None
    path = value.get("id")
    return {"class": path[-1], **value["kwargs"]} if isinstance(path, list) and path else dict(value["kwargs"])


def is_record(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether it is an object of JSON."""
    return isinstance(value, dict)


def is_hidden(value: Any) -> bool:
    """Whether it stands in place of a value that was hidden."""
    if not isinstance(value, str):
        return False
    return (value in HIDDEN) if len(value) <= _LONGEST_MARK else value.startswith(_SCRUBBED)


def as_text(value: Any) -> str:
    """A JSON value as a model is told it: text as it is, None as nothing, the rest as JSON."""
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply)"


def decoded(text: str) -> Any:
    """The value of a JSON text with nothing around it. ValueError or RecursionError if it is none."""
    try:
        found, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError("something stands behind the JSON")
    return found


def _read(text: str) -> tuple[Any, How]:
    if text[:1] not in _OPENERS:
        return text, "text"
    try:
        found = decoded(text)
    except (ValueError, RecursionError):
        return _not_json(text)
    if len(text) > 2 * DEEPEST and _is_too_deep(found, text):
        return text, "text"
    layers = 1
    while type(found) is str and layers < NESTED and found[:1] in ("{", "[", '"'):
        try:
            found = decoded(found.strip(" \t\r\n"))
        except (ValueError, RecursionError):
            break
        layers += 1
    return found, "json"


def _not_json(text: str) -> tuple[Any, How]:
    if (literal := _literal(text)) is not None and not _is_too_deep(literal[0], text):
        return literal[0], "python"
    if (cut := head(text)) is not None and not _is_too_deep(cut, text):
        return cut, "cut"
    return text, "text"


def _is_too_deep(value: Any, text: str) -> bool:
    """Whether a value read from this text is too deep; most texts have too few brackets for it to be worth a look."""
    if len(text) <= 2 * DEEPEST or text.count("[") + text.count("{") + text.count("(") <= DEEPEST:
        return False
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        inner = [item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer)]
        level = [item for item in inner if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _literal(text: str) -> tuple[Any] | None:
    if text in ("None", "True", "False"):
        return ({"None": None, "True": True, "False": False}[text],)
    if text[:1] not in ("{", "[", "(", "'") or text[-1:] not in ("}", "]", ")", "'"):
        return None
    try:
        return (_plain(literal(text)),)
    except (ValueError, RecursionError):
        return None


def _plain(value: Any) -> Any:
    """A Python literal as JSON. ValueError if it can't be one."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(item) for key, item in value.items()}
    raise ValueError(f"a {type(value).__name__} is no JSON")
