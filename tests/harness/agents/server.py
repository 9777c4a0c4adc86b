"""A scripted service on loopback: it answers each request by what it is told to, and keeps what it was sent."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self):
        return json.loads(self.raw)


@dataclass
class Raw:
    """A response as it goes over the wire but for its status line. `headers` replace those of a JSON answer."""

    content: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    length: int | None = None
    """What Content-Length says, if not the truth."""


class Drop:
    """The connection is reset instead of an answer."""


@dataclass
class Server:
    """`answer(request)` gives a JSON value, a Raw, or Drop."""

    answer: object
    requests: list[Request] = field(default_factory=list)
    url: str = ""

    @property
    def place(self):
        return self.url.removeprefix("http://")

    @property
    def bodies(self):
        return [request.body for request in self.requests]


@contextmanager
def served(answer):
    """A server on a free port; `answer` is a function of the request, or a list of answers in order."""
    server = Server(answer if callable(answer) else _in_order(answer))

    connections = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self):
            super().setup()
            connections.append(self.connection)

        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, raw)
            server.requests.append(request)
            given = server.answer(request)
            if isinstance(given, Drop):
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            out = given if isinstance(given, Raw) else Raw(json.dumps(given).encode())
            self.send_response(out.status)
            for name, value in out.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(out.content) if out.length is None else out.length))
            self.end_headers()
            self.wfile.write(out.content)
            self.close_connection = out.length is not None

        def log_message(self, *_):
            pass

        def finish(self):
            with suppress(OSError):
                super().finish()

        def handle(self):
            with suppress(OSError):  # the client may go away before it has read all
                super().handle()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = False  # so that closing it waits for them, and none is left running
    server.url = f"http://127.0.0.1:{http.server_port}/chat"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        http.server_close()
        thread.join()


def free_port():
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _in_order(answers):
    waiting = iter(answers)
    lock = threading.Lock()

    def answer(_):
        with lock:
            return next(waiting)

    return answer
