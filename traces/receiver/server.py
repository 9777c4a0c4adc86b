"""The server of the endpoint, in a thread of its own."""

from __future__ import annotations

import ipaddress
import socket
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from traces.receiver.app import Endpoint
from traces.receiver.taking import Take

if TYPE_CHECKING:
    from uvicorn import Server

PORT = 4318
"""What senders take for granted."""

LONGEST = 64 * 2**20
"""Bytes of one request, compressed and not."""
MOST = 4 * LONGEST
"""Bytes of all requests that are being read at a time."""

_BACKLOG = 2048
_KEEP_ALIVE = 75
"""Seconds: longer than the pause between two batches of an exporter, lest a connection closes under a request."""
_GRACE = 1.5
"""Seconds that a request under way has to come when the endpoint stops."""


class Receiver:
    """An OTLP/HTTP endpoint for traces and logs, within the `with`; what comes is given to `take`.

    `host` and `port`: where it listens; port 0 means any that is free. `token`: what senders must bring as
    `Authorization: Bearer`, which they must wherever others than this machine can reach it: ValueError without one.
    """

    def __init__(
        self,
        take: Take,
        host: str = "127.0.0.1",
        port: int = PORT,
        token: str | None = None,
        *,
        longest: int = LONGEST,
        most: int = MOST,
    ) -> None:
        if token is None and not is_loopback(host):
            raise ValueError(f"on {host} others can reach the endpoint: it needs a token")
        if token is not None and not (token and token.isascii() and token.isprintable()):
            raise ValueError("a token is a text of printable ASCII characters")
        self._endpoint = Endpoint(take, token, longest, most)
        self._host = host
        self._port = port
        self._server: Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._port

    @property
    def url(self) -> str:
        """What OTEL_EXPORTER_OTLP_ENDPOINT is to be, seen from this machine."""
        return f"http://{_reached(self._host)}:{self._port}"

    def __enter__(self) -> Self:
        """Start it. Raises OSError where it can't listen."""
        from uvicorn import Config, Server

        from traces.receiver.connection import Connection

        listening = _listening(self._host, self._port)
        self._port = listening.getsockname()[1]
        config = Config(
            self._endpoint,
            loop="asyncio",
            http=Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=3,  # _GRACE, and time to answer
        )
        self._server = Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), name="otlp", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it, once the requests under way are answered."""
        if self._server is not None:
            self._endpoint.hurry(_GRACE)
            self._server.should_exit = True
            self._thread.join()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. A name but `localhost` may mean anything."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens: connections wait in it until the server is there.

    They take over from it that an answer is sent at once: else its second packet would wait for the sender to confirm
    the first, which a sender that keeps its connection does 40 ms later.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _reached(host: str) -> str:
    """How this machine reaches what listens on an address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return f"[{host}]" if address.version == 6 else host
