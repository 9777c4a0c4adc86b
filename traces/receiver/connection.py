"""A connection to the endpoint: what never comes holds none open, and there are only so many at a time."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import cast

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from traces.receiver.forms import JSON, refusal

HEAD = 10.0
"""Seconds in which the head of a request has to come, from the connection's beginning or the head's own."""
UNREAD = 10.0
"""Seconds in which a sender has to take some of the answers that wait for it, once there are too many to hold."""
LONGEST_HEAD = 2**16
"""Bytes of a head; and of whatever else of a request is neither head nor body."""
MOST = 200
"""Connections at a time. Beyond that, the one on which nothing has come for the longest time makes room."""


class Connection(HttpToolsProtocol):
    """HTTP as uvicorn speaks it. That lets a sender take all the time it wants until the whole head of a request is
    there, of any length; here it has no more than it needs. (The body's time is the endpoint's own concern.)
    """

    _due: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _head = False
    """Whether there is the beginning of a head, and not yet its end."""
    _idle = 0
    """Bytes that came since the last that were a whole head, or of a body."""
    _heard = 0.0
    """When something came, by the clock of the event loop."""

    @property
    def waits(self) -> bool:
        """Whether no request is under way: all are answered, and of another there is no whole head."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._heard = self.loop.time()
        self._due = self.loop.call_later(HEAD, self._late)
        if len(self.connections) > MOST:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came, and wait for the rest of a head, but not for long."""
        self._unset_keepalive_if_required()
        self._heard = self.loop.time()
        self._idle += len(data)
        try:
            self._feed(data)
        except HttpParserError:
            self._refuse(400, "this is no request in HTTP/1.1, or a broken one: look at what sends it, or passes it on")
            return
        if self._idle > LONGEST_HEAD:
            self._refuse(431, f"what comes before the body of a request is at most {LONGEST_HEAD:,} bytes")
        elif not self.waits:
            self._wait_no_longer()
        elif self._due is None:
            self._due = self.loop.call_later(HEAD, self._late)

    def pause_writing(self) -> None:
        """Wait for the sender to take answers, but not for long."""
        super().pause_writing()
        self._stuck = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with the answers."""
        if self._stuck is not None:
            self._stuck.cancel()
        super().resume_writing()

    def on_message_begin(self) -> None:
        """A head begins."""
        self._head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._head, self._idle = False, 0
        if not self.parser.should_upgrade():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of a request is there."""
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        """Some of a body is there."""
        self._idle = 0
        super().on_body(body)

    def _feed(self, data: bytes) -> None:
        """Parse what came. HttpParserError if it is no HTTP.

        A wish for another protocol is passed over, as it may be: Java's client asks for HTTP/2 with its first request.
        The parser would take all that follows the head to be in that protocol, so it gets the head without the wish.
        """
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as wish:
            headers = [(name, value) for name, value in self.headers if name != b"upgrade"]
            if len(headers) == len(self.headers):
                raise HttpParserError("CONNECT") from None
            lines = [b"%s: %s" % header for header in headers]
            head = b"\r\n".join((b"%s %s HTTP/1.1" % (self.parser.get_method(), self.url), *lines, b"", b""))
            self._feed(head + data[wish.args[0] :])

    def _wait_no_longer(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _late(self) -> None:
        if self._head:
            self._refuse(408, f"the head of the request did not come within {HEAD:.0f} s: send it again")
        else:
            self.transport.close()

    def _make_room(self) -> None:
        """Close the connection that is missed least. One that is kept between two requests is opened again when it is
        needed; the sender of a request that is under way would have to send it again.
        """
        others = [other for other in cast("set[Connection]", self.connections) if other is not self and other.waits]
        if others:
            idlest = min(others, key=lambda other: other._heard)
            self.connections.discard(idlest)
            idlest.transport.close()
        else:
            self._refuse(503, f"{MOST} requests are under way: send it again in 1 s", "retry-after: 1")

    def _refuse(self, status: int, text: str, *headers: str) -> None:
        """Say what is wrong, and close the connection."""
        content = refusal(JSON, status, text)
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            f"content-type: {JSON}",
            f"content-length: {len(content)}",
            *headers,
            "connection: close",
        )
        self.transport.write("\r\n".join((*head, "", "")).encode() + content)
        self.transport.close()
