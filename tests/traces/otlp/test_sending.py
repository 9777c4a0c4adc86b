"""Sending, against a server that says what it is told to say, and against turngate's own receiver."""

from __future__ import annotations

import gzip
import threading
import zlib
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)

from traces.log_record import LogRecord
from traces.otlp import protobuf
from traces.otlp.endpoint import Endpoint
from traces.otlp.sending import AT_ONCE, Sender, SendingProblem
from traces.receiver import Receiver
from traces.span import Span


def span(number, **attributes):
    return Span("a" * 32, f"{number:016x}", None, "s", "internal", 1, 2, attributes)


LOG = LogRecord("a" * 32, f"{1:016x}", 5, "gen_ai.evaluation.result", attributes={"gen_ai.evaluation.name": "verdict"})


class Server:
    """Answers with what is in `answers`, in order, then with 200; keeps what was sent."""

    def __init__(self):
        self.answers = []
        self.requests = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                server.requests.append((self.path, dict(self.headers.items()), body))
                status, headers, answer = server.answers.pop(0) if server.answers else (200, {}, b"")
                self.send_response(status)
                for name, value in {"content-length": str(len(answer)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


def sender(url, waits=None, **environment):
    settings = {f"OTEL_EXPORTER_OTLP_{name}": value for name, value in environment.items()}
    both = {signal: Endpoint.of(signal, url, settings) for signal in ("traces", "logs")}
    return Sender(both, [].append if waits is None else waits.append)


def test_the_receiver_takes_what_is_sent():
    came = []
    records = [span(number, text="é" * 10, deep={"a": [1, 2.5, None]}) for number in range(1, AT_ONCE + 9)]
    with Receiver(came.extend, port=0, token="t0ken") as receiver:
        with sender(receiver.url, HEADERS="Authorization=Bearer%20t0ken", COMPRESSION="gzip") as out:
            sent = out.send([*records, LOG])
        with sender(receiver.url) as out, pytest.raises(SendingProblem, match="HTTP 401") as refused:
            out.send(records)
    assert refused.value.status == 401
    assert (sent.spans, sent.logs, sent.rejected) == (AT_ONCE + 8, 1, 0)
    assert sorted((each for each in came if isinstance(each, Span)), key=lambda each: each.span_id) == records
    assert [each for each in came if isinstance(each, LogRecord)] == [LOG]


def test_a_busy_endpoint_is_waited_for_as_long_as_it_asks(server):
    waits = []
    server.answers = [
        (429, {"retry-after": "7"}, b""),
        (503, {}, b""),
        (503, {"retry-after": formatdate(4e9, usegmt=True)}, b""),
    ]
    with sender(server.url, waits) as out:
        assert out.send([span(1)]).spans == 1
    assert waits == [7, 2, 60]
    assert len({body for _, _, body in server.requests}) == 1
    assert len(server.requests) == 4


def test_a_busy_endpoint_is_given_up_in_the_end(server):
    server.answers = [(429, {}, b"")] * 20
    with sender(server.url) as out, pytest.raises(SendingProblem, match="HTTP 429"):
        out.send([span(1)])
    assert len(server.requests) == 6


def test_a_refusal_is_not_tried_again_and_told_in_its_own_words(server):
    server.answers = [(400, {"content-type": "text/plain"}, b"\x1b[2J\nno")]
    with sender(server.url) as out, pytest.raises(SendingProblem, match=r"HTTP 400 \(\x1b\[2J no\)"):
        out.send([span(1)])
    assert len(server.requests) == 1


def test_what_is_too_large_is_sent_in_parts(server):
    server.answers = [(413, {}, b"")]
    with sender(server.url) as out:
        assert out.send([span(number) for number in range(4)]).spans == 4
    sizes = [len(list(protobuf.spans(body))) for _, _, body in server.requests]
    assert sizes == [4, 2, 2]
    server.answers = [(413, {}, b"")]
    with sender(server.url) as out, pytest.raises(SendingProblem, match="HTTP 413"):
        out.send([span(1)])


def test_what_is_rejected_is_counted(server):
    partial = ExportTraceServiceResponse(
        partial_success=ExportTracePartialSuccess(rejected_spans=1, error_message="no such project")
    )
    server.answers = [(200, {"content-type": "application/x-protobuf"}, partial.SerializeToString())]
    with sender(server.url) as out:
        sent = out.send([span(1), span(2)])
    assert (sent.spans, sent.rejected, list(sent.notes)) == (1, 1, ["no such project"])


@pytest.mark.parametrize(("compression", "unpack"), [("gzip", gzip.decompress), ("deflate", zlib.decompress)])
def test_compression(server, compression, unpack):
    with sender(server.url, COMPRESSION=compression) as out:
        out.send([span(1)])
    ((path, headers, body),) = server.requests
    assert (path, headers["content-encoding"]) == ("/v1/traces", compression)
    assert list(protobuf.spans(unpack(body))) == [span(1)]


def test_nobody_there(server):
    server.close()
    with sender(server.url) as out, pytest.raises(SendingProblem, match=r"it can't be reached: Connection refused$"):
        out.send([span(1)])


def test_a_backend_of_spans_only_gets_the_spans(server):
    server.answers = [(200, {}, b""), (405, {}, b"Method Not Allowed")]
    with sender(server.url) as out:
        sent = out.send([*(span(number) for number in range(AT_ONCE - 1)), LOG, span(AT_ONCE), LOG])
    assert (sent.spans, sent.logs, sent.unplaced) == (AT_ONCE, 0, 2)
    assert [path for path, _, _ in server.requests] == ["/v1/traces", "/v1/logs", "/v1/traces"]
