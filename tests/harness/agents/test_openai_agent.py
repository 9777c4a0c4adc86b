"""`openai:MODEL` over real HTTP, in whole conversations with a sandbox."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from types import SimpleNamespace

import openai  # noqa: F401  here, so that no test's time is spent on it
import pytest

from harness.agents.openai_agent import Briefing, ModelSpec, instructions
from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.episodes import deadline
from harness.episodes.task import Limits
from harness.llm.access import ModelAccess
from harness.llm.client import ModelClient
from harness.llm.retry import Patience
from harness.model.episode import Message
from harness.model.material import Document
from tests.clock import Clock
from tests.harness.agents.desk import Desk, talk
from tests.harness.desk import played
from tests.harness.llm.provider import Raw, call, called, error, provider, said
from traces.genai import Usage

SPEC = "openai:small-1"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-1234567890abcdef")
    monkeypatch.setattr("harness.llm.client.PATIENCE", Patience(2, 30, 0.01, 0.02))
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Play one conversation against a model that answers so; gives the episode and what was asked."""

    def play(*answers, lines=("Cancel O-1",), spec=SPEC, **more):
        with provider(*answers) as known:
            monkeypatch.setenv("OPENAI_BASE_URL", known.url)
            return played(tmp_path, spec, *lines, **more), known

    return play


def texts(episode):
    return [message.text for message in episode.messages if message.role == "agent"]


def test_parallel_calls_go_to_the_sandbox_in_order_and_their_results_back(play):
    episode, known = play(
        called(
            call("get_order", {"order_id": "O-1"}, "a"),
            call("get_order", {"order_id": "O-2"}, "b"),
            content="One moment.",
        ),
        said("O-1 is paid, O-2 is shipped."),
    )
    assert texts(episode) == ["One moment.", "O-1 is paid, O-2 is shipped."]
    assert [(made.id, made.tool, made.arguments, made.ok) for made in episode.calls] == [
        ("a", "get_order", {"order_id": "O-1"}, True),
        ("b", "get_order", {"order_id": "O-2"}, True),
    ]
    assert [tool["function"]["name"] for tool in known.requests[0]["tools"]] == [
        "get_order",
        "cancel_order",
        "escalate",
    ]
    system, user, asked, first, second = known.requests[1]["messages"]
    assert system["content"].endswith("\n\nToday is Friday, 2026-11-20.")
    assert user == {"role": "user", "content": "Cancel O-1"}
    assert asked["content"] == "One moment."
    assert [made["function"]["arguments"] for made in asked["tool_calls"]] == [
        '{"order_id": "O-1"}',
        '{"order_id": "O-2"}',
    ]
    assert [first["tool_call_id"], second["tool_call_id"]] == ["a", "b"]
    assert json.loads(second["content"])["status"] == "shipped"
    assert [(each.model, each.usage) for each in episode.model_calls] == [("small-1-2026", Usage(100, 20, 60, 5))] * 2
    assert episode.end.kind == "script_done"
    assert episode.spans_missing is None
    assert episode.notes == []


def test_the_second_turn_holds_the_first(play):
    episode, known = play(
        called(call("get_order", {"order_id": "O-1"})),
        said("It is paid."),
        said("Bye."),
        lines=("Cancel O-1", "Thanks."),
    )
    assert [row["role"] for row in known.requests[2]["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert texts(episode) == ["It is paid.", "Bye."]


BROKEN = '{"order_id": "O-1",}'


def test_a_bad_argument_text_is_kept_and_drops_no_sibling(play):
    episode, known = play(
        called(call("cancel_order", BROKEN, "a"), call("get_order", {"order_id": "O-1"}, "b")), said("Sorry.")
    )
    bad, good = episode.calls
    assert (bad.raw, bad.arguments, bad.error.kind) == (BROKEN, None, "bad_arguments")
    assert good.ok
    _, _, asked, first, _ = known.requests[1]["messages"]
    assert asked["tool_calls"][0]["function"]["arguments"] == "{}"  # some servers refuse the whole history for it
    assert first["content"] == bad.error.text
    assert episode.end.kind == "script_done"


@pytest.mark.parametrize("arguments", ["null", '"K-7"', "[1]", "3"])
def test_arguments_that_are_no_object(play, arguments):
    episode, _ = play(called(call("cancel_order", arguments)), said("Sorry."))
    (made,) = episode.calls
    assert (made.raw, made.error.kind) == (arguments, "bad_arguments")


@pytest.mark.parametrize("arguments", ["", None])
def test_no_arguments_are_an_empty_object(play, arguments):
    episode, _ = play(called(call("escalate", arguments)), said("A colleague will help you."))
    assert [(made.tool, made.arguments, made.ok) for made in episode.calls] == [("escalate", {}, True)]


@pytest.mark.parametrize(("name", "told"), [("get_report", "get_report"), ('get_order" />', "get_order____")])
def test_a_tool_that_does_not_exist_is_answered_with_an_error(play, name, told):
    episode, known = play(called(call(name, {})), said("Sorry."))
    (made,) = episode.calls
    assert (made.tool, made.error.kind) == (name, "unknown_tool")
    assert known.requests[1]["messages"][2]["tool_calls"][0]["function"]["name"] == told
    assert texts(episode) == ["Sorry."]


def test_calls_without_an_id_or_with_the_same(play):
    calls = [call("get_order", {"order_id": each}, "x") for each in ("O-1", "O-2")]
    del calls[1]["id"]
    episode, known = play(called(*calls, {**calls[0]}), said("Done."))
    asked = known.requests[1]["messages"][2]["tool_calls"]
    assert len({made["id"] for made in asked}) == 3
    assert [row["tool_call_id"] for row in known.requests[1]["messages"][3:]] == [made["id"] for made in asked]
    assert len(episode.calls) == 3


def test_a_call_written_as_text_is_told_and_not_made(play):
    written = '```json\n{"name": "cancel_order", "arguments": {"order_id": "O-1"}}\n```'
    episode, _ = play(said(written))
    assert episode.calls == []
    assert texts(episode) == [written]
    assert episode.notes == [
        "the model writes tool calls as text, which nobody carries out: does its server know how it calls tools?",
        'turn 1: the model wrote a tool call as text, which nobody made: "cancel_order"',
    ]


def test_a_refusal_is_what_is_said(play):
    episode, _ = play(said(None, refusal="I can't help with that."))
    assert texts(episode) == ["I can't help with that."]
    assert episode.messages[-1].refusal


def test_a_model_that_says_nothing(play):
    for answer in (said(None), said(""), said("  ", finish="length")):
        episode, _ = play(answer)
        assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
        assert "the model said nothing and called no tool (finish reason: " in episode.end.text


@pytest.mark.parametrize(("finish", "cut"), [("length", "limit on its length"), ("content_filter", "content filter")])
def test_an_answer_that_was_cut_off_is_told(play, finish, cut):
    episode, _ = play(said("Your order", finish=finish))
    assert texts(episode) == ["Your order"]
    (note,) = episode.notes
    assert cut in note


def test_a_model_that_calls_tools_for_ever(play):
    episode, known = play(called(call("get_order", {"order_id": "O-1"})), spec=f"{SPEC}?rounds=4")
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert episode.end.text == "the model still called tools in request 4 of one turn"
    assert len(known.requests) == 4


@pytest.mark.parametrize(
    ("trouble", "text"),
    [
        (error(500, "oops"), "status 500: oops (attempt 2,"),
        (error(429, "too many", retry_after="60"), "status 429: too many (attempt 1,"),
        (Raw(cut=True), "can't be reached"),
        (Raw(b"no json"), "what is no JSON"),
    ],
    ids=["500", "429", "reset", "no-json"],
)
def test_an_outage_is_nobodys_failure(play, trouble, text):
    episode, _ = play(said("Hello."), trouble, lines=("Hi", "Cancel O-1"))
    assert (episode.end.kind, episode.end.code) == ("fault", "X2")
    assert text in episode.end.text


def test_a_turn_that_ends_while_the_provider_can_not_answer_is_an_outage(play, monkeypatch):
    clock = Clock()  # so that the turn can't end before there is an answer
    monkeypatch.setattr(deadline, "monotonic", clock)

    async def sleep(seconds):
        clock.wait(seconds)
        await asyncio.sleep(60)

    waits = SimpleNamespace(sleep=sleep, CancelledError=asyncio.CancelledError)
    monkeypatch.setattr("harness.llm.persist.asyncio", waits)
    episode, _ = play(error(429, "too many", retry_after="20"), limits=Limits(turn_seconds=0.3))
    assert (episode.end.kind, episode.end.code) == ("fault", "X2")
    assert "turn 1 took longer than 0.3 s: " in episode.end.text
    assert "status 429: too many" in episode.end.text
    episode, _ = play(lambda _: clock.wait(60) or Raw(hang=1.0), limits=Limits(turn_seconds=0.3))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")  # as slow as it is, it is the agent


def test_a_refused_request_is_the_agents(play):
    episode, _ = play(error(400, "context length exceeded"))
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "refuses the request (400): context length exceeded" in episode.end.text


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_ends_it_all(play, status):
    with pytest.raises(AgentProblem) as caught:
        play(error(status, "no sk-test-1234567890abcdef"))
    assert f"({status})" in str(caught.value)
    assert "sk-test" not in str(caught.value)


def test_the_key_is_nowhere_in_the_episode(play):
    key = "sk-test-1234567890abcdef"
    for answer in (error(400, f"key {key}"), error(500, f"key {key}"), said("Hello.")):
        episode, _ = play(answer)
        assert key not in repr(episode)


def test_the_responses_api(play):
    def response(*output):
        return {"id": "r", "status": "completed", "model": "small-1", "output": list(output)}

    made = {"type": "function_call", "id": "fc_1", "call_id": "c-1", "name": "get_order", "arguments": BROKEN}
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
    text = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is paid."}]}
    episode, known = play(response(thought, made), response(text), spec=f"{SPEC}?api=responses")
    assert texts(episode) == ["It is paid."]
    assert episode.calls[0].raw == BROKEN
    assert known.requests[1]["input"] == [
        {"role": "user", "content": "Cancel O-1"},
        thought,
        {"type": "function_call", "call_id": "c-1", "name": "get_order", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c-1", "output": episode.calls[0].error.text},
    ]
    assert known.requests[0]["tools"][0]["strict"] is False
    assert [each.usage for each in episode.model_calls] == [None, None]


def test_a_conversation_that_has_begun_elsewhere(monkeypatch):
    with provider(said("Yes.")) as known:
        monkeypatch.setenv("OPENAI_BASE_URL", known.url)
        history = [Message("user", "Hi", 1), Message("agent", "Hello.", 1)]
        session = Desk().session(history=history)
        (reply,) = talk(resolve(SPEC, session), None, "Really?", session=session)
    assert reply.messages == ("Yes.",)
    assert [row["content"] for row in known.requests[0]["messages"][1:]] == ["Hi", "Hello.", "Really?"]
    assert "tools" not in known.requests[0]


def source(spec, base, told="Be kind."):
    return resolve(spec, base, Briefing(lambda: ModelClient(ModelAccess(), lambda value: value), told))


def test_what_makes_a_version(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://name:secret@host.example/v1?token=x")
    (tmp_path / "told.md").write_text("Be brief.", encoding="utf-8")
    version = source(f"{SPEC}?temperature=0.5&stop=%5B%22x%22%5D", tmp_path).version
    assert version.name == "openai:small-1"
    assert version.model == "small-1"
    assert version.parameters == {
        "api": "chat",
        "temperature": 0.5,
        "stop": ["x"],
        "base_url": "https://host.example/v1",
    }
    other = [
        source(spec, tmp_path, told).version
        for spec, told in (
            (SPEC, "Be kind."),
            (SPEC, "Be kinder."),
            (f"{SPEC}?instructions=told.md", "Be kind."),
            (f"{SPEC}?api=responses", "Be kind."),
            ("openai:small-2", "Be kind."),
        )
    ]
    assert len({each.version for each in [version, *other]}) == 6
    assert other[0].prompt_digest == other[3].prompt_digest != other[1].prompt_digest
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    assert source(SPEC, tmp_path).version.version == other[0].version


def test_what_a_model_is_told_first():
    told = instructions("The help desk of a shop.", [Document("a.md", "# Refunds\n\nWithin 30 days.\n")])
    assert "\n\nThe service: The help desk of a shop.\n\n# Refunds\n\nWithin 30 days." in told


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("?api=completions", "api is chat or responses, not `completions`"),
        ("?rounds=0", "rounds is a number above 0, not `0`"),
        ("?rounds=2.5", "rounds is a number above 0, not `2.5`"),
        ("?timeout=soon", "timeout is a number above 0, not `soon`"),
        ("?stream=yes", "stream is true or false, not `yes`"),
        ("?api_key=sk-123", "`api_key` looks like a secret: keys come from OPENAI_API_KEY"),
        ("?messages=[]", "`messages` is not yours to set"),
        ("?temperature=", "`temperature` has no value"),
        ("?instructions=nowhere.md", "nowhere.md: No such file or directory"),
    ],
)
def test_what_can_not_be_meant(tmp_path, query, text):
    with pytest.raises(AgentProblem) as caught:
        source(SPEC + query, tmp_path)
    assert text in str(caught.value)
    assert "sk-123" not in str(caught.value)


def test_no_model_and_no_key(tmp_path, monkeypatch):
    with pytest.raises(AgentProblem, match="write openai:MODEL"):
        resolve("openai:", tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(AgentProblem, match="set OPENAI_API_KEY"):
        resolve(SPEC, tmp_path)


def test_parameters_are_json_or_text():
    spec = ModelSpec.read("openai:meta/llama:8b?temperature=0&reasoning_effort=low&store=true&seed=7&stream=true")
    assert spec.model == "meta/llama:8b"
    assert spec.stream
    assert spec.parameters == {"temperature": 0, "reasoning_effort": "low", "store": True, "seed": 7}


def test_the_client_library_is_imported_only_for_a_model():
    code = "import sys, harness.runs.prepare, harness.agents.openai_agent; print('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
