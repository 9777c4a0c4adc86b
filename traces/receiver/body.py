"""The body of a request: read whole, unpacked, never longer than it may be and in no longer time."""

from __future__ import annotations

import asyncio
import math
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

WHOLE = 30.0
"""Seconds in which a body has to come, and one more for every `RATE` bytes of it that have."""
RATE = 2**14
"""Bytes a second that a long body has to come with at least. Any line carries more."""
PAUSE = 10.0
"""Seconds from one piece of it to the next, at most."""

_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_PIECE = 2**14
"""Bytes that are unpacked at once: what is left over at the end of one of thousands of members is copied each time."""

_NO_GZIP = "the body is no gzip: send it without `Content-Encoding: gzip`, or compressed"
_BROKEN = "the gzip of the body is broken, and can't be unpacked: send it again"


class TooLong(Exception):
    """The body is longer than a request may be, as it is sent or once it is unpacked."""


class Gone(Exception):
    """The sender went away before it had sent all."""


class Slow(Exception):
    """The body did not come in time."""


class Body:
    """The body of a request, of which at most `longest` bytes are read, whatever it says of its length. It is to be
    made, and read, in the event loop.
    """

    def __init__(self, receive: Receive, longest: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + WHOLE
        self._latest = math.inf
        self._wait: asyncio.Timeout | None = None
        self._receive = receive
        self._longest = longest
        self._more = True
        self.size = 0
        """Bytes that are held of it."""

    async def read(self, grow: Callable[[int], None]) -> bytes:
        """All of it, as it was sent. `grow` hears of each piece's size before it is kept, and may raise.

        Raises TooLong, Slow and Gone.
        """
        parts: list[bytes] = []
        while self._more:
            if part := await self._part():
                if self.size + len(part) > self._longest:
                    raise TooLong
                grow(len(part))
                self.size += len(part)
                self._end += len(part) / RATE
                parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def drain(self) -> None:
        """Read and forget the rest, so far as it is not too long: a sender that still writes would see no answer.

        Raises Slow and Gone.
        """
        left = self._longest
        while self._more and left > 0:
            left -= len(await self._part())

    def hurry(self, seconds: float) -> None:
        """Let what is still to come have so much time at most. From any thread."""
        self._loop.call_soon_threadsafe(self._end_in, seconds)

    def _end_in(self, seconds: float) -> None:
        self._latest = min(self._latest, self._loop.time() + seconds)
        if self._wait is not None and not self._wait.expired():
            self._wait.reschedule(min(self._wait.when() or math.inf, self._latest))

    async def _part(self) -> bytes:
        try:
            async with asyncio.timeout_at(min(self._end, self._latest, self._loop.time() + PAUSE)) as self._wait:
                message = await self._receive()
        except TimeoutError:
            raise Slow from None
        finally:
            self._wait = None
        if message["type"] == "http.disconnect":
            raise Gone
        self._more = message.get("more_body", False)
        part: bytes = message.get("body", b"")
        return part


def unpacked(packed: bytes, longest: int) -> bytes:
    """What was compressed with gzip, in one piece or several.

    Raises TooLong, and ValueError if it is no gzip or cut short.
    """
    parts: list[bytes] = []
    left, at = longest, 0
    unpacker = zlib.decompressobj(_GZIP)
    while at < len(packed):
        if unpacker.eof:
            unpacker = zlib.decompressobj(_GZIP)
        piece = packed[at : at + _PIECE]
        try:
            part = unpacker.decompress(piece, left + 1)
        except zlib.error:
            raise ValueError(_BROKEN if packed.startswith(_MAGIC) else _NO_GZIP) from None
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise TooLong
        at += len(piece) - len(unpacker.unused_data)
    if packed and not unpacker.eof:
        raise ValueError("the gzip of the body is cut short: send it again")
    return b"".join(parts)
