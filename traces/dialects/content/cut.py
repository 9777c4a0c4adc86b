"""JSON that a limit cut off: its head, with the open ends marked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import decoder
from typing import Any


class CutText(str):
    """Text of which only the beginning is there."""

    __slots__ = ()


class CutList(list[Any]):
    """A list of which only the beginning is there."""

    __slots__ = ()


class CutRecord(dict[str, Any]):
    """An object of which only the beginning is there."""

    __slots__ = ()


def is_cut(value: Any) -> bool:
    """Whether only the beginning of this very value is there; of a list, whether it or its last element is cut."""
    if type(value) in _CUT:
        return True
    return isinstance(value, list) and bool(value) and is_cut(value[-1])


_CUT = frozenset({CutText, CutList, CutRecord})


_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity)(?=[\s,\]}])")
_STUMP = re.compile(r"[\w+\-.]*\s*(?:\.\.\.|…|[\W_]*truncated[\W_]*)?\s*\Z", re.IGNORECASE)
_BROKEN_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_HALF_PAIR = re.compile(r"[\ud800-\udbff]\Z")
_LONGEST_STUMP = 200
"""Characters of a token that broke off, with the mark behind it: what is longer is text, and no token."""

_decode = json.JSONDecoder(parse_constant=str).decode
_scan: Callable[[str, int, bool], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]


def head(text: str) -> Any:
    """The beginning of JSON text that breaks off; None if the text is whole, is broken elsewhere, or is no JSON.

    A string that breaks off is kept as `CutText`; of a number, a word or a key that breaks off nothing is kept, for its
    end may be missing. The containers that never ended are `CutList` and `CutRecord`.
    """
    if text[:1] not in ("{", "["):
        return None
    return _Head(text).read()


class _Head:
    """A walk over the text with a stack of open containers, so that no depth of nesting hurts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[tuple[CutList | CutRecord, str | None]] = []
        self._key: str | None = None

    def read(self) -> Any:
        first = self._container()
        self._open.append((first, None))
        while self._open:
            inside = self._open[-1][0]
            sign = self._peek()
            if not sign:
                return first
            if sign == ("}" if isinstance(inside, CutRecord) else "]") and self._key is None:
                self._at += 1
                self._close()
                continue
            if not self._separated(inside, sign):
                return first if self._stump() else None
            if isinstance(inside, CutRecord) and not self._name():
                return first if self._stump() else None
            if not self._value(inside):
                return first if self._stump() else None
        return None  # whole after all, or with something behind it

    def _container(self) -> CutList | CutRecord:
        self._at += 1
        return CutRecord() if self._text[self._at - 1] == "{" else CutList()

    def _close(self) -> None:
        """A container that ended is replaced, where it stands, by a plain one."""
        done, key = self._open.pop()
        if not self._open:
            return
        whole = dict(done) if isinstance(done, CutRecord) else list(done)
        outer = self._open[-1][0]
        if isinstance(outer, CutRecord):
            outer[key or ""] = whole
        else:
            outer[-1] = whole

    def _peek(self) -> str:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._text[self._at : self._at + 1]

    def _separated(self, inside: CutList | CutRecord, sign: str) -> bool:
        if not inside:
            return True
        if sign == ",":
            self._at += 1
        return sign == ","

    def _name(self) -> bool:
        if self._peek() != '"':
            return False
        start = self._at
        try:
            name, after = _scan(self._text, self._at + 1, False)
        except ValueError:
            self._at = len(self._text)
            return False
        self._at = after
        if self._peek() != ":":
            self._at = start if self._at < len(self._text) else self._at
            return False
        self._at += 1
        self._key = name
        return True

    def _value(self, inside: CutList | CutRecord) -> bool:
        sign, key = self._peek(), self._key
        if not sign:
            return False
        self._key = None
        if sign in "{[":
            value: Any = self._container()
            self._open.append((value, key))
        elif sign == '"':
            value = self._string()
        else:
            scalar = _SCALAR.match(self._text, self._at)
            if scalar is None:
                return False
            try:
                value, self._at = _decode(scalar.group()), scalar.end()
            except ValueError:  # more digits than Python reads
                return False
        if isinstance(inside, CutRecord):
            inside[key or ""] = value
        else:
            inside.append(value)
        return True

    def _string(self) -> str:
        try:
            value, self._at = _scan(self._text, self._at + 1, False)
        except ValueError:
            rest = _BROKEN_ESCAPE.sub("", self._text[self._at + 1 :])
            try:
                value, _ = _scan(rest + '"', 0, False)
            except ValueError:
                value = rest
            self._at = len(self._text)
            return CutText(_HALF_PAIR.sub("", value))
        return value

    def _stump(self) -> bool:
        """Whether nothing but a token that broke off, or a mark that something was cut, is left."""
        return len(self._text) - self._at <= _LONGEST_STUMP and _STUMP.match(self._text, self._at) is not None
