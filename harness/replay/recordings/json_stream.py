"""JSON values out of a stream of any length, one at a time, each with the line and column that it begins at.

A list is taken apart into its members, lines into the values on them, and of an object those lists that are to be
`spread`. What is broken is told with its place, and spoils nothing but itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import Any, BinaryIO

from tools_sandbox.sent import is_deep
from traces.json_text import loads

LONGEST = 512 * 2**20
"""Bytes of one value, at most: all of it is held in memory at once."""

_MOST_NESTED = 120
"""Objects and lists within each other: arguments may be nested as deep as a sandbox takes them."""
_DEEP = "nested too deeply"
_CHUNK = _PEEKED = 2**20
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_BRACKET = re.compile(rb"(?:[^\"{}\[\]]++|" + _STRING + rb")*+([{}\[\]])", re.DOTALL)
_KEY = re.compile(_STRING, re.DOTALL)
_SCALAR = re.compile(rb"[^\s,:\[\]{}\"]+")
_SPACE = re.compile(rb"\s*")
_LARGE = re.compile(rb"-\d{19}|\d{20}")
"""What a number beyond 64 bits has in it."""
_CONTINUED = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that begin no character."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value. `line`, `column`: where it begins, counted from 1, in characters. `around`: of a member of a list
    that was spread, the fields before it in its object.
    """

    line: int
    column: int
    data: Any
    around: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """`line:column`."""
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Broken:
    """What could not be read, from which line and column on, and why."""

    line: int
    column: int
    what: str


def values(stream: BinaryIO, spread: Collection[str] = ()) -> Iterator[Value | Broken]:
    """The values of a stream in UTF-8, with or without a byte order mark."""
    text = _Text(stream)
    if text.starts_with(_BOM):
        text.skip(len(_BOM), counted=False)
    yield from _lines(text) if _is_lines(text) else _document(text, spread)


class _Text:
    """The stream, as far as it has been read and not yet used up."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.held = bytearray()
        self.at = 0
        self.line = self.column = 1

    def starts_with(self, mark: bytes) -> bool:
        while len(self.held) - self.at < len(mark) and self.more():
            pass
        return self.held.startswith(mark, self.at)

    def more(self) -> bool:
        """Read on. What is used up is let go of; False at the end."""
        chunk = self._stream.read(_CHUNK)
        if chunk and self.at:
            del self.held[: self.at]
            self.at = 0
        self.held += chunk
        return bool(chunk)

    def skip(self, size: int, *, counted: bool = True) -> bytes:
        """Use up so many bytes, and give them."""
        gone = bytes(memoryview(self.held)[self.at : self.at + size])
        self.at += size
        if counted:
            lines = gone.count(b"\n")
            self.line += lines
            last = gone[gone.rfind(b"\n") + 1 :]
            self.column = (1 if lines else self.column) + len(last.translate(None, _CONTINUED))
        return gone

    def next(self) -> bytes:
        """The next character that is no space, not used up; empty at the end."""
        while True:
            found = _SPACE.match(self.held, self.at)
            self.skip(found.end() - self.at if found is not None else 0)
            if self.at < len(self.held):
                return bytes(self.held[self.at : self.at + 1])
            if not self.more():
                return b""

    def size(self) -> int | None:
        """Bytes of the value that begins here; None if it does not end."""
        first = bytes(self.held[self.at : self.at + 1])
        if first in (b"{", b"["):
            return self._nested()
        pattern = _KEY if first == b'"' else _SCALAR
        while True:
            found = pattern.match(self.held, self.at)
            if found is not None and (found.end() < len(self.held) or first == b'"'):
                return found.end() - self.at
            if found is None and first != b'"':
                return 1
            held = len(self.held) - self.at
            if held > LONGEST or not self.more():
                return held if first != b'"' else None

    def _nested(self) -> int | None:
        depth = done = 0
        while True:
            start = self.at + done
            for found in _BRACKET.finditer(self.held, start):
                if found.start() != start:
                    break  # a string between does not end in what is held
                depth += 1 if found[1] in b"{[" else -1
                start = found.end()
                if depth == 0:
                    return start - self.at
            done = start - self.at
            if len(self.held) - self.at > LONGEST or not self.more():
                return None


def _is_lines(text: _Text) -> bool:
    """Whether there is a value on each line: the first is whole and not alone, or it is a broken object, and the second
    is a whole one.
    """
    while text.held.count(b"\n") < 2 and len(text.held) < _PEEKED and text.more():
        pass
    lines = [line.strip() for line in bytes(text.held[text.at :]).split(b"\n", 2)]
    filled = [line for line in lines[:2] if line]
    if len(filled) < 2 or filled[0][:1] not in (b"{", b"["):
        return False
    if _is_whole(filled[0]):
        return True
    return filled[0].startswith(b"{") and filled[0] != b"{" and filled[1].startswith(b"{") and _is_whole(filled[1])


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _lines(text: _Text) -> Iterator[Value | Broken]:
    while text.next():
        line, column = text.line, text.column
        end = -1
        while (end := text.held.find(b"\n", text.at)) < 0 and len(text.held) - text.at <= LONGEST and text.more():
            pass
        yield _read(text.skip((end if end >= 0 else len(text.held)) - text.at), line, column, {})


def _document(text: _Text, spread: Collection[str]) -> Iterator[Value | Broken]:
    while first := text.next():
        if first == b"[":
            yield from _members(text, {})
        elif first == b"{":
            yield from _object(text, spread)
        else:
            yield _one(text, {})


def _members(text: _Text, around: dict[str, Any]) -> Generator[Value | Broken, None, bool]:
    """The members of a list; whether it has an end is given back."""
    begun = text.line, text.column
    text.skip(1)
    while first := text.next():
        if first == b"]":
            text.skip(1)
            return True
        if first in (b",", b"}"):  # a brace that closes nothing belongs to a member that was told as broken
            text.skip(1)
            continue
        found = _one(text, around)
        yield found
        if isinstance(found, Broken) and not text.next():
            return False
    yield Broken(*begun, "cut short: the list that begins here does not end")
    return False


def _object(text: _Text, spread: Collection[str]) -> Iterator[Value | Broken]:
    """An object; or, where it holds a list that is to be spread, the members of that."""
    line, column = text.line, text.column
    text.skip(1)
    fields: dict[str, Any] = {}
    scattered = False
    while first := text.next():
        if first == b"}":
            text.skip(1)
            if not scattered:
                yield Value(line, column, fields)
            return
        if first == b",":
            text.skip(1)
            continue
        name = _one(text, {}) if first == b'"' else None
        if not isinstance(name, Value) or text.next() != b":":
            yield Broken(text.line, text.column, 'no JSON: a field is missing here, `"name": value`')
            return
        text.skip(1)
        if text.next() == b"[" and name.data in spread:
            scattered = True
            if not (yield from _members(text, dict(fields))):
                return
            continue
        held = _one(text, {})
        if isinstance(held, Broken):
            yield held
            if not text.next():
                return
        else:
            fields[name.data] = held.data
    yield Broken(line, column, "cut short: the object that begins here does not end")


def _one(text: _Text, around: dict[str, Any]) -> Value | Broken:
    line, column = text.line, text.column
    size = text.size()
    if size is None:
        text.skip(len(text.held) - text.at)
        while text.more():
            text.skip(len(text.held) - text.at)
        return Broken(line, column, "cut short: the value that begins here does not end")
    return _read(text.skip(size), line, column, around)


def _loads(raw: bytes) -> Any:
    """The value; whole numbers of any size stay what they are, which the fast reader makes floats of."""
    return json.loads(raw) if _LARGE.search(raw) else loads(raw)


def _read(raw: bytes, line: int, column: int, around: dict[str, Any]) -> Value | Broken:
    try:
        data = _loads(raw)
        return Broken(line, column, _DEEP) if is_deep(data, _MOST_NESTED) else Value(line, column, data, around)
    except JSONDecodeError as error:
        lines = error.lineno - 1
        place = line + lines, error.colno if lines else column + error.colno - 1
        return Broken(*place, f"no JSON: {error.msg[:1].lower()}{error.msg[1:].removesuffix(' starting at')}")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        last = before[before.rfind(b"\n") + 1 :].translate(None, _CONTINUED)
        lines = before.count(b"\n")
        place = line + lines, (1 if lines else column) + len(last)
        return Broken(*place, f"not in UTF-8: byte 0x{raw[error.start]:02x}")
    except (ValueError, RecursionError) as error:
        return Broken(line, column, _DEEP if isinstance(error, RecursionError) else f"no JSON: {error}")
