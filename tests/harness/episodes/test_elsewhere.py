"""Agents that are processes of their own: their spans join the episode, whatever language and dialect they are in."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx
import pytest

from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.model.remote import HttpAgent
from harness.model.status import Status
from harness.runs.player import Player
from harness.scoring.efficiency import EFFICIENCY
from harness.store.store import Store
from tests.harness.agents.server import free_port, served
from tests.harness.desk import ROOT, WORKFLOW, scenario, tasks, turngate, write
from tests.harness.scoring.build import material
from traces.capture import EpisodeTrace
from traces.genai import Usage
from traces.log_record import LogRecord
from traces.otlp import encode, protobuf
from traces.span import Span

FOLDER = ROOT / "examples" / "remote"
LINES = ("Please cancel my order.",)
TOLD = WORKFLOW.replace("passthrough: [outside]", "passthrough: [check_fraud]").replace(
    "tools:\n", "tools:\n  check_fraud: {kind: reads, args: {order_id: text}}\n"
)


def node():
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no node here")
    return found


def node_with_sdk():
    found = node()
    if subprocess.run([found, "-e", "require('@opentelemetry/sdk-node')"], capture_output=True, check=False).returncode:
        pytest.skip("there is no @opentelemetry/sdk-node here: npm install it, and name its folder in NODE_PATH")
    return found


@contextmanager
def running(*command, **environment):
    """A service in a process of its own, by its address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    process = subprocess.Popen([*command, "0"], stdout=subprocess.PIPE, text=True, env=kept | environment, cwd=FOLDER)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def played(folder, agent, *lines, times=1, port=None, workflow=TOLD, **told):
    """The episodes of a scenario with these lines, one after the other, as a worker plays them; and the seconds."""
    _, (task,) = tasks(folder, workflow=workflow, scenarios=scenario(*lines, knows="{order_id: O-1}", **told))
    player = Player(resolve(agent, folder), otlp_port=port)
    seconds = []

    async def play():
        with player.ready():
            for _ in range(times):
                began = time.monotonic()
                yield await player.play(task)
                seconds.append(time.monotonic() - began)

    async def collected():
        return [episode async for episode in play()]

    episodes = asyncio.run(collected())
    return episodes, seconds, player.notes


def held(episode):
    """Holds an episode of the example against what that agent does."""
    assert episode.spans_missing is None
    assert [(call.turn, call.tool, call.origin, call.ok, call.arguments) for call in episode.calls] == [
        (2, "check_fraud", "span", True, {"order_id": "O-1"}),
        (2, "cancel_order", "sandbox", True, {"order_id": "O-1"}),
    ]
    assert episode.calls[0].result == {"score": 0.02}
    assert [(call.turn, call.model, call.usage.input, call.usage.output) for call in episode.model_calls] == [
        (1, "gpt-4o", 20, 6),
        (2, "gpt-4o", 30, 12),
        (2, "gpt-4o", 40, 8),
    ]
    servers = [span for span in episode.spans if span.kind == "server"]
    requests = {span.span_id for span in episode.spans if span.scope == "turngate.http"}
    assert len(servers) == 3
    assert {span.parent_id for span in servers} == requests
    assert {span.resource["service.name"] for span in servers} == {"order-desk"}
    assert len({span.trace_id for span in episode.spans}) == 1


def test_a_python_service_with_the_stock_sdk(tmp_path, monkeypatch):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 600)
    port = free_port()
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_BSP_SCHEDULE_DELAY": "200"}
    with running(sys.executable, "agent.py", **environment) as url:
        (first, second), _, notes = played(tmp_path, url, *LINES, port=port, times=2)
    held(first)
    held(second)
    assert first.ended - first.started < 60, "it waited for what had come"
    assert not [note for note in notes if "episode was over" in note]


def test_a_service_in_node_without_any_package(tmp_path):
    with running(node(), "agent.mjs") as url:
        (episode,), *_ = played(tmp_path, HttpAgent(url=url, spans=True), *LINES)
    held(episode)


def test_a_service_in_node_with_the_sdk(tmp_path):
    port = free_port()
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_BSP_SCHEDULE_DELAY": "200"}
    with running(node_with_sdk(), "agent-sdk.cjs", **environment) as url:
        (episode,), *_ = played(tmp_path, url, *LINES, port=port)
    held(episode)


PROTOBUF = {"Content-Type": "application/x-protobuf"}
SEEN = {"text": "Hello, what can I do for you?"}


@contextmanager
def sending(*make, answer=SEEN, own_trace=None, resend=1):
    """A service that sends spans before it answers: each of `make(trace id, span id of the request)` gives one."""

    def reply(request):
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        given = answer(request) if callable(answer) else answer
        spans = [each(own_trace or trace_id, parent, request) for each in make]
        for _ in range(resend):
            httpx.post(f"{request.headers['x-otlp-endpoint']}/v1/traces", json=encode.traces_data(spans))
        return given

    with served(reply) as server:
        yield server


def span(name, *, root=False, of="openinference", id="c" * 16, **attributes):
    """Makes a span below the request's that took no time."""

    def made(trace_id, parent, request):
        now = time.time_ns()
        given = {key.replace("__", "."): value for key, value in attributes.items()}
        told = {key: request.headers["x-conversation-id"] if value == "{id}" else value for key, value in given.items()}
        return Span(trace_id, id, None if root else parent, name, "internal", now, now, told, scope=of)

    return made


def test_whatever_dialect_its_spans_are_in(tmp_path):
    with sending(
        span(
            "ai.generateText.doGenerate",
            of="ai",
            ai__operationId="ai.generateText.doGenerate",
            ai__model__id="gpt-4o",
            ai__response__text="Hello, what can I do for you?",
            ai__prompt__messages='[{"role":"user","content":[{"type":"text","text":"Hi."}]}]',
            ai__usage__inputTokens=7,
            ai__usage__outputTokens=9,
        ),
        span(
            "ai.toolCall",
            of="ai",
            id="d" * 16,
            ai__operationId="ai.toolCall",
            ai__toolCall__name="check_fraud",
            ai__toolCall__id="t1",
            ai__toolCall__args='{"order_id": "O-9"}',
            ai__toolCall__result='{"score": 1}',
        ),
    ) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [(call.turn, call.tool, call.id, call.arguments, call.result) for call in episode.calls] == [
        (1, "check_fraud", "t1", {"order_id": "O-9"}, {"score": 1})
    ]
    assert [(call.turn, call.model, call.usage.input, call.usage.output) for call in episode.model_calls] == [
        (1, "gpt-4o", 7, 9)
    ]


def test_messages_that_come_as_log_records(tmp_path):
    chat = {"gen_ai.system": "openai", "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o"}
    function = {"name": "check_fraud", "arguments": '{"order_id": "O-9"}'}
    asked = {"tool_calls": [{"id": "t1", "type": "function", "function": function}]}

    def reply(request):
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        endpoint = request.headers["x-otlp-endpoint"]
        now = time.time_ns()
        spans = [
            Span(trace_id, id * 16, parent, "chat gpt-4o", "client", now + at, now + at + 1, chat, scope="openai_v2")
            for at, id in ((0, "c"), (10, "d"))
        ]
        said = [
            ("c", 0, "gen_ai.user.message", {"content": "Hi."}),
            ("c", 1, "gen_ai.choice", {"index": 0, "finish_reason": "tool_calls", "message": asked}),
            ("d", 10, "gen_ai.user.message", {"content": "Hi."}),
            ("d", 11, "gen_ai.assistant.message", asked),
            ("d", 12, "gen_ai.tool.message", {"id": "t1", "content": '{"score": 1}'}),
            ("d", 13, "gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": SEEN["text"]}}),
        ]
        logs = [
            LogRecord(trace_id, id * 16, now + at, name, body, {"gen_ai.system": "openai"})
            for id, at, name, body in said
        ]
        httpx.post(f"{endpoint}/v1/logs", content=protobuf.logs_data(logs), headers=PROTOBUF)
        httpx.post(f"{endpoint}/v1/traces", content=protobuf.traces_data(spans), headers=PROTOBUF)
        return SEEN

    with served(reply) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [(call.turn, call.tool, call.id, call.arguments, call.result) for call in episode.calls] == [
        (1, "check_fraud", "t1", {"order_id": "O-9"}, {"score": 1})
    ]
    assert len(episode.model_calls) == 2
    assert [log.name for log in episode.logs].count("gen_ai.choice") == 2


def test_a_simulated_tool_that_it_calls_itself_counts_as_tried_and_one_it_reports_too_counts_once(tmp_path):
    own = {"openinference.span.kind": "TOOL", "input.value": '{"order_id": "O-1"}', "output.value": '{"ok": true}'}
    made = span("cancel", **{key.replace(".", "__"): value for key, value in own.items()}, tool__name="cancel_order")
    told = {"text": "Done.", "called": [{"name": "cancel_order", "arguments": {"order_id": "O-1"}, "result": {}}]}
    for answer in (SEEN, told):
        with sending(made, answer=answer) as server:
            (episode,), *_ = played(tmp_path, server.url, "Hi.")
        (call,) = episode.calls
        assert (call.tool, call.origin, call.error.kind) == ("cancel_order", "span", "outside")
        assert episode.state_changes == []


def test_what_a_request_says_of_usage_counts_where_its_spans_say_none(tmp_path):
    answer = SEEN | {"usage": {"input": 3, "output": 4}, "model": "small"}
    with sending(span("other"), answer=answer) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [(call.model, call.usage.input) for call in episode.model_calls] == [("small", 3)]
    chat = span("chat", gen_ai__operation__name="chat", gen_ai__usage__input_tokens=5, gen_ai__usage__output_tokens=6)
    with sending(chat, answer=answer) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [call.usage.input for call in episode.model_calls] == [5]


def test_a_trace_of_its_own_joins_by_the_id_of_the_conversation(tmp_path):
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "check_fraud"}
    with sending(
        span("execute_tool check_fraud", id="d" * 16, **tool),
        span("agent", root=True, session__id="{id}"),
        own_trace="f" * 32,
    ) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [(call.turn, call.tool) for call in episode.calls] == [(1, "check_fraud")]
    assert {one.trace_id for one in episode.spans if one.name == "agent"} == {"f" * 32}


@pytest.mark.parametrize(
    ("trace", "parent"), [("f" * 32, None), (None, "9" * 16)], ids=["a trace of its own", "a parent that never came"]
)
def test_a_request_counts_once_wherever_its_span_hangs(tmp_path, monkeypatch, trace, parent):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 0.5)
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 9,
    }

    def made(trace_id, _, request):
        now = time.time_ns()
        told = chat | {"gen_ai.conversation.id": request.headers["x-conversation-id"]}
        return Span(trace_id, "c" * 16, parent, "chat", "client", now, now, told, scope="openai_v2")

    with sending(made, own_trace=trace) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    assert [(call.turn, call.usage) for call in episode.model_calls] == [(1, Usage(7, 9))]


def test_spans_that_come_twice_are_there_once_and_marks_of_ours_are_not_believed(tmp_path):
    with sending(span("x", turngate__outage="no model", turngate__turn=9, kept=1), resend=2) as server:
        (episode,), *_ = played(tmp_path, server.url, "Hi.")
    (came,) = [one for one in episode.spans if one.name == "x"]
    assert came.attributes == {"kept": 1}


def test_a_service_that_sends_none_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 600)
    with served(lambda _: SEEN) as server:
        (episode,), (seconds,), _ = played(tmp_path, server.url, "Hi.")
        assert server.requests[0].headers["x-otlp-endpoint"].startswith("http://127.0.0.1:")
    assert episode.spans_missing is None
    assert seconds < 60
    with served(lambda _: SEEN) as server:
        played(tmp_path, HttpAgent(url=server.url, spans=False), "Hi.")
        assert "x-otlp-endpoint" not in server.requests[0].headers


def test_the_endpoint_is_a_field_of_the_body(tmp_path, monkeypatch):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 0.2)
    spec = HttpAgent(url="", body={"to": "{otlp_endpoint}", "say": "{message}"})
    with served(lambda _: SEEN) as server:
        (episode,), *_ = played(tmp_path, spec.model_copy(update={"url": server.url}), "Hi.")
        assert server.bodies == [{"to": server.requests[0].headers["x-otlp-endpoint"], "say": "Hi."}]
    assert episode.spans_missing.startswith("no spans arrived from the agent, which is declared to send them: does its")


@pytest.mark.parametrize(("spans", "port"), [(True, None), (None, 0)])
def test_none_from_a_service_that_is_declared_to_send_them_is_a_verdict_of_its_own(tmp_path, monkeypatch, spans, port):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 0.2)
    with served(lambda _: SEEN) as server:
        (episode,), *_ = played(tmp_path, HttpAgent(url=server.url, spans=spans), "Hi.", port=port)
    assert episode.spans_missing.startswith("no spans arrived from the agent, which is declared to send them")
    scores = {name: score.value for each in EFFICIENCY for name, score in each.score(episode, material()).items()}
    for name in ("tool_calls", "model_calls", "tokens_in"):
        assert scores[name].missing is Status.NOT_JUDGED
        assert "no spans arrived from the agent" in scores[name].reason
    with sending(span("x"), own_trace="f" * 32) as server:
        (episode,), *_ = played(tmp_path, HttpAgent(url=server.url, spans=spans), "Hi.", port=port)
    assert "1 of other traces did: does the agent go on from the `traceparent`" in episode.spans_missing


def test_none_in_one_episode_of_a_service_that_sent_some_in_others(tmp_path, monkeypatch):
    monkeypatch.setattr("traces.receiver.joining.DEADLINE", 0.5)
    seen = []

    def reply(request):
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        if not seen:
            made = span("x")(trace_id, parent, request)
            httpx.post(f"{request.headers['x-otlp-endpoint']}/v1/traces", json=encode.traces_data([made]))
        seen.append(1)
        return SEEN

    with served(reply) as server:
        (first, second), *_ = played(tmp_path, server.url, "Hi.", times=2)
    assert first.spans_missing is None
    assert second.spans_missing.startswith("no spans arrived from the agent, which sent some in other episodes")


def test_spans_that_come_too_late_are_told(tmp_path):
    before = []

    def reply(request):
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        if before:
            late = httpx.post(f"{request.headers['x-otlp-endpoint']}/v1/traces", json=encode.traces_data(before))
            assert "partialSuccess" not in late.json()
        before[:] = [span("x")(trace_id, parent, request)]
        return SEEN

    with served(reply) as server:
        (first, _), _, notes = played(tmp_path, server.url, "Hi.", times=2)
    told = f"when their episode was over, and are in no score: 1 of conversation {first.conversation_id}, which may"
    assert any(told in note for note in notes)


def kept_beside(folder, workers):
    """The episode whose spans came in the next one, of a run: they are kept beside it, and are in no score."""
    before = []

    def reply(request):
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        if before:
            httpx.post(f"{request.headers['x-otlp-endpoint']}/v1/traces", json=encode.traces_data(before))
        before[:] = [span("came late")(trace_id, parent, request)]
        return SEEN

    write(folder, workflow=TOLD.replace("trials: 1", "trials: 3"), scenarios=scenario("Hi."))
    with served(reply) as server:
        turngate("run", "--agent", server.url, "--workers", workers, "-j", 1, "-n", 2, cwd=folder)
    with Store.open(folder / ".turngate" / "turngate.db") as store:
        first, second = store.episodes(store.latest().id)
        (late,) = store.late.of(first.conversation_id)
        assert [each.name for each in late.spans] == ["came late"]
        assert store.late.of(second.conversation_id) == []
    assert "came late" not in {each.name for each in first.spans}
    return first


def test_spans_that_come_too_late_to_a_worker_are_kept_beside_the_episode(tmp_path):
    kept_beside(tmp_path, workers=1)


def test_spans_that_come_too_late_are_kept_and_shown_beside_the_episode(tmp_path):
    folder, first = tmp_path, kept_beside(tmp_path, workers=0)
    for command in (["show"], ["traces", "show"]):
        page = turngate(*command, first.key.id, cwd=folder).stdout
        assert "came when the episode was over, and is in no score: came late" in " ".join(page.split())
    assert "came late" in turngate("traces", "show", first.key.id, "--tree", cwd=folder).stdout
    (shown,) = json.loads(turngate("show", first.key.id, "--json", cwd=folder).stdout)["late"]
    assert shown["spans"][0]["name"] == "came late"


def test_what_is_dropped_of_other_traces_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("traces.receiver.joining._STRAYS", 0)
    with sending(span("x"), own_trace="f" * 32) as server:
        _, _, notes = played(tmp_path, server.url, "Hi.")
    assert "spans or log records of traces that no episode has begun, of which the oldest were dropped: 1" in notes


def test_what_comes_once_the_spans_were_taken_into_the_trace_is_not_said_to_be_taken(tmp_path, monkeypatch):
    endpoint, answers, join = [], [], EpisodeTrace.join

    def reply(request):
        endpoint.append(f"{request.headers['x-otlp-endpoint']}/v1/traces")
        _, trace_id, parent, _ = request.headers["traceparent"].split("-")
        httpx.post(endpoint[0], json=encode.traces_data([span("in time")(trace_id, parent, request)]))
        return SEEN

    def joined(trace, spans):
        join(trace, spans)
        late = Span(trace.trace_id, "d" * 16, None, "late", "internal", 1, 2)
        answers.append(httpx.post(endpoint[0], json=encode.traces_data([late])).json())

    monkeypatch.setattr(EpisodeTrace, "join", joined)
    with served(reply) as server:
        (episode,), _, notes = played(tmp_path, server.url, "Hi.")
    names = [one.name for one in episode.spans]
    assert ("in time" in names, "late" in names) == (True, False)
    assert answers == [{}]
    assert any("when their episode was over, and are in no score: 1 of" in note for note in notes)


def test_a_process_that_an_agent_of_ours_starts(tmp_path, monkeypatch):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    child = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import httpx; from traces.otlp import encode; "
        "from traces.span import Span; _, trace, parent, _ = os.environ['TRACEPARENT'].split('-'); "
        "tool = {'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'check_fraud'}; "
        "span = Span(trace, 'd' * 16, parent, 'tool', 'internal', 1, 2, tool); "
        "httpx.post(os.environ['OTEL_EXPORTER_OTLP_ENDPOINT'] + '/v1/traces', json=encode.traces_data([span]))"
    )

    def agent(message, session):
        environment = os.environ | {"TRACEPARENT": session.traceparent}
        assert environment["OTEL_EXPORTER_OTLP_ENDPOINT"] == session.otlp_endpoint
        subprocess.run([sys.executable, "-c", child, str(ROOT)], check=True, env=environment)
        return "Hello."

    (episode,), *_ = played(tmp_path, agent, "Hi.", port=0)
    assert [(call.turn, call.tool) for call in episode.calls] == [(1, "check_fraud")]
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" not in os.environ


def test_a_port_that_is_taken(tmp_path):
    with served(lambda _: SEEN) as server:
        port = int(re.search(r":(\d+)", server.url.removeprefix("http:"))[1])
        with pytest.raises(AgentProblem, match=f"--otlp-port {port}: another process has it"):
            played(tmp_path, server.url, "Hi.", port=port)


def test_a_whole_run_in_a_worker(tmp_path):
    port = free_port()
    folder = write(tmp_path, workflow=TOLD)
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_BSP_SCHEDULE_DELAY": "200"}
    with running(sys.executable, "agent.py", **environment) as url:
        done = turngate("run", "--agent", url, "--otlp-port", port, "--workers", 1, "-o", "e.jsonl", cwd=folder)
        taken = turngate("run", "--agent", url, "--otlp-port", port, "--workers", 2, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "e.jsonl").read_text("utf-8").count('"model_calls":3,"tokens_in":90,') == 2
    assert taken.returncode == 2
    assert f"--otlp-port {port}: only one process can listen there" in taken.stderr
