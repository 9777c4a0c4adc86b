"""The messages in a binary stream: one OTLP request alone, or many that are each preceded by their length.

A request is a list of groups of spans (or log records) by resource, each in a frame of its own (field 1), so that even
one long request is read piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

LONGEST = 256 * 2**20
"""Bytes of one message, at most."""

_GROUP = 0x0A
"""Tag of field 1, length-delimited: what every request that holds something begins with."""


def requests(stream: BinaryIO, head: bytes) -> Iterator[bytes]:
    """The messages of a stream that begins with `head`, which is not to be consumed yet; ValueError if it holds none.

    Lengths are varints, as protobuf libraries write them, or four bytes, most significant first, as the file exporter
    of the OpenTelemetry Collector does.
    """
    if head[0] == _GROUP:
        yield from _groups(stream)
    elif head[0] == 0 and head[4:5] == bytes([_GROUP]):
        while prefix := stream.read(4):
            yield _exactly(stream, int.from_bytes(prefix, "big"))
    else:
        some = False
        while (size := _varint(stream)) is not None:
            first = stream.read(min(size, 1))
            if first and first[0] != _GROUP:
                raise ValueError("neither JSON nor OTLP in protobuf")
            message = _exactly(stream, size, first)
            if message:
                some = True
                yield message
        if not some:  # nothing but zeros
            raise ValueError("neither JSON nor OTLP in protobuf")


def _groups(stream: BinaryIO) -> Iterator[bytes]:
    while tag := stream.read(1):
        if tag[0] != _GROUP:
            raise ValueError(f"no OTLP request: field 1 is expected, not the byte 0x{tag[0]:02x}")
        size = _varint(stream)
        body = _exactly(stream, 0 if size is None else size)
        yield tag + _as_varint(len(body)) + body


def _exactly(stream: BinaryIO, size: int, begun: bytes = b"") -> bytes:
    """A message of this size, of which the beginning may have been read already."""
    if size > LONGEST:
        raise ValueError(f"a message of {size} bytes, more than {LONGEST // 2**20} MiB: this is no OTLP in protobuf")
    body = begun + stream.read(size - len(begun))
    if len(body) < size:
        raise ValueError(f"cut short: {len(body)} of {size} bytes of a message are there")
    return body


def _varint(stream: BinaryIO) -> int | None:
    """A number of seven bits a byte, least significant first; None at the end of the stream."""
    number = shift = 0
    while byte := stream.read(1):
        number |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return number
        if (shift := shift + 7) > 28:
            break
    if shift:
        raise ValueError("neither JSON nor OTLP in protobuf")
    return None


def _as_varint(number: int) -> bytes:
    found = bytearray()
    while number >= 0x80:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])
