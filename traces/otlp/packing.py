"""How a file is packed, told by its first bytes."""

from __future__ import annotations

import gzip
import io
from typing import Any

HEAD = 512
"""Bytes of a file that it is told by."""

_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"\x28\xb5\x2f\xfd": "compressed with zstd: unpack it first (zstd -d)",
    b"PK\x03\x04": "a zip archive: unpack it first",
    b"BZh": "compressed with bzip2: unpack it first (bunzip2)",
    b"\xfd7zXZ\x00": "compressed with xz: unpack it first (unxz)",
    **dict.fromkeys((b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"[\0", b"\0["), "in UTF-16: save it as UTF-8"),
}
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b")
"""Bytes that no text has, but a binary file has near its beginning."""


def foreign(head: bytes) -> str | None:
    """What is to be done about a file that begins so before it can be read; None if nothing is."""
    return next((what for magic, what in _FOREIGN.items() if head.startswith(magic)), None)


def is_text(head: bytes) -> bool:
    """Whether a file that begins so may be text."""
    return _CONTROLS.isdisjoint(head)


def unpacked(stream: io.BufferedReader[Any]) -> io.BufferedReader[Any]:
    """The stream out of as many layers of gzip as it is in."""
    while stream.peek(len(_GZIP)).startswith(_GZIP):
        stream = io.BufferedReader(_Unpacked(stream), 2**16)
    return stream


class _Unpacked(io.RawIOBase):
    """What a stream of gzip holds, as far as it can be unpacked: what is broken raises once all before it is read."""

    def __init__(self, packed: io.BufferedReader[Any]) -> None:
        self._file = gzip.GzipFile(fileobj=packed, mode="rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        some = self._file.read1(len(buffer))
        buffer[: len(some)] = some
        return len(some)
