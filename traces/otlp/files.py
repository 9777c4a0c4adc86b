"""Files of telemetry, whatever form they are in: told by what is in them, never by their names."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from traces.log_record import LogRecord
from traces.otlp import forms, json_lines
from traces.otlp.flaw import Flaw
from traces.otlp.packing import HEAD, foreign, is_text, unpacked
from traces.span import Span

_EMPTY = Flaw("empty")

_AT_ONCE = 2**18
"""Bytes that are read of a file at once. An export request is of such a size; Python's own buffer is far smaller."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """What could not be read of a file. `line`: counted from 1 (of binary files the message); None of all the file."""

    file: str
    line: int | None
    what: str

    @property
    def is_empty(self) -> bool:
        """Whether that is because the file holds nothing, which is not broken."""
        return self.what == _EMPTY.what

    def __str__(self) -> str:
        return f"{self.file}: {self.what}" if self.line is None else f"{self.file}:{self.line}: {self.what}"


def read(*paths: str | Path) -> Iterator[Span | LogRecord | BadLine]:
    """The spans and log records of files in their order, as they come, and what could not be read of them.

    `-` is the standard input. No order of any kind is to be expected of them, and the same span may come twice.
    """
    for path in paths:
        yield from read_file(path)


def read_file(path: str | Path) -> Iterator[Span | LogRecord | BadLine]:
    """The spans and log records of one file, in memory one request at a time.

    JSON (a value a line, one document, or a list; OTLP and the other forms of `traces.otlp.forms`) and OTLP in
    protobuf (one request, or many each preceded by its length), compressed with gzip or not.
    """
    name = str(path)
    if name == "-" and sys.stdin is None:
        yield BadLine("standard input", None, "it is closed: pass something on to it")
    elif name == "-":
        stdin = io.BufferedReader(cast("io.BufferedReader[Any]", sys.stdin.buffer))
        try:
            yield from _of(stdin, "standard input")
        finally:
            stdin.detach()  # it stays open
    elif os.path.isdir(path):
        yield BadLine(name, None, "a folder: name the files in it")
    else:
        try:
            with open(path, "rb", buffering=0) as file:
                yield from _of(io.BufferedReader(file, _AT_ONCE), name)
        except FileNotFoundError:
            yield BadLine(name, None, "there is no such file")
        except OSError as error:
            yield BadLine(name, None, _told(error))


def _of(stream: io.BufferedReader[Any], name: str) -> Iterator[Span | LogRecord | BadLine]:
    line = 0
    try:
        for line, some in _found(unpacked(stream)):
            for found in some:
                yield BadLine(name, line or None, found.what) if isinstance(found, Flaw) else found
    except EOFError:
        yield BadLine(name, line + 1, "cut short: the gzip data breaks off here")
    except (zlib.error, gzip.BadGzipFile):
        yield BadLine(name, line + 1, "the gzip data is broken here, and what follows can't be read")
    except OSError as error:
        yield BadLine(name, line + 1, _told(error))


def _found(stream: io.BufferedReader[Any]) -> Iterator[tuple[int, Iterable[Span | LogRecord | Flaw]]]:
    """What is on each line of a stream, or in each of its messages; on 0 what is wrong with all of it."""
    head = stream.peek(HEAD)[:HEAD]
    packed = foreign(head)
    if packed is not None:
        yield 0, (Flaw(packed),)
    elif not head:
        yield 0, (_EMPTY,)
    elif is_text(head):
        yield from _of_text(stream)
    else:
        yield from _of_protobuf(stream, head)


def _of_text(stream: io.BufferedReader[Any]) -> Iterator[tuple[int, Iterable[Span | LogRecord | Flaw]]]:
    for line, found in json_lines.values(stream, read=forms.told):
        yield line, ((found,) if isinstance(found, Flaw) else found)


def _of_protobuf(
    stream: io.BufferedReader[Any], head: bytes
) -> Iterator[tuple[int, Iterable[Span | LogRecord | Flaw]]]:
    from traces.otlp import framing

    number = 0
    try:
        for number, body in enumerate(framing.requests(stream, head), 1):
            yield number, _of_message(body)
    except ValueError as error:
        yield number + 1 if number else 0, (Flaw(str(error)),)


def _of_message(body: bytes) -> Iterator[Span | LogRecord | Flaw]:
    from traces.otlp import protobuf

    try:
        yield from protobuf.records(body)
    except ValueError as error:
        yield Flaw(str(error))


def _told(error: OSError) -> str:
    return f"it can't be read: {error.strerror or error}"
