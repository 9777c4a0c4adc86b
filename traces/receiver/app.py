"""The OTLP/HTTP endpoint as an ASGI application."""

from __future__ import annotations

import hmac
import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from traces.receiver.body import Body, Gone, Message, Receive, Slow, TooLong, unpacked
from traces.receiver.forms import JSON, PROTOBUF, SIGNALS, Signal, accepted, read, refusal
from traces.receiver.taking import Full, Refused, Take

Send = Callable[[Message], Awaitable[None]]
Headers = dict[bytes, bytes]

_KINDS = {PROTOBUF: PROTOBUF, "application/protobuf": PROTOBUF, JSON: JSON}
_RETRY = 1
"""Seconds after which whoever was told to come again may do so."""


@dataclass(slots=True)
class Answer(Exception):
    """An answer that refuses a request."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


class Endpoint:
    """Takes spans and log records. `token`: what a sender has to know. `longest`: bytes of one request, unpacked or
    not; `most`: bytes of all requests that are being read at a time.
    """

    def __init__(self, take: Take, token: str | None, longest: int, most: int) -> None:
        self._take = take
        self._token = None if token is None else token.encode()
        self._longest = longest
        self._most = most
        self._held = 0
        self._bodies: set[Body] = set()
        self._seconds_left = math.inf

    def hurry(self, seconds: float) -> None:
        """Give the requests under way, and those that are still to come, so much time at most. From any thread."""
        self._seconds_left = seconds
        for body in tuple(self._bodies):
            body.hurry(seconds)

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        headers: Headers = dict(scope["headers"])
        kind = _KINDS.get(headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower())
        body = Body(receive, self._longest)
        self._bodies.add(body)
        if self._seconds_left < math.inf:
            body.hurry(self._seconds_left)
        try:
            try:
                content = await self._answer(scope, headers, kind, body)
            except Answer as answer:
                if answer.status != 408:
                    with suppress(Slow):
                        await body.drain()
                content = refusal(kind or JSON, answer.status, answer.text)
                await _send(send, answer.status, kind or JSON, content, answer.headers)
            else:
                await _send(send, 200, kind or JSON, content)
        except Gone:
            return
        finally:
            self._bodies.remove(body)
            self._held -= body.size

    async def _answer(self, scope: Mapping[str, Any], headers: Headers, kind: str | None, body: Body) -> bytes:
        """The body of a positive answer. Raises Answer."""
        if self._token is not None and not _bears(headers.get(b"authorization", b""), self._token):
            wanted = {"WWW-Authenticate": "Bearer", "Connection": "close"}
            raise Answer(401, "a token is needed: Authorization: Bearer …", wanted)
        signal = SIGNALS.get(scope["path"])
        if signal is None:
            raise Answer(404, f"there is only {' and '.join(SIGNALS)} here")
        if scope["method"] != "POST":
            raise Answer(405, "send it with POST", {"Allow": "POST"})
        if kind is None:
            raise Answer(415, f"send {PROTOBUF} or {JSON}")
        packing = headers.get(b"content-encoding", b"identity").decode("latin-1").strip().lower()
        if packing not in ("gzip", "identity", ""):
            raise Answer(415, "compress with gzip or not at all", {"Accept-Encoding": "gzip"})
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._longest:
            raise self._too_long()
        try:
            content = await body.read(self._grow)
            return self._taken(signal, kind, unpacked(content, self._longest) if packing == "gzip" else content)
        except TooLong:
            raise self._too_long() from None
        except Slow:
            raise Answer(
                408, "the rest of the body did not come in time: send it again", {"Connection": "close"}
            ) from None
        except ValueError as error:
            raise Answer(400, str(error)) from None
        except Full as full:
            raise Answer(429, str(full), {"Retry-After": str(full.seconds)}) from None
        except OSError as error:
            text = f"it can't be kept: {error.strerror or error}"
            raise Answer(503, text, {"Retry-After": str(_RETRY)}) from None

    def _taken(self, signal: Signal, kind: str, body: bytes) -> bytes:
        records, unread = read(signal, kind, body)
        refused = self._take(records) if records else None
        return accepted(signal, kind, _together(unread, refused))

    def _grow(self, size: int) -> None:
        """Hear of a piece of a body that is about to be held. Raises Full."""
        if self._held + size > self._most:
            raise Full(_RETRY)
        self._held += size

    def _too_long(self) -> Answer:
        return Answer(413, f"a request is at most {self._longest:,} bytes, unpacked: send smaller batches")


def _bears(authorization: bytes, token: bytes) -> bool:
    scheme, _, given = authorization.partition(b" ")
    return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(b" "), token)


def _together(one: Refused | None, other: Refused | None) -> Refused | None:
    if one is None or other is None:
        return one or other
    return Refused(one.count + other.count, f"{one.why}; {other.why}")


async def _send(send: Send, status: int, kind: str, content: bytes, headers: Mapping[str, str] | None = None) -> None:
    named = {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})}
    raw = [(name.lower().encode(), value.encode()) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
