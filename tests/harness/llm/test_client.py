"""The model client over real HTTP: what is repeated, what is waited for, and who is to blame in the end."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime

import openai
import pytest

from harness.llm.access import ModelAccess
from harness.llm.chat import Chat
from harness.llm.client import Asking, ModelClient
from harness.llm.messages import user
from harness.llm.problem import CostStopError, ModelProblem, ProviderError, RequestRefusedError
from harness.llm.responses import Responses
from harness.llm.retry import Patience
from harness.store.mask import mask
from tests.harness.llm.provider import USAGE, Raw, call, called, chunk, error, provider, said, stream
from traces import genai
from traces.capture import Tracing
from traces.genai import Usage

QUICK = Patience(attempts=3, seconds=5.0, first=0.01, most=0.02)


def client(known, monkeypatch, patience=QUICK, price=None, **access):
    monkeypatch.setenv("OPENAI_BASE_URL", known.url)
    more = {"price": price} if price else {}
    return ModelClient(ModelAccess(**access), mask, patience=patience, **more)


def asking(dialect=None, **more):
    return Asking("small-1", dialect or Chat(), "Be brief.", **more)


def ask(asker, *messages, **more):
    return asyncio.run(asker.ask(asking(**more), [user(text) for text in messages or ("hi",)], 7))


def failed(asker, kind=ProviderError, **more):
    with pytest.raises(kind) as caught:
        ask(asker, **more)
    return str(caught.value)


def test_a_request_and_its_answer(monkeypatch):
    with provider(said("Hello.")) as known:
        answer = ask(client(known, monkeypatch), parameters={"temperature": 0})
    assert answer.said == ("Hello.",)
    assert answer.usage == Usage(input=100, output=20, cached=60, reasoning=5)
    assert (answer.finish, answer.model, answer.id) == ("stop", "small-1-2026", "chatcmpl-1")
    assert known.paths == ["/v1/chat/completions"]
    assert known.headers[0]["authorization"] == "Bearer sk-test-1234567890abcdef"
    assert known.requests == [
        {
            "model": "small-1",
            "temperature": 0,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}],
        }
    ]


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 3}, {"prompt_tokens": None, "completion_tokens": 2}])
def test_usage_that_is_missing_stays_missing(monkeypatch, usage):
    with provider(said("Hello.", usage=usage)) as known:
        assert ask(client(known, monkeypatch)).usage is None


def test_null_content_a_refusal_and_text_in_parts(monkeypatch):
    with provider(
        said(None, refusal="I can't help with that."),
        said([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
    ) as known:
        asker = client(known, monkeypatch)
        assert ask(asker).said == ("I can't help with that.",)
        assert ask(asker).said == ("a", "b")


@pytest.mark.parametrize(
    "trouble",
    [
        error(500, "oops"),
        error(503, "busy"),
        error(408, "slow"),
        error(429, "too many", retry_after="0"),
        Raw(b"<html>gateway</html>", kind="text/html"),
        Raw(b'{"id": "x", "choices": [', kind="application/json"),
        Raw(b'{"error": {"message": "upstream"}}'),
        Raw(b"[]"),
        Raw(b'{"choices": []}'),
        Raw(cut=True),
        Raw(b'{"id": ', cut=True),
    ],
    ids=["500", "503", "408", "429", "html", "half", "error-200", "list", "no-choice", "reset", "cut"],
)
def test_what_may_pass_is_asked_again(monkeypatch, trouble):
    with provider(trouble, said("Hello.")) as known:
        assert ask(client(known, monkeypatch)).said == ("Hello.",)
        assert len(known.requests) == 2
    with provider(trouble) as known:
        text = failed(client(known, monkeypatch, Patience(3, 0.3, 0.01, 0.02)))
        assert known.url in text
        assert len(known.requests) == 3 or trouble.status == 429


def test_connections_are_closed_with_their_loop(monkeypatch):
    opened = []

    class Client(openai.AsyncOpenAI):
        def __init__(self, **options):
            super().__init__(**options)
            opened.append(self)

    monkeypatch.setattr(openai, "AsyncOpenAI", Client)

    async def twice():
        for _ in range(2):
            await asker.ask(asking(), [user("hi")], 7)
        return [each.is_closed() for each in opened]

    with provider(said("Hello.")) as known:
        asker = client(known, monkeypatch)
        assert asyncio.run(twice()) == [False]
        assert asyncio.run(twice()) == [True, False]
    assert [each.is_closed() for each in opened] == [True, True]


def test_nobody_listens(monkeypatch):
    with provider(said("never")) as known:
        asker = client(known, monkeypatch)
    assert "can't be reached" in failed(asker)
    assert "(attempt 3, " in failed(asker)


def test_a_provider_that_hangs(monkeypatch):
    late = Raw(json.dumps(said("Late.")).encode(), hang=4)
    with provider(late, said("Hello.")) as known:
        assert ask(client(known, monkeypatch), seconds=1).said == ("Hello.",)
        assert len(known.requests) == 2
    with provider(Raw(hang=2)) as known:
        assert "within 0.2 s" in failed(client(known, monkeypatch), seconds=0.2)


@pytest.mark.parametrize("form", ["seconds", "milliseconds", "date"])
def test_the_provider_says_how_long_to_wait(monkeypatch, form):
    def soon():
        return format_datetime(datetime.fromtimestamp(int(time.time()) + 2, UTC), usegmt=True)

    headers = {
        "seconds": lambda: {"retry_after": "0.5"},
        "milliseconds": lambda: {"retry_after_ms": "500", "retry_after": "60"},
        "date": lambda: {"retry_after": soon()},
    }[form]
    with provider(lambda _: error(429, "too many", **headers()), said("Hello.")) as known:
        assert ask(client(known, monkeypatch)).said == ("Hello.",)
    assert known.times[1] - known.times[0] >= 0.45


def test_a_wait_beyond_patience_is_an_outage_at_once(monkeypatch):
    with provider(error(429, "tomorrow", retry_after="86400")) as known:
        asker = client(known, monkeypatch)
        waits = []
        monkeypatch.setattr("harness.llm.persist.asyncio.sleep", waits.append)
        assert "429: tomorrow" in failed(asker)
        assert "asks to wait" in failed(asker)  # and nobody else asks in vain
    assert waits == []
    assert len(known.requests) == 1


def test_a_provider_that_says_not_to_wait_is_not_hammered(monkeypatch):
    with provider(error(429, "too many", retry_after="0")) as known:
        failed(client(known, monkeypatch, Patience(3, 0.5, 0.05, 0.1)))
    assert len(known.requests) <= 6


def test_one_that_is_asked_to_wait_makes_all_wait(monkeypatch):
    with provider(error(429, "too many", retry_after="0.4"), said("Hello.")) as known:
        asker = client(known, monkeypatch)

        async def both():
            first = asyncio.create_task(asker.ask(asking(), [user("one")], 1))
            while not asker._ledger.paused_until:
                await asyncio.sleep(0.01)
            second = asyncio.create_task(asker.ask(asking(), [user("two")], 2))
            return await asyncio.gather(first, second)

        asyncio.run(both())
    assert len(known.requests) == 3
    assert min(known.times[1:]) - known.times[0] >= 0.38


def test_waits_follow_from_the_seed():
    from random import Random

    from harness.llm.problem import TransientError

    patience, busy = Patience(first=0.5, most=4.0), TransientError("busy")
    waits = [[patience.wait(number, busy, random) for number in range(1, 6)] for random in (Random(3), Random(3))]
    assert waits[0] == waits[1]
    for wait, least in zip(waits[0], [0.5, 1.0, 2.0, 4.0, 4.0], strict=True):
        assert least <= wait <= least * 1.25


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (error(401, "Incorrect API key provided: sk-test-1234567890abcdef"), "does not accept the key"),
        (error(403, "not for you"), "does not let this key use the model `small-1`"),
        (error(404, "The model does not exist", "model_not_found"), "has no model `small-1`"),
        (error(429, "You exceeded your current quota", "insufficient_quota"), "no money left"),
    ],
    ids=["401", "403", "404", "quota"],
)
def test_a_wrong_key_or_model_is_a_mistake_from_the_beginning_and_an_outage_later(monkeypatch, answer, text):
    with provider(answer, said("Hello."), answer) as known:
        asker = client(known, monkeypatch)
        told = failed(asker, ModelProblem)
        assert text in told
        assert "sk-test" not in told
        assert known.url in told
        assert len(known.requests) == 1
        ask(asker)
        assert text in failed(asker, ProviderError)


def test_what_another_process_was_answered_counts(monkeypatch, tmp_path):
    ledger = str(tmp_path / "ledger.db")
    with provider(said("Hello."), error(401, "revoked")) as known:
        ask(client(known, monkeypatch, ledger=ledger))
        assert "revoked" in failed(client(known, monkeypatch, ledger=ledger), ProviderError)


def test_a_refused_request_is_neither(monkeypatch):
    with provider(error(400, "context_length_exceeded")) as known:
        assert "refuses the request (400)" in failed(client(known, monkeypatch), RequestRefusedError)
        assert len(known.requests) == 1


def test_what_can_be_found_out_before_the_first_request(monkeypatch):
    for status, code, wrong in (
        (401, "invalid_api_key", True),
        (404, "model_not_found", True),
        (403, None, False),
        (404, None, False),
    ):
        with provider(said("Hello."), models=error(status, "no", code)) as known:
            asker = client(known, monkeypatch)
            if wrong:
                with pytest.raises(ModelProblem, match=f"status {status}"):
                    asker.check("small-1")
            else:
                asker.check("small-1")
            assert known.requests == []
    asker.check("small-1")  # nobody listens any more: that is an outage, and no mistake


@pytest.mark.parametrize(
    ("url", "key", "text"),
    [
        ("", "", "no key: set OPENAI_API_KEY"),
        ("localhost:8000", "sk-1", "OPENAI_BASE_URL is `localhost:8000`"),
        ("ftp://name:secret@host/v1", "sk-1", "`ftp://host/v1`"),
        ("http://host:99999/v1", "sk-1", "OPENAI_BASE_URL is no address"),
        ("http://[::1", "sk-1", "OPENAI_BASE_URL is no address"),
        ("", "sk-\n1", "a character in it that no key has"),
        ("", "sk-ключ", "a character in it that no key has"),
    ],
)
def test_an_environment_that_can_not_be_meant(monkeypatch, url, key, text):
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ModelProblem) as caught:
        ModelClient(ModelAccess(), mask)
    assert text in str(caught.value)


def test_a_server_of_ones_own_needs_no_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "")
    with provider(said("Hello.")) as known:
        assert ask(client(known, monkeypatch)).said == ("Hello.",)


def test_a_streamed_answer_is_the_same_as_one_in_one_piece(monkeypatch):
    usage = {**chunk(), "choices": [], "usage": USAGE}
    with provider(
        stream(chunk(role="assistant", content=""), chunk(content="Hel"), chunk(content="lo."), chunk("stop"), usage),
        stream(
            chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "get_order", "arguments": ""}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"order_id"'}}]),
            chunk(tool_calls=[{"index": 1, "id": "b", "function": {"name": "get_order", "arguments": "{}"}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": ': "O-1"}'}}]),
            chunk("tool_calls"),
        ),
    ) as known:
        asker = client(known, monkeypatch)
        answer = ask(asker, stream=True)
        assert answer.said == ("Hello.",)
        assert answer.usage == Usage(100, 20, 60, 5)
        assert known.requests[0]["stream"] is True
        assert known.requests[0]["stream_options"] == {"include_usage": True}
        answer = ask(asker, stream=True)
        assert [(part["id"], part["name"], part["arguments"]) for part in answer.calls] == [
            ("a", "get_order", '{"order_id": "O-1"}'),
            ("b", "get_order", "{}"),
        ]
        assert answer.usage is None


def test_servers_that_give_every_streamed_call_the_same_index(monkeypatch):
    calls = [
        chunk(tool_calls=[{"index": 0, "id": name, "function": {"name": name, "arguments": "{}"}}])
        for name in ("x", "y")
    ]
    with provider(stream(*calls, chunk("tool_calls"))) as known:
        assert [part["name"] for part in ask(client(known, monkeypatch), stream=True).calls] == ["x", "y"]


@pytest.mark.parametrize(
    "broken",
    [
        stream(chunk(content="Hel"), done=False),
        stream(chunk(content="Hel"), done=False, cut=True),
        stream(chunk(content="Hel"), {"error": {"message": "overloaded", "code": "server_error"}}),
        Raw(b"data: {not json\n\n", kind="text/event-stream"),
    ],
    ids=["ends", "cut", "error", "no-json"],
)
def test_a_stream_that_breaks_off_is_asked_for_again(monkeypatch, broken):
    with provider(broken, stream(chunk(content="Hello."), chunk("stop"))) as known:
        assert ask(client(known, monkeypatch), stream=True).said == ("Hello.",)
    assert len(known.requests) == 2


RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "small-1-2026",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Hello.", "annotations": []}],
        },
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "c-1",
            "name": "get_order",
            "arguments": '{"order_id": "O-1"}',
        },
    ],
    "usage": {
        "input_tokens": 30,
        "input_tokens_details": {"cached_tokens": 10},
        "output_tokens": 8,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 38,
    },
}


@pytest.mark.parametrize("streamed", [False, True])
def test_the_responses_api(monkeypatch, streamed):
    events = [{"type": "response.created"}, {"type": "response.completed", "response": RESPONSE}]
    with provider(stream(*events) if streamed else RESPONSE) as known:
        answer = ask(client(known, monkeypatch), dialect=Responses(), stream=streamed)
    assert answer.said == ("Hello.",)
    assert [(part["id"], part["name"], part["arguments"]) for part in answer.calls] == [
        ("c-1", "get_order", '{"order_id": "O-1"}')
    ]
    assert answer.usage == Usage(30, 8, 10, 4)
    assert answer.finish == "tool_calls"
    assert known.paths == ["/v1/responses"]
    assert known.requests[0]["input"] == [{"role": "user", "content": "hi"}]
    assert (known.requests[0]["instructions"], known.requests[0]["store"]) == ("Be brief.", False)


def test_a_failed_and_a_cut_off_response(monkeypatch):
    refused = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    cut = {
        **RESPONSE,
        "output": [refused],
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
    }
    broken = {**RESPONSE, "status": "failed", "error": {"code": "server_error", "message": "sorry"}}
    with provider(broken, cut) as known:
        answer = ask(client(known, monkeypatch), dialect=Responses())
    assert (answer.said, answer.finish) == (("No.",), "length")
    assert len(known.requests) == 2


def test_the_span_of_a_request(monkeypatch):
    tracing = Tracing()
    with provider(error(500, "oops"), called(call("get_order", {"order_id": "O-1"}))) as known:
        asker = client(known, monkeypatch)
        with tracing.episode() as trace:
            with trace.turn(1):
                ask(asker, parameters={"temperature": 0.5})
            spans, missing = trace.finish()
    tracing.close()
    (span,) = (span for span in spans if span.scope == genai.STAND_IN)
    assert missing is None
    assert (span.name, span.kind, span.status) == ("chat small-1", "client", "unset")
    told = span.attributes
    assert told["gen_ai.request.temperature"] == 0.5
    assert told["gen_ai.response.finish_reasons"] == ["tool_calls"]
    assert told["server.address"] == "127.0.0.1"
    assert '"hi"' in told["gen_ai.input.messages"]
    assert "Be brief." in told["gen_ai.system_instructions"]
    assert "get_order" in told["gen_ai.output.messages"]
    assert "sk-test" not in str(spans)
    (found,) = genai.model_calls(spans)
    assert (found.model, found.tokens) == ("small-1-2026", Usage(100, 20, 60, 5))


def test_a_cost_stop(monkeypatch):
    def price(model, usage):
        return Decimal("0.01") * usage.output if model == "small-1" else None

    with provider(said("Hello.")) as known:
        asker = client(known, monkeypatch, price=price, max_cost="0.30")
        asker.check("small-1")
        with pytest.raises(ModelProblem, match="no price of `other`"):
            asker.check("other")
        ask(asker)
        ask(asker)
        assert "0.4000 USD, and --max-cost is 0.30" in failed(asker, CostStopError)
        assert len(known.requests) == 2


def test_a_cost_stop_needs_to_know_what_was_used(monkeypatch):
    with provider(said("Hello.", usage=None)) as known:
        asker = client(known, monkeypatch, price=lambda *_: Decimal(1), max_cost="5")
        assert "does not tell how many tokens" in failed(asker, ModelProblem)


def test_processes_share_what_is_spent_and_the_pause(monkeypatch, tmp_path):
    ledger = str(tmp_path / "ledger.db")
    with provider(said("Hello.")) as known:
        one, two = (
            client(known, monkeypatch, price=lambda *_: Decimal("0.7"), max_cost="1", ledger=ledger) for _ in range(2)
        )
        ask(one)
        ask(two)
        assert "1.4000 USD" in failed(one, CostStopError)
    with provider(error(429, "later", retry_after="3600")) as known:
        failed(client(known, monkeypatch, ledger=ledger))
        assert "asks to wait" in failed(client(known, monkeypatch, ledger=ledger))


def test_who_runs_out_of_time_knows_that_the_provider_failed(monkeypatch):
    async def cut_short():
        async with asyncio.timeout(None) as limit:
            answer = asyncio.create_task(asker.ask(asking(), [user("hi")], 1))
            while not (asker._ledger.paused_until or answer.done()):
                await asyncio.sleep(0.01)
            limit.reschedule(0)
            await answer

    with provider(error(429, "too many", retry_after="3")) as known:
        asker = client(known, monkeypatch)
        with pytest.raises(TimeoutError) as caught:
            asyncio.run(cut_short())
    assert isinstance(caught.value.__cause__.__cause__, ProviderError)
