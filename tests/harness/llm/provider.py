"""A scripted provider on loopback, with what OpenAI's two APIs answer."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Raw:
    """An answer as it goes over the wire. `cut`: the connection is reset after it; `hang`: seconds before it."""

    content: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False
    hang: float = 0.0


@dataclass
class Provider:
    """`answers` in order, the last one again and again; a list's item is a JSON body, a Raw, or a function of the
    request. `models` answers GET.
    """

    answers: list[Any]
    models: Any = None
    requests: list[dict] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, path, body, headers):
        with self.lock:
            self.paths.append(path)
            self.requests.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return given(body) if callable(given) else given


@contextmanager
def provider(*answers, models=None):
    known = Provider(list(answers), models)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._give(known.next(self.path, body, {name.lower(): value for name, value in self.headers.items()}))

        def do_GET(self):
            self._give(known.models if known.models is not None else Raw(b"", 405))

        def _give(self, given):
            out = given if isinstance(given, Raw) else Raw(json.dumps(given).encode())
            time.sleep(out.hang)
            if out.cut and not out.content:
                self._reset()
                return
            self.send_response(out.status)
            self.send_header("Content-Type", out.kind)
            for name, value in out.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(out.content) + (10 if out.cut else 0)))
            self.end_headers()
            self.wfile.write(out.content)
            if out.cut:
                self.wfile.flush()
                time.sleep(0.05)
                self._reset()

        def _reset(self):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True

        def log_message(self, *_):
            pass

        def handle(self):
            with suppress(OSError):
                super().handle()

        def finish(self):
            with suppress(OSError):
                super().finish()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.block_on_close = False
    known.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield known
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


def said(content, *, finish="stop", usage=USAGE, **message):
    """A chat completion that says something."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "small-1-2026",
        "choices": [choice],
    }
    return {**body, "usage": usage} if usage else body


def call(name, arguments, call_id="call_1"):
    text = arguments if isinstance(arguments, str | None) else json.dumps(arguments)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def called(*calls, content=None, **more):
    """A chat completion that calls tools."""
    return said(content, finish="tool_calls", tool_calls=list(calls), **more)


def error(status, message, code=None, **headers):
    body = {"error": {"message": message, "type": "error", "code": code}}
    return Raw(json.dumps(body).encode(), status, {name.replace("_", "-"): value for name, value in headers.items()})


def stream(*events, done=True, cut=False):
    """Server-sent events."""
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + (["data: [DONE]\n\n"] if done else [])
    return Raw("".join(lines).encode(), kind="text/event-stream", cut=cut)


def chunk(finish=None, **delta):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "small-1-2026", "choices": [choice]}
