"""Tool calls that a model writes as text: small models do, and so do servers that don't know a model's way to call."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

_BEGINNING = re.compile(r"\{\s*\"")
_TAG = re.compile(r"<(?:function|tool_call|invoke)\s*(?:=|\bname\s*=\s*)\s*\"?([\w.-]{1,64})")
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
_MOST = 20
"""Beginnings of an object that are looked at; a text with more holds no answer to anybody."""

_DECODER = json.JSONDecoder()


def calls_in_text(text: str, tools: Collection[str]) -> list[str]:
    """The names of the calls that are written in a text: JSON objects (or tags) with the name of a tool that there is,
    or any name beside an object of arguments. In order, as often as they are there.
    """
    tagged = [name for name in _TAG.findall(text) if name in tools]
    found: list[str] = []
    end = 0
    for beginning in list(_BEGINNING.finditer(text))[:_MOST]:
        if beginning.start() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, beginning.start())
        except (ValueError, RecursionError):
            continue
        if (name := _called(value, tools)) is not None:
            found.append(name)
    return found or tagged


def _called(value: dict[str, Any], tools: Collection[str]) -> str | None:
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    named = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if named is None:
        return None
    given = any(isinstance(value.get(key), dict) for key in _ARGUMENTS)
    return named if given or named in tools else None
