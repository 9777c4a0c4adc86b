"""JSON values from a stream of lines: one a line, or spread over many, or the members of a list line by line."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from json import JSONDecodeError
from typing import Any, BinaryIO

from traces.json_text import flaw, loads
from traces.otlp.flaw import Flaw
from traces.otlp.forms import known

LONGEST = 256 * 2**20
"""Bytes of one value, at most: all of it is held in memory at once."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_CUT = Flaw("cut short: the JSON that begins here does not end")


def values(stream: BinaryIO, longest: int = LONGEST, read: Callable[[bytes], Any] = loads) -> Iterator[tuple[int, Any]]:
    """What `read` makes of the text of each JSON value, with the number of the line that it begins on, from 1; a Flaw
    in place of a broken one.

    A line that is no JSON spoils nothing but itself: a value that was never finished ends where a line is telemetry by
    itself, or begins as it began.
    """
    too_long = Flaw(f"longer than {longest / 2**20:.0f} MiB: write one export request a line")
    open_: _Open | None = None
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        if len(line) > longest:
            yield number, too_long
            while not line.endswith(b"\n") and (line := stream.readline(longest)):
                pass
            continue
        text = line.strip().removeprefix(b"\xef\xbb\xbf").removesuffix(b",")
        if open_ is not None:
            if open_.broken_by(line, text):
                yield open_.line, _CUT
                open_ = None
            else:
                open_.add(line)
                if open_.size > longest:
                    yield open_.line, too_long
                    return
                if open_.depth <= 0:
                    yield open_.line, _value(b"".join(open_.lines).strip().removesuffix(b","), read)
                    open_ = None
                continue
        if text in (b"", b"[", b"]"):  # a list with a member on each line
            continue
        found = _value(text, read)
        if isinstance(found, Flaw) and text.startswith((b"{", b"[")) and _depth(text) > 0:
            open_ = _Open(number, text)
        else:
            yield number, found
    if open_ is not None:
        yield open_.line, _CUT


class _Open:
    """A value that did not end on the line it began on. `depth`: how many of its brackets are open."""

    def __init__(self, line: int, text: bytes) -> None:
        self.line, self.lines, self.size, self.depth = line, [text], len(text), _depth(text)

    def add(self, line: bytes) -> None:
        self.lines.append(line)
        self.size += len(line)
        self.depth += _depth(line)

    def broken_by(self, line: bytes, text: bytes) -> bool:
        """Whether this line begins a value of its own, so that the open one will never end."""
        if not line.startswith(b"{"):
            return False
        if text == b"{":
            return self.lines[0] == b"{"
        return _depth(text) == 0 and known(_value(text, loads))


def _depth(text: bytes) -> int:
    """Brackets opened less brackets closed, outside of strings; far below 0 if a string does not end in this line."""
    bare = _STRING.sub(b"", text)
    if b'"' in bare:
        return -(2**31)
    return bare.count(b"{") + bare.count(b"[") - bare.count(b"}") - bare.count(b"]")


def _value(text: bytes, read: Callable[[bytes], Any]) -> Any:
    """What is made of a value. A request is of some ten thousand objects, none of which refers to itself, and none
    outlives it: the garbage collector, which would look through them again and again, is held off meanwhile.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return read(text)
    except JSONDecodeError as error:
        if "Unterminated" in error.msg or (text.startswith((b"{", b"[")) and error.pos >= len(error.doc.rstrip())):
            return _CUT
        return Flaw(flaw(text, error))
    except (UnicodeDecodeError, RecursionError) as error:
        return Flaw(flaw(text, error))
    finally:
        if collects:
            gc.enable()
