"""Answers of any shape, and requests that can always be sent."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.llm.chat import Chat, _Pieces
from harness.llm.dialect import reading, sendable_arguments, sendable_name, well_formed
from harness.llm.messages import Answer, assistant, call_parts, text_part, tool_result, user
from harness.llm.responses import Responses
from harness.llm.retry import retry_after

_NAMES = st.sampled_from(
    ["choices", "message", "content", "tool_calls", "function", "name", "arguments", "id", "usage", "output", "type",
     "text", "delta", "index", "prompt_tokens", "finish_reason", "status", "refusal", "model",
     "call_id", "function_call"]
)  # fmt: skip
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("message") | st.just("function_call"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=20,
)

_IDS = st.text(max_size=2) | st.sampled_from(["call-0", "call-1", "call-2"]) | st.none() | st.integers()


@given(
    body=_JSON
    | st.builds(lambda message: {"choices": [{"message": message}]}, _JSON)
    | st.builds(lambda item: {"output": [item]}, _JSON)
)
def test_a_body_is_read_or_said_to_be_none(body):
    for dialect in (Chat(), Responses()):
        with suppress(ValueError):
            answer = dialect.read(body)
            assert isinstance(answer, Answer)
            assert all(isinstance(text, str) for text in answer.said)
            assert all(isinstance(value, str | None) for value in (answer.finish, answer.model, answer.id))
            request = dialect.request("m", "Be brief.", [user("hi"), answer.message], (), {})
            json.dumps(well_formed(request), ensure_ascii=False).encode()


@given(st.lists(st.builds(lambda delta: {"choices": [{"delta": delta}]}, _JSON) | _JSON, max_size=4))
def test_pieces_make_a_body_or_none(events):
    pieces = _Pieces()
    with suppress(ValueError):
        for event in events:
            with reading(event):
                pieces.add(event)
        Chat().read(pieces.body())


@given(
    st.lists(
        st.tuples(
            st.text(max_size=2) | st.sampled_from(["call-0", "call-1", "call-2"]) | st.none() | st.integers(),
            st.text(),
            st.none(),
        ),
        max_size=5,
    )
)
def test_calls_have_ids_of_their_own(calls):
    parts = call_parts(calls)
    assert len({part["id"] for part in parts}) == len(calls)


@given(st.text(max_size=100))
def test_what_is_sent_back_is_taken(text):
    assert isinstance(json.loads(sendable_arguments(text)), dict)
    assert 1 <= len(sendable_name(text)) <= 64


@pytest.mark.parametrize("dialect", [Chat(), Responses()], ids=["chat", "responses"])
def test_half_characters_are_replaced(dialect):
    half = "half \ud800"
    call = {"type": "tool_call", "id": "c", "name": half, "arguments": json.dumps({"text": half}, ensure_ascii=False)}
    messages = [user(half), assistant([text_part(half), call]), tool_result("c", half)]
    sent = json.dumps(well_formed(dialect.request("m", half, messages, (), {})), ensure_ascii=False)
    assert "half ?" in sent
    sent.encode()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 40.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after(headers, now=60.0) == seconds
