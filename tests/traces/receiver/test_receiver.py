"""The endpoint over real connections, as exporters and others use it."""

import gzip
import json
import select
import socket
import threading
import time
import zlib

import httpx
import pytest
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from traces.json_text import dumps
from traces.log_record import LogRecord
from traces.otlp import encode, protobuf
from traces.receiver import Full, Receiver, Refused, body
from traces.receiver.server import _listening, is_loopback
from traces.span import Span

TRACE = "0123456789abcdef0123456789abcdef"
SPAN = Span(TRACE, "a" * 16, None, "chat", "client", 1, 2, {"gen_ai.operation.name": "chat"}, scope="app")
LOG = LogRecord(TRACE, "a" * 16, 1, "gen_ai.choice", {"message": "Hello."}, scope="app")
JSON, PROTOBUF = {"Content-Type": "application/json"}, {"Content-Type": "application/x-protobuf"}
BROKEN = {"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "no ids"}]}]}]}


class Inbox:
    """Keeps what is taken, up to so many records, until it is fetched."""

    def __init__(self, room=1_000):
        self.held, self.room = [], room

    def take(self, records):
        if len(self.held) + len(records) > self.room:
            raise Full
        self.held += records

    def fetch(self):
        found, self.held = self.held, []
        return found


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def client(inbox):
    with Receiver(inbox.take, port=0, longest=10_000) as receiver, httpx.Client(base_url=receiver.url) as client:
        yield client


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("path", "record", "headers", "body"),
    [
        ("/v1/traces", SPAN, JSON, dumps(encode.traces_data([SPAN]))),
        ("/v1/traces", SPAN, PROTOBUF, protobuf.traces_data([SPAN])),
        ("/v1/logs", LOG, JSON, dumps(encode.logs_data([LOG]))),
        ("/v1/logs", LOG, PROTOBUF, protobuf.logs_data([LOG])),
    ],
)
def test_both_signals_come_in_both_forms_packed_or_not(client, inbox, path, record, headers, body, packed):
    if packed:
        body, headers = gzip.compress(body), headers | {"Content-Encoding": "gzip"}
    answer = client.post(path, content=body, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, headers["Content-Type"])
    assert answer.content == (b"{}" if headers["Content-Type"] == "application/json" else b"")
    assert inbox.fetch() == [record]


def test_a_body_may_come_in_chunks_and_gzip_in_several_members(client, inbox):
    body = gzip.compress(b'{"resourceSpans": ') + gzip.compress(
        json.dumps(encode.traces_data([SPAN])["resourceSpans"]).encode() + b"}"
    )
    answer = client.post(
        "/v1/traces",
        content=(body[at : at + 7] for at in range(0, len(body), 7)),
        headers=JSON | {"Content-Encoding": "gzip"},
    )
    assert answer.status_code == 200
    assert inbox.fetch() == [SPAN]


def test_what_of_a_request_can_not_be_read_is_counted_and_the_rest_is_taken(client, inbox):
    document = encode.traces_data([SPAN])
    document["resourceSpans"] += BROKEN["resourceSpans"] * 2
    answer = client.post("/v1/traces", json=document)
    partial = answer.json()["partialSuccess"]
    assert (answer.status_code, partial["rejectedSpans"]) == (200, "2")
    assert partial["errorMessage"].startswith("span 'no ids': it has no trace id; and 1 more")
    assert inbox.fetch() == [SPAN]


def test_partial_success_in_protobuf_of_both_signals(inbox):
    with Receiver(lambda _: Refused(3, "of an episode that is over"), port=0) as receiver:
        spans = httpx.post(f"{receiver.url}/v1/traces", content=protobuf.traces_data([SPAN]), headers=PROTOBUF)
        logs = httpx.post(f"{receiver.url}/v1/logs", content=protobuf.logs_data([LOG]), headers=PROTOBUF)
        logs_json = httpx.post(f"{receiver.url}/v1/logs", json=encode.logs_data([LOG]))
    told = ExportTraceServiceResponse.FromString(spans.content).partial_success
    assert (told.rejected_spans, told.error_message) == (3, "of an episode that is over")
    told = ExportLogsServiceResponse.FromString(logs.content).partial_success
    assert (told.rejected_log_records, told.error_message) == (3, "of an episode that is over")
    assert logs_json.json()["partialSuccess"]["rejectedLogRecords"] == "3"


@pytest.mark.parametrize("headers", [JSON, PROTOBUF])
def test_an_empty_request_is_a_good_one(client, inbox, headers):
    body = b"{}" if headers is JSON else b""
    assert client.post("/v1/traces", content=body, headers=headers).status_code == 200
    assert inbox.fetch() == []


@pytest.mark.parametrize(
    ("body", "headers", "told"),
    [
        (b"nonsense", JSON, "no JSON"),
        (b"[1]", JSON, "no JSON object"),
        (b"[" * 5000, JSON, "JSON"),
        (b'{"resourceLogs": []}', JSON, "no `resourceSpans`"),
        (b"\xff\xff\xff", PROTOBUF, "no OTLP request in protobuf"),
        (b"no gzip", JSON | {"Content-Encoding": "gzip"}, "no gzip"),
        (gzip.compress(b"{}", mtime=0)[:-4], JSON | {"Content-Encoding": "gzip"}, "cut short"),
    ],
)
def test_nonsense_is_refused_for_good(client, inbox, body, headers, told):
    answer = client.post("/v1/traces", content=body, headers=headers)
    text = answer.json()["message"] if headers is not PROTOBUF else Status.FromString(answer.content).message
    assert answer.status_code == 400
    assert told in text
    assert "retry-after" not in answer.headers
    assert inbox.fetch() == []


def test_other_paths_methods_and_types_are_told_apart(client):
    assert client.post("/v1/metrics", json={}).status_code == 404
    assert (got := client.get("/v1/traces")).status_code == 405
    assert got.headers["allow"] == "POST"
    assert client.post("/v1/traces", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.post("/v1/traces", content=b"{}").status_code == 415
    packed = client.post("/v1/traces", content=b"{}", headers=JSON | {"Content-Encoding": "zstd"})
    assert (packed.status_code, packed.headers["accept-encoding"]) == (415, "gzip")
    charset = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.post("/v1/traces", content=b"{}", headers=charset).status_code == 200


def test_no_request_is_longer_than_it_may_be_however_it_hides_it(client, inbox):
    long = b" " * 10_001
    assert client.post("/v1/traces", content=long, headers=JSON).status_code == 413
    assert client.post("/v1/traces", content=iter([long]), headers=JSON).status_code == 413
    bomb = zlib.compressobj(9, wbits=31)
    packed = bomb.compress(b" " * 5_000_000) + bomb.flush()
    assert len(packed) < 10_000
    assert client.post("/v1/traces", content=packed, headers=JSON | {"Content-Encoding": "gzip"}).status_code == 413
    assert client.post("/v1/traces", json=encode.traces_data([SPAN])).status_code == 200


def test_a_sender_is_told_when_there_is_no_room_and_nothing_is_lost():
    inbox = Inbox(room=2)
    with Receiver(inbox.take, port=0) as receiver, httpx.Client(base_url=receiver.url) as client:
        spans = [Span(TRACE, f"{number:016x}", None, "chat", "client", number, number + 1) for number in (1, 2, 3)]
        first, second = (encode.traces_data(some) for some in (spans[:2], spans[2:]))
        assert client.post("/v1/traces", json=first).status_code == 200
        full = client.post("/v1/traces", json=second)
        assert (full.status_code, full.headers["retry-after"]) == (429, "1")
        assert inbox.fetch() == spans[:2]
        assert client.post("/v1/traces", json=second).status_code == 200
        assert inbox.fetch() == spans[2:]


def test_what_can_not_be_kept_is_to_be_sent_again():
    def take(records):
        raise OSError(28, "No space left on device")

    with Receiver(take, port=0) as receiver:
        answer = httpx.post(f"{receiver.url}/v1/traces", json=encode.traces_data([SPAN]))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "No space left" in answer.json()["message"]


def test_many_requests_at_a_time_are_bounded_together():
    inbox = Inbox()
    with (
        Receiver(inbox.take, port=0, longest=1000, most=1500) as receiver,
        socket.create_connection(("127.0.0.1", receiver.port)) as slow,
    ):
        slow.sendall(
            b"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
            + b" " * 990
        )
        for _ in range(200):  # until the half of it that has come is held
            answer = httpx.post(f"{receiver.url}/v1/traces", content=b" " * 800, headers=JSON)
            if answer.status_code == 429:
                break
            time.sleep(0.01)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        slow.sendall(b"{}        ")
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
        assert httpx.post(f"{receiver.url}/v1/traces", content=b"{}" + b" " * 800, headers=JSON).status_code == 200


def half_sent(port, length=1000):
    """A connection on which all but the end of a request's body has come."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=5)
    head = f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    connection.sendall(head.encode() + b" " * (length - 10))
    return connection


def test_a_body_that_stops_coming_is_given_up_and_makes_room(inbox, monkeypatch):
    monkeypatch.setattr(body, "PAUSE", 0.3)
    with Receiver(inbox.take, port=0, longest=1000, most=1500) as receiver, half_sent(receiver.port) as slow:
        answer = b"".join(iter(lambda: slow.recv(1000), b""))
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"connection: close" in answer
        assert b"the rest of the body did not come" in answer
        assert httpx.post(f"{receiver.url}/v1/traces", content=b"{}" + b" " * 998, headers=JSON).status_code == 200


def test_a_body_that_comes_drop_by_drop_is_given_up_too(inbox, monkeypatch):
    monkeypatch.setattr(body, "WHOLE", 0.5)
    with Receiver(inbox.take, port=0) as receiver, half_sent(receiver.port, 5000) as slow:
        while not select.select([slow], [], [], 0.1)[0]:
            slow.send(b" ")
        assert slow.recv(100).startswith(b"HTTP/1.1 408")


def test_who_is_refused_and_goes_on_slowly_is_answered_all_the_same(inbox, monkeypatch):
    monkeypatch.setattr(body, "PAUSE", 0.3)
    with Receiver(inbox.take, port=0, token="s3cret") as receiver, half_sent(receiver.port) as slow:
        assert slow.recv(100).startswith(b"HTTP/1.1 401")


def test_requests_that_never_end_do_not_hold_it_up_and_are_answered(inbox, caplog):
    with Receiver(inbox.take, port=0) as receiver:
        slow = [half_sent(receiver.port) for _ in range(50)]
        time.sleep(0.2)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    assert {connection.recv(100)[:12] for connection in slow} == {b"HTTP/1.1 408"}
    assert not caplog.records
    for connection in slow:
        connection.close()


def test_a_token_is_asked_for(inbox):
    document = encode.traces_data([SPAN])
    with Receiver(inbox.take, port=0, token="s3cret") as receiver, httpx.Client(base_url=receiver.url) as client:
        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "s3cret"}):
            refused = client.post("/v1/traces", json=document, headers=given)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert inbox.fetch() == []
        taken = client.post("/v1/traces", json=document, headers={"Authorization": "Bearer s3cret"})
        assert taken.status_code == 200
    assert inbox.fetch() == [SPAN]


def test_where_others_reach_it_there_must_be_a_token(inbox):
    for host in ("0.0.0.0", "::", "192.0.2.7", "some.name"):
        with pytest.raises(ValueError, match="token"):
            Receiver(inbox.take, host=host, port=0)
    for token in ("", "two\nlines", "ñ"):
        with pytest.raises(ValueError, match="printable ASCII"):
            Receiver(inbox.take, token=token, port=0)
    with Receiver(inbox.take, host="0.0.0.0", port=0, token="s3cret") as receiver:
        assert httpx.get(f"{receiver.url}/v1/traces").status_code == 401
    assert [is_loopback(host) for host in ("127.0.0.9", "::1", "localhost", "8.8.8.8")] == [True, True, True, False]


def test_a_port_that_is_taken_is_told_at_once(inbox):
    with Receiver(inbox.take, port=0) as receiver, pytest.raises(OSError, match="in use"):
        Receiver(inbox.take, port=receiver.port).__enter__()


def test_it_starts_and_stops_again_and_again(inbox):
    for _ in range(3):
        with Receiver(inbox.take, port=0) as receiver:
            assert httpx.post(f"{receiver.url}/v1/logs", json={}).status_code == 200
        with pytest.raises(httpx.ConnectError):
            httpx.post(f"{receiver.url}/v1/logs", json={})
    assert "otlp" not in [thread.name for thread in threading.enumerate()]


def test_requests_that_are_under_way_are_answered_before_it_stops(inbox):
    with Receiver(inbox.take, port=0) as receiver:
        connection = socket.create_connection(("127.0.0.1", receiver.port))
        head = b"POST /v1/logs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
        connection.sendall(head + b"{")
        time.sleep(0.05)
        threading.Timer(0.2, connection.sendall, [b"}"]).start()
    assert connection.recv(100).startswith(b"HTTP/1.1 200")
    connection.close()


def test_an_answer_on_a_connection_that_is_kept_waits_for_nothing():
    """A second packet would wait for the sender's confirmation of the first, which takes it 40 ms."""
    with _listening("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
