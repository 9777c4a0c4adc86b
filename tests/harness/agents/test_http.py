"""Agents behind an address, over real HTTP on loopback: what they are sent, what is read, and whose fault is what."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.agents import http_service
from harness.agents.http_answer import read_answer
from harness.agents.http_service import MAX_BYTES
from harness.agents.outage import is_outage
from harness.agents.problem import AgentError, AgentProblem, OutageError
from harness.agents.resolve import resolve
from harness.model.agent import Reply
from harness.model.episode import Message
from harness.model.remote import HttpAgent
from tests.harness.agents.desk import Desk, spec, talk
from tests.harness.agents.server import Drop, Raw, free_port, served
from traces.genai import Usage

HERE = Path(__file__).parent
TEXT = {"text": "hello"}


def service(url, **written):
    return resolve(HttpAgent.model_validate({"url": url, **written}), HERE)


def orders():
    return Desk(tools={"get_order": lambda order_id: {"status": "shipped", "id": order_id}})


def test_an_address_is_asked_in_the_documented_form():
    with served([TEXT, {"messages": ["one", "two"], "outcome": "resolved", "confidence": 0.5}]) as server:
        session = orders().session(spec("get_order", order_id="string"))
        replies = talk(resolve(server.url, HERE), None, "hi", "and?", session=session)
    assert replies == [Reply(("hello",)), Reply(("one", "two"), "resolved", 0.5)]
    first, second = server.bodies
    assert first == {
        "schema": "turngate.agent/1",
        "conversation_id": "c-1",
        "turn": 1,
        "message": "hi",
        "tool_results": [],
        "history": [],
        "tools": [
            {
                "name": "get_order",
                "description": "The tool get_order.",
                "parameters": {
                    "type": "object",
                    "properties": {"order_id": {"type": "string"}},
                    "required": ["order_id"],
                },
            }
        ],
        "clock": "2026-11-20T10:00:00+00:00",
        "seed": 7,
    }
    said = [{"role": "user", "text": "hi"}, {"role": "agent", "text": "hello"}]
    assert (second["turn"], second["message"], second["history"]) == (2, "and?", said)
    for request in server.requests:
        assert request.headers["traceparent"] == session.traceparent
        assert request.headers["x-conversation-id"] == "c-1"
        assert request.headers["content-type"] == "application/json"


def test_a_conversation_that_began_elsewhere_is_told_at_once():
    history = [Message("user", "hi", 1), Message("agent", "yes?", 1)]
    with served([TEXT]) as server:
        talk(resolve(server.url, HERE), None, "go on", session=Desk().session(history=history))
    (body,) = server.bodies
    assert (body["turn"], body["history"]) == (2, [{"role": "user", "text": "hi"}, {"role": "agent", "text": "yes?"}])


@pytest.mark.parametrize("form", ["flat", "openai"])
def test_tool_calls_go_to_the_sandbox_and_their_results_back(form):
    calls = [("a", "get_order", '{"order_id": "O-1"}'), ("b", "get_order", '{"order_id": "O-2"}'), ("c", "fly", "{}")]
    asked = [
        {"id": id, "name": name, "arguments": json.loads(text)}
        if form == "flat"
        else {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
        for id, name, text in calls
    ]
    desk = orders()
    with served([{"text": "Let me see.", "tool_calls": asked}, {"text": "Both are shipped."}, TEXT]) as server:
        replies = talk(resolve(server.url, HERE), desk, "where are they?", "thanks")
    assert replies[0].messages == ("Let me see.", "Both are shipped.")
    assert desk.made == [
        ("get_order", {"order_id": "O-1"}, "sandbox", None),
        ("get_order", {"order_id": "O-2"}, "sandbox", None),
        ("fly", {}, "sandbox", "unknown_tool"),
    ]
    _, second, third = server.bodies
    assert (second["message"], second["turn"]) == (None, 1)
    results = [
        {"id": "a", "name": "get_order", "result": {"status": "shipped", "id": "O-1"}},
        {"id": "b", "name": "get_order", "result": {"status": "shipped", "id": "O-2"}},
        {"id": "c", "name": "fly", "error": "there is no tool fly"},
    ]
    assert second["tool_results"] == results
    assert [entry["role"] for entry in third["history"]] == ["user", "agent", "tool", "tool", "tool", "agent"]
    assert third["history"][1]["text"] == "Let me see."
    assert [call["id"] for call in third["history"][1]["tool_calls"]] == ["a", "b", "c"]
    assert third["history"][2:5] == [{"role": "tool", **result} for result in results]


def test_calls_that_it_has_made_itself_are_on_record():
    made = [
        {"id": "x", "name": "get_order", "arguments": {"order_id": "O-1"}, "result": {"status": "paid"}},
        {"name": "pay", "arguments": '{"sum": 3}', "error": "no funds"},
        {"name": "pay", "arguments": "{sum"},
    ]
    desk = orders()
    with served([{"text": "done", "called": made}]) as server:
        talk(resolve(server.url, HERE), desk)
    assert desk.made == [
        ("get_order", {"order_id": "O-1"}, "span", None),
        ("pay", {"sum": 3}, "span", "passthrough"),
        ("pay", None, "span", "bad_arguments"),
    ]
    first, second, third = desk.calls
    assert (first.id, first.kind, first.result) == ("x", "reads", {"status": "paid"})
    assert (second.raw, second.error.text, third.raw) == ('{"sum": 3}', "no funds", "{sum")


def test_a_service_of_another_shape(monkeypatch):
    monkeypatch.setenv("DESK_TOKEN", "s3cret-0123456789")
    source_of = {
        "headers": {"Authorization": "Bearer env:DESK_TOKEN", "X-Tenant": "acme"},
        "body": {
            "sender": "{conversation_id}",
            "input": {"text": "{message}", "note": "turn {turn}: {message}!", "temperature": 0.5},
            "log": ["{openai_messages}"],
            "tools": "{openai_tools}",
        },
        "reply": {"messages": "*.text", "usage": "0.usage"},
    }
    answer = [{"text": "one", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}, {"image": "x"}, {"text": "two"}]
    with served(lambda _: answer) as server:
        (reply,) = talk(service(server.url, **source_of), orders(), "a {turn} {x}")
    assert reply.messages == ("one", "two")
    (request,) = server.requests
    assert request.headers["authorization"] == "Bearer s3cret-0123456789"
    assert request.headers["x-tenant"] == "acme"
    assert request.body["sender"] == "c-1"
    # What the user says is never taken for a template.
    assert request.body["input"] == {
        "text": "a {turn} {x}",
        "note": "turn 1: a {turn} {x}!",
        "temperature": 0.5,
    }
    assert request.body["log"] == [[{"role": "user", "content": "a {turn} {x}"}]]
    assert request.body["tools"][0]["function"]["name"] == "get_order"


def test_an_openai_like_service_gets_its_own_form_back():
    call = {"id": "a", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "O-1"}'}}
    answers = [
        {"choices": [{"message": {"content": None, "tool_calls": [call]}}]},
        {"choices": [{"message": {"content": "It is shipped."}}]},
    ]
    written = {
        "body": {"messages": "{openai_messages}"},
        "reply": {"text": "choices.0.message.content", "tool_calls": "choices.0.message.tool_calls"},
    }
    with served(answers) as server:
        (reply,) = talk(service(server.url, **written), orders(), "where is it?")
    assert reply.messages == ("It is shipped.",)
    user, assistant, tool = server.bodies[1]["messages"]
    assert user == {"role": "user", "content": "where is it?"}
    assert (assistant["content"], assistant["tool_calls"][0]["function"]["name"]) == (None, "get_order")
    assert json.loads(assistant["tool_calls"][0]["function"]["arguments"]) == {"order_id": "O-1"}
    assert (tool["tool_call_id"], json.loads(tool["content"])) == ("a", {"status": "shipped", "id": "O-1"})


def test_results_that_the_body_can_not_bring_are_a_mistake_in_the_file():
    call = {"text": "", "tool_calls": [{"name": "get_order", "arguments": {"order_id": "O-1"}}]}
    desk = orders()
    with served([call]) as server, pytest.raises(AgentProblem, match=r"neither `\{tool_results\}` nor"):
        talk(service(server.url, body={"text": "{message}"}), desk)
    assert desk.made == []


@pytest.mark.parametrize(
    ("answer", "kind", "text"),
    [
        (Raw(b"boom", status=500), AgentError, "answered 500 Internal Server Error: boom"),
        (Raw(status=501), AgentError, "answered 501"),
        (Raw(status=429), OutageError, "answered 429 Too Many Requests"),
        (Raw(status=502), OutageError, "answered 502"),
        (Raw(b"<h1>down</h1>", status=503), OutageError, "answered 503 Service Unavailable: <h1>down</h1>"),
        (Raw(status=504), OutageError, "answered 504"),
        (
            Raw(b"<html>", headers={"Content-Type": "text/html; charset=utf-8"}),
            AgentError,
            "text/html, not application",
        ),
        (Raw(b"{}", headers={}), AgentError, "answered without a content type, not"),
        (Raw(b"data: x", headers={"Content-Type": "text/event-stream"}), AgentError, "text/event-stream, not"),
        (Raw(b'{"text": "cut'), AgentError, "is not JSON"),
        (Raw(b'{"text": "x", "confidence": NaN}'), AgentError, "NaN is no number in JSON"),
        (Raw(b"[" * 100_000), AgentError, "is not JSON"),
        (Raw(b""), AgentError, "is not JSON"),
        (Raw(b'"' + b"x" * MAX_BYTES + b'"'), AgentError, "more than 4,000,000 bytes"),
        (
            Raw(
                gzip.compress(b'"' + b"x" * MAX_BYTES + b'"'),
                headers={
                    "Content-Type": "application/json",
                    "Content-Encoding": "gzip",
                },
            ),
            AgentError,
            "more than 4,000,000 bytes",
        ),
        (
            Raw(b"this is no gzip", headers={"Content-Type": "application/json", "Content-Encoding": "gzip"}),
            AgentError,
            "broke off",
        ),
        (Drop(), AgentError, "broke off instead of answering"),
        (Raw(b'{"text":', length=100), AgentError, "broke off instead of answering"),
        ({"text": " "}, AgentError, "said nothing"),
        ({"text": None}, AgentError, "said nothing"),
        ({"text": "x", "outcome": "done"}, AgentError, "states the outcome 'done'"),
        ({"text": "x", "confidence": 2}, AgentError, "a number from 0 to 1"),
        ({"text": 3}, AgentError, "text is 3, not text"),
        ({"messages": ["a", 3]}, AgentError, "not a list of texts"),
        ({"text": "x", "usage": {"input": 1}}, AgentError, "without input and output tokens"),
        ({"text": "x", "usage": "many"}, AgentError, "usage is"),
        ({"text": "x", "tool_calls": {"name": "f"}}, AgentError, "not a list"),
        ({"text": "x", "tool_calls": [{"arguments": {}}]}, AgentError, "has no name of a tool"),
        (Raw(status=400), AgentProblem, "answered 400"),
        (Raw(b"no", status=401), AgentProblem, "Authorization: env:NAME}`: no"),
        (Raw(status=403), AgentProblem, "answered 403"),
        (Raw(status=404), AgentProblem, "answered 404"),
        (Raw(status=422), AgentProblem, "answered 422"),
        (
            Raw(status=308, headers={"Location": "https://elsewhere.example/?key=k"}),
            AgentProblem,
            "to https://elsewhere.example/: redirects are not followed, name that address",
        ),
        ({}, AgentProblem, "no `text` or `messages`: it is {}; `reply:` says where to look"),
        ([], AgentProblem, "no `text` or `messages`"),
    ],
)
def test_whose_fault_the_first_answer_is(answer, kind, text):
    with served([answer]) as server, pytest.raises(kind) as raised:
        talk(resolve(server.url, HERE))
    assert text in str(raised.value)
    assert server.place in str(raised.value) or kind is AgentError
    assert len(server.requests) == 1  # whatever it was, the service had the message: it doesn't get it twice
    assert is_outage(raised.value) == (kind is OutageError)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Raw(status=400), AgentError),
        (Raw(status=403), AgentError),
        (Raw(status=404), AgentError),
        (Raw(status=307), AgentError),
        ({}, AgentError),
        (Raw(status=401), OutageError),
    ],
)
def test_later_it_is_nobodys_mistake(answer, kind):
    with served([TEXT, answer]) as server, pytest.raises(kind):
        talk(resolve(server.url, HERE), None, "hi", "again")


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems queue more connections than are asked for"
)
def test_a_host_that_does_not_take_the_connection_is_an_outage(monkeypatch):
    monkeypatch.setattr(http_service, "_CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as waiting:
        for _ in range(3):
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        with pytest.raises(OutageError, match=r"can't be reached within 0.3 s"):
            talk(resolve(f"http://127.0.0.1:{full.getsockname()[1]}/chat", HERE))


def test_a_refused_connection_is_tried_again_and_then_an_outage():
    port = free_port()
    began = time.monotonic()
    with pytest.raises(OutageError, match=f"nothing answers at 127.0.0.1:{port}/chat: connection refused"):
        talk(resolve(f"http://127.0.0.1:{port}/chat", HERE))
    assert time.monotonic() - began > 0.5


def test_a_host_that_nobody_has_is_a_mistake():
    with pytest.raises(AgentProblem, match="no such host"):
        talk(resolve("http://no-such-host.invalid/chat", HERE))


def test_an_answer_that_is_not_encrypted_is_none_over_https():
    with served([TEXT]) as server, pytest.raises(AgentProblem, match="gives no secure connection"):
        talk(resolve(server.url.replace("http:", "https:"), HERE))
    assert not server.requests


def test_a_reply_that_takes_too_long_is_not_asked_for_again():
    asked, waiting = threading.Event(), threading.Event()

    def slow(_):
        asked.set()
        waiting.wait(60)
        return TEXT

    async def run(url):
        session = Desk().session()
        agent = await resolve(url, HERE).open(session)
        async with asyncio.timeout(None) as limit:
            reply = asyncio.create_task(agent.reply("hi", session))
            assert await asyncio.to_thread(asked.wait, 60)
            limit.reschedule(0)
            await reply

    with served(slow) as server:
        with pytest.raises(TimeoutError):
            asyncio.run(run(server.url))
        waiting.set()
    assert len(server.requests) == 1


def test_conversations_share_connections_but_no_cookie_and_no_state():
    def answer(request):
        assert "cookie" not in request.headers
        return Raw(
            json.dumps({"text": request.body["conversation_id"]}).encode(),
            headers={
                "Content-Type": "application/json",
                "Set-Cookie": "session=abc; Path=/",
            },
        )

    async def run(source):
        async def one(name):
            session = Desk().session(conversation=name)
            agent = await source.open(session)
            return [(await agent.reply("hi", session)).messages for _ in range(3)]

        return await asyncio.gather(*(one(f"c-{number}") for number in range(10)))

    with served(answer) as server:
        source = resolve(server.url, HERE)
        for _ in range(2):  # in a new event loop each time
            assert asyncio.run(run(source)) == [[(f"c-{number}",)] * 3 for number in range(10)]
    assert len(server.requests) == 60


def test_a_secret_is_sent_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("DESK_TOKEN", "s3cret-0123456789")
    echo = Raw(b'{"text": "you sent s3cret-0123456789"}')
    with served([echo, Raw(b"wrong: s3cret-0123456789", status=500)]) as server:
        source = service(server.url, headers={"X-Api-Key": "env:DESK_TOKEN"})
        (reply,) = talk(source)
        with pytest.raises(AgentError, match=r"wrong: \[masked\]"):
            talk(source)
    assert reply.messages == ("you sent [masked]",)
    assert server.requests[0].headers["x-api-key"] == "s3cret-0123456789"
    assert "s3cret" not in repr(source.version) + repr(source.notes)


def test_versions_are_told_by_what_is_written(monkeypatch):
    monkeypatch.setenv("A", "one-long-secret")
    plain = resolve("https://bot.example.com:8443/v1/chat?lang=en", HERE)
    assert plain.version.name == "bot.example.com:8443/v1/chat"
    assert plain.version.version == plain.version.source_digest[:8]
    assert any("name it under `version:`" in note for note in plain.notes)
    named = service("https://bot.example.com:8443/v1/chat", version="2026-11", headers={"X-Key": "env:A"})
    assert named.version.label == "bot.example.com:8443/v1/chat@2026-11"
    assert not any("version" in note for note in named.notes)
    monkeypatch.setenv("A", "another-long-secret")
    again = service("https://bot.example.com:8443/v1/chat", version="2026-11", headers={"X-Key": "env:A"})
    assert again.version == named.version
    assert any("tools that it does not hand over in `tool_calls` are real" in note for note in named.notes)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ({"url": "ftp://x/y"}, "`ftp://x/y` is no address such as https://host/path"),
        ({"url": "http://"}, "is no address"),
        ({"url": "http://x:99999/"}, "is no address"),
        ({"url": "http://x/a b"}, "is no address"),
        ({"url": "https://ana:pw@x/y"}, "an address holds no user and password"),
        ({"url": "https://x/y?api_key=k"}, "`api_key` in an address looks like a secret"),
        ({"headers": {"Authorization": "Bearer abc"}}, "`Authorization` looks like a secret"),
        ({"headers": {"Authorization": "env:NO_SUCH_VARIABLE"}}, "needs the variable NO_SUCH_VARIABLE, which is not"),
        ({"headers": {"traceparent": "x"}}, "`traceparent` is set by turngate itself"),
        ({"headers": {"X Y": "x"}}, "`X Y` is no name of a header"),
        ({"headers": {"X-Y": "a\r\nX-Z: b"}}, "has a line break"),
        ({"body": {"text": "{mesage}"}}, "there is no field `{mesage}`; did you mean `message`?"),
        ({"body": {"text": {"message": None}}}, 'quote it, "{message}"'),
    ],
)
def test_what_is_written_wrong_is_told(written, text):
    with pytest.raises(AgentProblem) as raised:
        service(**{"url": "http://x/y", **written})
    assert text in str(raised.value)
    assert "pw" not in str(raised.value)


@pytest.mark.parametrize(
    ("document", "paths", "messages"),
    [
        ({"a": {"b": ["x", "y"]}}, {"text": "a.b.-1"}, ("y",)),
        ({"a": [{"t": "x"}, {}, {"t": "y"}]}, {"messages": "a.*.t"}, ("x", "y")),
        ([["x"], ["y", "z"]], {"messages": "1.*"}, ("y", "z")),
        ({"0": {"t": "x"}}, {"text": "0.t"}, ("x",)),
        (
            {"t": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]},
            {"text": "t"},
            ("ab",),
        ),
    ],
)
def test_paths(document, paths, messages):
    assert read_answer(document, paths).messages == messages


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"input": 3, "output": 4, "cached": 1, "reasoning": 2}, Usage(3, 4, 1, 2)),
        ({"prompt_tokens": 3, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 1}}, Usage(3, 4, 1)),
        (
            {
                "input_tokens": 3,
                "output_tokens": 4,
                "output_tokens_details": {"reasoning_tokens": 2},
                "total_tokens": 7,
            },
            Usage(3, 4, 0, 2),
        ),
    ],
)
def test_usage_in_the_forms_that_there_are(usage, read):
    assert read_answer({"text": "x", "usage": usage}, {"text": "text", "usage": "usage"}).usage == read
