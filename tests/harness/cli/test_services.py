"""Whole conversations with a service: what the episode keeps, who is blamed, and when there is nothing to play."""

from __future__ import annotations

import threading
from textwrap import dedent

import pytest

from harness.agents.problem import AgentProblem
from harness.episodes import deadline
from harness.episodes.task import Limits
from harness.runs.prepare import load_bundle
from harness.scoring.efficiency import cost
from harness.scoring.registry import NotJudged
from harness.workflow.prices import builtin_prices
from harness.workflow.problems import Problems
from harness.workflow.remote import read_http_agent
from tests.clock import Clock
from tests.harness.agents.server import Drop, Raw, free_port, served
from tests.harness.desk import WORKFLOW, played, scenario, write

ASKED = {"text": "", "tool_calls": [{"id": "a", "name": "cancel_order", "arguments": {"order_id": "O-1"}}]}
DONE = {"text": "I have cancelled order O-1.", "outcome": "resolved"}


def test_its_tool_calls_change_the_sandbox(tmp_path):
    with served([ASKED, DONE]) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.")
    assert [(call.id, call.tool, call.origin) for call in episode.calls] == [("a", "cancel_order", "sandbox")]
    assert [change.after["status"] for change in episode.state_changes] == ["cancelled"]
    assert (episode.end.kind, episode.stated_outcome) == ("script_done", "resolved")
    assert any("tools that it does not hand over" in note for note in episode.notes)


def test_its_spans_would_join_the_turn_below_the_request(tmp_path):
    with served([ASKED, DONE]) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.")
    (turn,) = [span for span in episode.spans if span.name == "turn"]
    requests = [span for span in episode.spans if span.name.startswith("invoke_agent ")]
    assert [span.parent_id for span in requests] == [turn.span_id] * 2
    assert [request.headers["traceparent"] for request in server.requests] == [
        f"00-{span.trace_id}-{span.span_id}-01" for span in requests
    ]
    ids = {request.headers["x-conversation-id"] for request in server.requests}
    assert ids == {episode.conversation_id} == {body["conversation_id"] for body in server.bodies}


def test_what_it_says_it_used_is_summed_over_its_answers(tmp_path):
    price = max((price for price in builtin_prices() if price.input), key=lambda price: price.since)
    model = price.model
    used = {"usage": {"prompt_tokens": 100, "completion_tokens": 10}, "model": model}
    with served([ASKED | used, DONE | used]) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.")
    assert [(call.turn, call.model, call.usage.input, call.usage.output) for call in episode.model_calls] == [
        (1, model, 100, 10),
        (1, model, 100, 10),
    ]
    paid = cost(episode, episode.model_calls, builtin_prices())
    assert paid == (200 * price.input + 20 * price.output) / 1_000_000


@pytest.mark.parametrize("wrong", [{"input": -1, "output": 2}, {"input": "many", "output": 2}])
def test_usage_that_can_not_be_right_or_is_left_out_is_missing(tmp_path, wrong):
    right = {"input": 100, "output": 10}
    answers = [ASKED | {"usage": right}, DONE | {"usage": wrong}, {"text": "Bye.", "usage": right}, {"text": "Bye."}]
    with served(answers) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.", "Thanks.", "Bye.")
    known = [(call.turn, call.usage is not None) for call in episode.model_calls]
    assert known == [(1, True), (1, False), (2, True), (3, False)]
    with pytest.raises(NotJudged):
        cost(episode, episode.model_calls, builtin_prices())


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Raw(status=500), "agent_error", "FL4"),
        (Drop(), "agent_error", "FL4"),
        (Raw(b"<html>", headers={"Content-Type": "text/html"}), "agent_error", "FL4"),
        (Raw(status=404), "agent_error", "FL4"),
        ({"text": ""}, "agent_error", "FL4"),
        (Raw(status=503), "fault", "X2"),
        (Raw(status=429), "fault", "X2"),
    ],
)
def test_who_is_blamed_once_it_has_answered(tmp_path, answer, kind, code):
    with served([{"text": "Which order is it?"}, answer]) as server:
        episode = played(tmp_path, server.url, "Please cancel it.", "O-1")
    assert (episode.end.kind, episode.end.code) == (kind, code)
    assert server.place in episode.end.text or code == "FL4"
    assert len(server.requests) == 2


def test_nobody_there_is_an_outage(tmp_path):
    episode = played(tmp_path, f"http://127.0.0.1:{free_port()}/chat", "Please cancel O-1.")
    assert (episode.end.kind, episode.end.code) == ("fault", "X2")
    assert "connection refused" in episode.end.text


@pytest.mark.parametrize("answer", [Raw(status=401), Raw(status=404), {"answer": "hello"}])
def test_another_service_than_was_meant_ends_it_all(tmp_path, answer):
    with served([answer]) as server, pytest.raises(AgentProblem, match=server.place):
        played(tmp_path, server.url, "Please cancel O-1.")


def test_a_service_that_never_answers_hangs(tmp_path, monkeypatch):
    over, clock = threading.Event(), Clock()
    monkeypatch.setattr(deadline, "monotonic", clock)

    def never(_):
        clock.wait(60)
        over.wait(60)
        return DONE

    with served(never) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.", limits=Limits(turn_seconds=0.3))
        over.set()
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert len(server.requests) == 1


def test_a_service_that_calls_tools_without_end_is_stopped(tmp_path):
    with served(lambda _: ASKED) as server:
        episode = played(tmp_path, server.url, "Please cancel O-1.", limits=Limits(turn_calls=5))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert len(episode.calls) == 5


AGENT = """
  url: URL
  version: "7"
  headers: {Authorization: "Bearer env:DESK_TOKEN"}
  body: {input: "{message}", id: "{conversation_id}", results: "{tool_results}"}
  reply: {text: output.text, tool_calls: output.calls}
"""
CANCEL = {"name": "cancel_order", "arguments": {"order_id": "O-1"}}


def remote(request):
    text = request.body["input"]
    if text is None:
        return {"output": {"text": "I have cancelled order O-1."}}
    if "O-1" in text:
        return {"output": {"text": None, "calls": [CANCEL]}}
    return {"output": {"text": "Which order number is it?"}}


@pytest.mark.parametrize("place", ["workflow", "file"])
def test_a_service_is_described_in_the_workflow_or_in_a_file(cli, monkeypatch, place):
    monkeypatch.setenv("DESK_TOKEN", "s3cret-0123456789")
    with served(remote) as server:
        described = AGENT.replace("URL", server.url)
        if place == "workflow":
            write(cli.folder, workflow=WORKFLOW.replace(" agent.py:agent", described))
            came = cli("run")
        else:
            (cli.folder / "staging.yaml").write_text(dedent(described))
            came = cli("run", "--agent", "staging.yaml")
    assert (came.code, f"{server.place}@7" in came.out) == (0, True), came.text
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer s3cret-0123456789"}
    stored = b"".join(file.read_bytes() for file in (cli.folder / ".turngate").iterdir())
    assert b"s3cret" not in stored + came.text.encode()
    assert cli("rescore").code == 0


def test_wrong_keys_of_a_service_are_told_with_their_place(cli):
    wrong = WORKFLOW.replace(" agent.py:agent", "\n  url: ftp://x\n  headers: {Cookie: a=b}")
    write(cli.folder, workflow=wrong)
    came = cli("lint")
    assert came.code == 2
    assert "workflow.yaml:4:8: `ftp://x` is no address" in came.err
    assert "workflow.yaml:5:21: `Cookie` looks like a secret" in came.err


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{url: [a]}", "3:14: `agent.url` is a text, not a list"),
        ("{version: x}", "3:1: `url` is missing in `agent`"),
        ("[a]", "3:8: `agent` is a text, not a list"),
        ("https://ana:pw@x", "3:8: an address holds no user and password"),
        ("{url: http://x, reply: {outcome: x}}", "3:31: a reply has either `text` or `messages`"),
    ],
)
def test_what_is_wrong_with_an_agent_is_told_as_it_is_written(tmp_path, written, told):
    folder = write(tmp_path / "desk", workflow=WORKFLOW.replace("agent.py:agent", written))
    with pytest.raises(Problems) as raised:
        load_bundle(folder)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [("ulr: http://x", "x.yaml:1:1: unknown key `ulr`; did you mean `url`?"), (None, "x.yaml:1:1: can't be read")],
)
def test_a_file_that_describes_no_service(tmp_path, text, told):
    if text is not None:
        (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(Problems) as raised:
        read_http_agent(tmp_path / "x.yaml")
    assert told in str(raised.value)


def test_a_wrong_key_at_the_first_call_is_told_at_once(cli):
    write(cli.folder, scenarios=scenario("Please cancel O-1."))
    with served(lambda _: Raw(b"no such key", status=401)) as server:
        came = cli("run", "--agent", server.url)
    assert came.code == 2
    assert f"agent {server.place} answered 401 Unauthorized" in came.err
    assert "no such key" in came.err
    assert "Traceback" not in came.text
