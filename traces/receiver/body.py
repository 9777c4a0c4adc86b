"""The body of a request: read whole, unpacked, and never longer than it may be."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

_GZIP = 16 + zlib.MAX_WBITS


class TooLong(Exception):
    """The body is longer than a request may be, as it is sent or once it is unpacked."""


class Gone(Exception):
    """The sender went away before it had sent all."""


class Body:
    """The body of a request, of which at most `longest` bytes are read, whatever it says of its length."""

    def __init__(self, receive: Receive, longest: int) -> None:
        self._receive = receive
        self._longest = longest
        self._more = True
        self.size = 0
        """Bytes that are held of it."""

    async def read(self, grow: Callable[[int], None]) -> bytes:
        """All of it, as it was sent. `grow` hears of each piece's size before it is kept, and may raise.

        Raises TooLong and Gone.
        """
        parts: list[bytes] = []
        while self._more:
            if part := await self._part():
                if self.size + len(part) > self._longest:
                    raise TooLong
                grow(len(part))
                self.size += len(part)
                parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def drain(self) -> None:
        """Read and forget the rest, so far as it is not too long: a sender that still writes would see no answer.

        Raises Gone.
        """
        left = self._longest
        while self._more and left > 0:
            left -= len(await self._part())

    async def _part(self) -> bytes:
        message = await self._receive()
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
    left = longest
    while packed:
        unpacker = zlib.decompressobj(_GZIP)
        try:
            parts.append(unpacker.decompress(packed, left + 1))
        except zlib.error as error:
            raise ValueError(f"the body is no gzip, as Content-Encoding says: {error}") from None
        left -= len(parts[-1])
        if left < 0:
            raise TooLong
        if not unpacker.eof:
            raise ValueError("the gzip of the body is cut short")
        packed = unpacker.unused_data
    return b"".join(parts)
