"""The endpoint as an application, without a connection: whatever comes, it has an answer."""

import asyncio
import gzip
import json

from hypothesis import given
from hypothesis import strategies as st

from tests.effort import no_hang
from traces.json_text import dumps
from traces.otlp import encode, protobuf
from traces.receiver.app import Endpoint
from traces.receiver.body import unpacked
from traces.span import Span

LONGEST = 5000
SPAN = Span("1" * 32, "a" * 16, None, "chat", "client", 1, 2, {"gen_ai.operation.name": "chat"})
GOOD = (dumps(encode.traces_data([SPAN])), protobuf.traces_data([SPAN]))


def answer(body, *, path="/v1/traces", pieces=1, **headers):
    """Status and content of an answer; and what was taken."""
    taken, sent = [], []
    size = max(1, -(-len(body) // pieces))
    parts = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
    messages = [
        {"type": "http.request", "body": part, "more_body": number < len(parts)} for number, part in enumerate(parts, 1)
    ]

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "headers": named}
    endpoint = Endpoint(taken.extend, None, LONGEST, LONGEST)
    asyncio.run(endpoint(scope, receive, send))
    assert endpoint._held == 0
    return sent[0]["status"], sent[1]["body"], taken


@given(
    st.one_of(
        st.binary(max_size=2 * LONGEST), st.recursive(st.none() | st.text(), st.lists).map(json.dumps).map(str.encode)
    ),
    st.sampled_from(["application/json", "application/x-protobuf"]),
    st.sampled_from(["/v1/traces", "/v1/logs"]),
    st.booleans(),
    st.integers(1, 4),
)
def test_whatever_bytes_come(body, kind, path, packed, pieces):
    headers = {"content_encoding": "gzip"} if packed else {}
    if packed and len(body) % 2:
        body = gzip.compress(body)
    status, content, taken = answer(body, path=path, pieces=pieces, content_type=kind, **headers)
    assert status in (200, 400, 413)
    assert status == 200 or not taken
    assert status == 200 or content


@given(st.sampled_from(GOOD), st.data())
def test_whatever_is_broken_in_a_good_request(good, data):
    at = data.draw(st.integers(0, len(good) - 1))
    body = good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :]
    kind = "application/json" if good is GOOD[0] else "application/x-protobuf"
    status, _, taken = answer(body, content_type=kind)
    assert status in (200, 400)
    assert len(taken) <= 1


@given(st.integers(1, 100))
def test_gzip_of_several_members_in_any_number_of_pieces(pieces):
    body = b"".join(map(gzip.compress, (b'{"resourceSpans": [', b"]", b" " * 7, b"}")))
    assert answer(body, pieces=pieces, content_type="application/json", content_encoding="gzip")[0] == 200


def test_gzip_of_very_many_members_does_not_hold_up_the_others():
    """Were what is left copied after each, this would take minutes."""
    with no_hang():
        assert unpacked(gzip.compress(b"", mtime=0) * 200_000 + gzip.compress(b"{}"), LONGEST) == b"{}"
