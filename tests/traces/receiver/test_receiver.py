"""The endpoint over real connections, as exporters and others use it."""

import gzip
import json
import select
import socket
import threading
import time
import zlib
from contextlib import suppress
from http.client import HTTPResponse

import httpx
import pytest
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from traces.json_text import dumps
from traces.log_record import LogRecord
from traces.otlp import encode, protobuf
from traces.receiver import Full, Receiver, Refused, body, connection, server
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
        (
            b"nonsense",
            JSON,
            "the body is no JSON: expecting value at character 1; "
            "if it is to be application/x-protobuf, Content-Type has to say so",
        ),
        (b'{"resourceSpans":\n[\n{]', JSON, "double quotes at character 2 of line 3; if"),
        (b'{"resourceSpans": "\xff"}', JSON, "the body is not in UTF-8: byte 0xff at place 20; if"),
        (b"[1]", JSON, "no JSON object"),
        (b"[" * 5000, JSON, "JSON"),
        (b'{"resourceLogs": []}', JSON, "no `resourceSpans`"),
        (
            b"\xff\xff\xff",
            PROTOBUF,
            "the body is no OTLP request in protobuf; if it is to be application/json, Content-Type has to say so",
        ),
        (
            b"no gzip",
            JSON | {"Content-Encoding": "gzip"},
            "the body is no gzip: send it without `Content-Encoding: gzip`, or compressed",
        ),
        (
            gzip.compress(b"{}", mtime=0)[:-1] + b"x",
            JSON | {"Content-Encoding": "gzip"},
            "the gzip of the body is broken, and can't be unpacked: send it again",
        ),
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
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
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
        monkeypatch.setattr(body, "PAUSE", 60)
        assert httpx.post(f"{receiver.url}/v1/traces", content=b"{}" + b" " * 998, headers=JSON).status_code == 200


def test_a_body_that_comes_drop_by_drop_is_given_up_too(inbox, monkeypatch):
    monkeypatch.setattr(body, "WHOLE", 0.5)
    with Receiver(inbox.take, port=0) as receiver, half_sent(receiver.port, 5000) as slow:
        while not select.select([slow], [], [], 0.1)[0]:
            slow.send(b" ")
        assert slow.recv(100).startswith(b"HTTP/1.1 408")


PART = b"POST /v1/traces HTTP/1.1\r\nHost: x\r\n"
WHOLE = PART + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


def connected(receiver):
    return socket.create_connection(("127.0.0.1", receiver.port), timeout=60)


def answer(sender):
    """Status and content of the next answer on a connection, which stays open."""
    response = HTTPResponse(sender)
    response.begin()
    return response.status, response.read()


def drip(sender, drop):
    """Send a drop again and again, until something comes back."""
    for _ in range(1_000):
        if select.select([sender], [], [], 0.05)[0]:
            return
        sender.sendall(drop)
    pytest.fail("nothing came back")


def all_of(sender):
    """What comes on a connection until the other end closes it."""
    return b"".join(iter(lambda: sender.recv(10_000), b""))


@pytest.mark.parametrize(("sent", "answered"), [(b"", b""), (PART, b"HTTP/1.1 408 Request Timeout")])
def test_a_head_that_never_comes_or_never_ends_holds_no_connection(inbox, monkeypatch, sent, answered):
    monkeypatch.setattr(connection, "HEAD", 1.0)
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as slow:
        slow.sendall(sent)
        assert all_of(slow).partition(b"\r\n")[0] == answered


@pytest.mark.parametrize("before", [b"", WHOLE])
def test_a_head_that_comes_drop_by_drop_holds_none_either(inbox, monkeypatch, before):
    monkeypatch.setattr(connection, "HEAD", 1.0)
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as slow:
        if before:
            slow.sendall(before)
            assert answer(slow)[0] == 200
        slow.sendall(PART)
        drip(slow, b"a: b\r\n")
        told = all_of(slow)
    assert told.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in told
    assert b"the head of the request did not come within 1 s: send it again" in told


def test_who_sends_on_after_an_answer_holds_no_connection(inbox, monkeypatch):
    monkeypatch.setattr(connection, "HEAD", 1.0)
    with Receiver(inbox.take, port=0, longest=100) as receiver, connected(receiver) as slow:
        slow.sendall(PART + b"Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + b" " * 200)
        assert answer(slow)[0] == 413
        with suppress(ConnectionError):
            drip(slow, b" ")
            assert all_of(slow) == b""


def test_a_connection_that_is_kept_takes_the_next_request_whenever_it_comes(inbox, monkeypatch):
    monkeypatch.setattr(connection, "HEAD", 0.5)
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as sender:
        for _ in range(2):
            sender.sendall(WHOLE)
            assert answer(sender)[0] == 200
            time.sleep(0.6)


@pytest.mark.parametrize(
    "sent",
    [
        PART + b"X-Long: " + b"a" * 70_000,
        PART + b"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2;" + b"a" * 400_000,
        PART
        + b"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n"
        + b"a: b\r\n" * 70_000,
    ],
    ids=["head", "chunk", "trailer"],
)
def test_what_is_neither_head_nor_body_is_not_read_without_end(inbox, sent):
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as sender:
        with suppress(ConnectionError):
            sender.sendall(sent)
        told = sender.recv(10_000)
    assert told.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert b"at most 65,536 bytes" in told


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        PART + b"Content-Length: two\r\n\r\n",
        PART + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        PART + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a sender that begins with TLS
    ],
    ids=["nonsense", "length", "both", "chunk", "connect", "tls"],
)
def test_what_is_no_http_is_refused_in_words_and_written_nowhere(inbox, caplog, sent):
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as sender:
        sender.sendall(sent)
        head, _, content = all_of(sender).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request")
    assert json.loads(content)["message"].startswith("this is no request in HTTP/1.1, or a broken one")
    assert not caplog.records


def test_a_wish_for_another_protocol_is_passed_over(inbox, caplog):
    """Java's own client asks for HTTP/2 with its first request."""
    wish = PART + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" + WHOLE.removeprefix(PART)
    with Receiver(inbox.take, port=0) as receiver, connected(receiver) as sender:
        for _ in range(2):
            sender.sendall(wish)
            assert answer(sender)[0] == 200
    assert not caplog.records


def test_connections_are_bounded_and_the_idlest_makes_room(inbox, monkeypatch):
    monkeypatch.setattr(connection, "MOST", 3)
    with Receiver(inbox.take, port=0) as receiver:
        busy, idle, kept = (connected(receiver) for _ in range(3))
        busy.sendall(WHOLE[:-1])
        for sender in (idle, kept):
            sender.sendall(WHOLE)
            assert answer(sender)[0] == 200
        with connected(receiver) as new:
            new.sendall(WHOLE)
            assert answer(new)[0] == 200
            assert idle.recv(1000) == b""
            for sender in (busy, kept):
                sender.sendall(WHOLE[-1:] if sender is busy else WHOLE)
                assert answer(sender)[0] == 200
        for sender in (busy, idle, kept):
            sender.close()


def under_way(receiver):
    """A connection on which all but the body of a request has come, as is known from the answer."""
    sender = connected(receiver)
    sender.sendall(PART + b"Expect: 100-continue\r\n" + WHOLE.removeprefix(PART)[:-2])
    assert sender.recv(1000).startswith(b"HTTP/1.1 100")
    return sender


def test_if_all_are_busy_a_new_one_is_to_come_again(inbox, monkeypatch):
    monkeypatch.setattr(connection, "MOST", 1)
    with Receiver(inbox.take, port=0) as receiver, under_way(receiver) as busy:
        with connected(receiver) as new:
            told = all_of(new)
        busy.sendall(b"{}")
        assert answer(busy)[0] == 200
    assert told.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 1\r\n" in told


def test_who_is_refused_and_goes_on_slowly_is_answered_all_the_same(inbox, monkeypatch):
    monkeypatch.setattr(body, "PAUSE", 0.3)
    with Receiver(inbox.take, port=0, token="s3cret") as receiver, half_sent(receiver.port) as slow:
        assert slow.recv(100).startswith(b"HTTP/1.1 401")


def test_requests_that_never_end_do_not_hold_it_up_and_are_answered(inbox, caplog, monkeypatch):
    monkeypatch.setattr(server, "_GRACE", 0.2)
    with Receiver(inbox.take, port=0) as receiver:
        slow = [under_way(receiver) for _ in range(50)]
    assert {sender.recv(100)[:12] for sender in slow} == {b"HTTP/1.1 408"}
    assert not caplog.records
    for sender in slow:
        sender.close()


def test_a_token_is_asked_for(inbox):
    document = encode.traces_data([SPAN])
    with Receiver(inbox.take, port=0, token="s3cret") as receiver, httpx.Client(base_url=receiver.url) as client:
        for given in (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": "s3cret"},
            {"Authorization": "Basic s3cret"},
        ):
            refused = client.post("/v1/traces", json=document, headers=given)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
            assert refused.headers["connection"] == "close"
        assert inbox.fetch() == []
        for scheme in ("Bearer", "bearer", "BEARER "):
            taken = client.post("/v1/traces", json=document, headers={"Authorization": f"{scheme} s3cret"})
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
        sender = under_way(receiver)
        threading.Timer(0.2, sender.sendall, [b"{}"]).start()
    with sender:
        assert answer(sender)[0] == 200


def test_an_answer_on_a_connection_that_is_kept_waits_for_nothing():
    """A second packet would wait for the sender's confirmation of the first, which takes it 40 ms."""
    with _listening("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
