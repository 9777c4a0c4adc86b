"""Importing, listing and showing traces, with real samples and hostile ones."""

from __future__ import annotations

import gc
import gzip
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from harness.store.conversations import Conversations
from tests.harness.cli.test_commands import HOSTILE, raw
from tests.reference import reference
from traces.log_record import LogRecord
from traces.otlp import lines, read
from traces.receiver import Receiver
from traces.span import Span, SpanEvent

SECOND = 10**9


@pytest.fixture
def sample(tmp_path):
    """A sample's file, copied to where it may be changed."""

    def find(name):
        return shutil.copy(reference(f"otel_samples/{name}.jsonl"), tmp_path)

    return find


def span(number, name, trace="a" * 32, parent=None, start=0, end=1, **attributes):
    names = {"id": "gen_ai.conversation.id", "op": "gen_ai.operation.name", "tool": "gen_ai.tool.name"}
    names |= {"given": "gen_ai.tool.call.arguments", "came": "gen_ai.tool.call.result", "agent": "gen_ai.agent.name"}
    held = {names[key]: value for key, value in attributes.items()}
    return Span(trace, f"{number:016x}", parent, name, "internal", start * SECOND, end * SECOND, held)


def written(path, *spans):
    path.write_bytes(b"".join(lines(spans)))
    return path


# import


def test_a_sample_is_imported_and_found(cli, sample):
    came = cli("traces", "import", sample("otel-genai-openai-loop"))
    assert came.code == 0
    assert "1 conversation: 1 new" in came.out
    assert "2 turns, 4 tool calls (1 failed), 5 model calls, 11 spans" in came.out
    (listed,) = json.loads(cli("traces", "list", "--json").out)
    assert (listed["name"], listed["origin"], listed["status"]) == ("conv-orders-7f3a", "imported", "error")
    assert (listed["turns"], listed["tool_calls"], listed["errors"]) == (2, 4, 1)


def test_the_same_file_twice_adds_nothing(cli, sample):
    file = sample("openinference-langgraph")
    cli("traces", "import", file)
    assert "1 conversation: 1 there already" in cli("traces", "import", file).out
    assert len(json.loads(cli("traces", "list", "--json").out)) == 1


def test_the_rest_of_a_file_goes_in_whatever_is_wrong_with_a_line(cli, sample, tmp_path):
    good = sample("traceloop-openai-0.40")
    first, *others = Path(good).read_text().splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_text(f'{first}{{"resourceSpans": [{{"scope\n{"".join(others)}')
    came = cli("traces", "import", broken)
    assert came.code == 0
    assert f"{broken}:2: " in came.err.replace("\n", "")
    assert "2 turns, 4 tool calls (1 failed), 5 model calls" in came.out


def test_spans_that_come_late_are_put_to_the_others(cli, sample, tmp_path):
    whole = Path(sample("strands-events")).read_text().splitlines(keepends=True)
    assert len(whole) > 1
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl.gz"
    early.write_text(whole[0])
    late.write_bytes(gzip.compress("".join(whole[1:]).encode()))
    cli("traces", "import", early)
    assert "1 with something new" in cli("traces", "import", late).out
    (listed,) = json.loads(cli("traces", "list", "--json").out)
    assert (listed["turns"], listed["tool_calls"]) == (2, 4)
    assert listed["files"] == [str(early), str(late)]


def test_what_is_counted_of_late_spans_is_said_to_be_their_share(cli, sample, tmp_path):
    spans = list(read(sample("otel-genai-openai-loop")))
    assert cli("traces", "import", written(tmp_path / "one.jsonl", *spans[:6])).out.splitlines()[1][0].isdigit()
    told = cli("traces", "import", written(tmp_path / "two.jsonl", *spans[6:])).out.splitlines()
    assert told[0] == "1 conversation: 1 with something new"
    assert told[1].startswith("in these files alone: ")
    assert told[1].endswith(" 5 spans")


def test_no_spans_arrived(cli, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"resourceSpans": []}\n')
    came = cli("traces", "import", empty)
    assert came.code == 3
    assert "no spans arrived" in came.err


def test_what_is_no_telemetry_is_not_taken_for_an_exporter_that_sent_nothing(cli, tmp_path):
    (tmp_path / "z.bin").write_bytes(bytes(range(250, 0, -1)) * 3)
    came = cli("traces", "import", tmp_path / "z.bin")
    assert came.code == 3
    assert "z.bin: neither JSON nor OTLP in protobuf" in came.err
    assert "what came is no telemetry" in came.err
    assert "exporter" not in came.err


def test_a_file_that_is_not_there(cli, sample, tmp_path):
    came = cli("traces", "import", tmp_path / "nowhere.jsonl")
    assert came.code == 2
    assert "there is no such file" in came.err
    came = cli("traces", "import", sample("mlflow-openai"), tmp_path / "nowhere.jsonl")
    assert came.code == 2
    assert "1 conversation: 1 new" in came.out


def test_spans_of_no_agent_are_no_conversation(cli, tmp_path):
    came = cli("traces", "import", written(tmp_path / "web.jsonl", span(1, "GET /")))
    assert came.code == 3
    assert "none tells of an agent" in came.err


def test_content_that_was_not_captured_is_told_with_the_switch(cli, tmp_path):
    bare = span(1, "chat", op="chat")
    came = cli("traces", "import", written(tmp_path / "bare.jsonl", bare))
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in came.out


# list


@pytest.fixture
def three(cli, tmp_path):
    """Three conversations, a day apart."""
    day = 24 * 3600
    spans = [
        span(
            n,
            "t",
            f"{n:032x}",
            start=day * n,
            end=day * n + n,
            op="execute_tool",
            tool=tool,
            given=given,
            came=came,
            id=f"talk-{n}",
        )
        for n, tool, given, came in (
            (1, "get_order", '{"order_id": "O-1"}', '"shipped"'),
            (2, "cancel_order", '{"order_id": "O-2"}', '{"error": "too late"}'),
            (3, "get_customer", '{"email": "Ana@example.com"}', '"C-7"'),
        )
    ]
    assert cli("traces", "import", written(tmp_path / "three.jsonl", *spans)).code == 0
    return cli


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ([], ["talk-3", "talk-2", "talk-1"]),
        (["--tool", "get_*"], ["talk-3", "talk-1"]),
        (["--tool", "cancel_order"], ["talk-2"]),
        (["--status", "error"], ["talk-2"]),
        (["--text", "ana@EXAMPLE"], ["talk-3"]),
        (["--text", "shipped"], ["talk-1"]),
        (["--since", "1970-01-03"], ["talk-3", "talk-2"]),
        (["--since", "1970-01-03", "--until", "1970-01-04"], ["talk-2"]),
        (["--since", "1970-01-03T01:00+02:00"], ["talk-3", "talk-2"]),
        (["--since", "24h"], []),
        (["--since", "999999w", "--until", "24h"], ["talk-3", "talk-2", "talk-1"]),
        (["--limit", "1"], ["talk-3"]),
        (["--workflow", "desk"], []),
    ],
)
def test_filters(three, filters, names):
    assert [each["name"] for each in json.loads(three("traces", "list", "--json", *filters).out)] == names


def test_filters_that_cannot_be_meant(cli):
    came = cli("traces", "list", "--status", "eror")
    assert (came.code, "did you mean `error`" in came.err) == (2, True)
    came = cli("traces", "list", "--since", "yesterday")
    assert (came.code, "24h" in came.err) == (2, True)


@pytest.mark.parametrize("command", ["list", "stats"])
def test_a_run_that_is_not_there_is_told(three, command):
    came = three("traces", command, "--run", "nope")
    assert (came.code, "nope" in came.err) == (2, True)


@pytest.mark.parametrize("arguments", [["list"], ["show", "latest"], ["stats"]])
def test_where_nothing_is_stored_the_import_is_named(cli, arguments):
    came = cli("traces", *arguments)
    assert (came.code, "`turngate traces import FILE`" in " ".join(came.err.split())) == (2, True)


def test_played_episodes_are_traces_too(three):
    three("run", "--trials", "1")
    (played,) = json.loads(three("traces", "list", "--json", "--workflow", "desk").out)
    assert (played["origin"], played["name"], played["verdict"]) == ("played", "cancel-one", "passed")
    assert (played["turns"], played["tools"]) == (2, ["cancel_order"])
    assert len(json.loads(three("traces", "list", "--json", "--tool", "cancel_order").out)) == 2
    assert json.loads(three("traces", "list", "--json", "--status", "passed", "--scenario", "cancel-one").out) == [
        played
    ]
    for run in (played["run"], played["run"][:4], "latest"):
        assert json.loads(three("traces", "list", "--json", "--run", run).out) == [played]
    shown = three("traces", "show", "cancel-one").out
    assert "Please cancel my order." in shown
    assert '→ cancel_order {"order_id": "O-1"}' in shown
    assert '= {"ok": true}' in shown
    assert "I have cancelled order O-1." in shown
    assert "turn 2" in shown
    assert "episode" in three("traces", "show", "cancel-one", "--tree").out


# show


def test_a_conversation_comes_first_and_errors_are_seen(cli, sample):
    cli("traces", "import", sample("otel-genai-openai-loop"))
    page = cli("traces", "show").out
    expected = json.loads(reference("otel_samples/otel-genai-openai-loop.expected.json").read_text())
    told = " ".join(page.split())
    places = []
    for turn in expected["turns"]:
        places.append(told.index(" ".join(turn["user"].split())))
        places += sorted(
            told.index(f"{call['name']} {json.dumps(call['arguments'], ensure_ascii=False)}"[:60])
            for call in turn["tool_calls"]
        )
        places.append(told.index(" ".join(turn["assistant"].split())))
    assert places == sorted(places)
    assert "✖ RefundError: order A-1002 is locked for review (code R-409)" in page
    assert "4 tool calls, 1 failed" in page


@pytest.mark.parametrize("name", ["latest", "conv-orders-7f3a", "conv-ord", "c-"])
def test_the_names_of_a_trace(cli, sample, name):
    cli("traces", "import", sample("otel-genai-openai-loop"))
    assert "conversation conv-orders-7f3a" in cli("traces", "show", name).out


def test_show_points_from_an_imported_conversation_to_what_opens_it(cli, sample):
    cli("traces", "import", sample("otel-genai-openai-loop"))
    (listed,) = json.loads(cli("traces", "list", "--json").out)
    came = cli("show", listed["id"])
    assert came.code == 2
    assert f"turngate traces show {listed['id']}" in came.err
    assert "turngate traces list" in cli("show", "c-nothing").err


def test_names_of_none_or_of_several(three):
    came = three("traces", "show", "nobody")
    assert (came.code, "there is no trace nobody" in came.err) == (2, True)
    came = three("traces", "show", "talk-")
    assert (came.code, "may be any of 3" in came.err) == (2, True)


def test_the_tree_has_kinds_and_the_waterfall_a_scale(cli, tmp_path):
    spans = [
        span(1, "turn", start=10, end=20, op="invoke_agent", agent="clerk"),
        span(2, "t", parent=f"{1:016x}", start=10, end=15, op="execute_tool", tool="first"),
        span(3, "t", parent=f"{1:016x}", start=15, end=20, op="execute_tool", tool="second"),
        span(4, "GET /", parent=f"{3:016x}", start=16, end=17),
    ]
    cli("traces", "import", written(tmp_path / "tree.jsonl", *reversed(spans)))
    tree = cli("traces", "show", "--tree").out.splitlines()[-4:]
    assert [line.split("  ")[0] for line in tree] == ["agent clerk", "├─ tool first", "└─ tool second", ""]
    assert tree[3].startswith("   └─ other GET /")
    bars = [line for line in cli("traces", "show", "--waterfall").out.splitlines() if "█" in line]
    whole, first, second, inner = ((line.index("█"), line.count("█")) for line in bars)
    assert first == (whole[0], -(-whole[1] // 2))
    assert abs(second[0] - (whole[0] + whole[1] // 2)) <= 1
    assert inner[1] == pytest.approx(whole[1] / 10, abs=1)


def test_spans_that_are_each_others_parents_are_told_as_such(cli, tmp_path):
    id_of = "{:016x}".format
    spans = [
        span(1, "one", parent=id_of(2), start=1, end=2, op="execute_tool", tool="one"),
        span(2, "two", parent=id_of(1), start=1, end=2, op="execute_tool", tool="two"),
        span(3, "below", parent=id_of(2), start=1, end=2, op="execute_tool", tool="below"),
        span(4, "self", parent=id_of(4), start=1, end=2, op="execute_tool", tool="self"),
        span(5, "orphan", parent=id_of(9), start=1, end=2, op="execute_tool", tool="orphan"),
    ]
    cli("traces", "import", written(tmp_path / "circle.jsonl", *spans))
    tree = cli("traces", "show", "--tree").out.splitlines()[-5:]
    assert [line.split("  1.0 s")[0] for line in tree] == [
        "tool one",
        "tool two",
        "└─ tool below",
        "tool self",
        "tool orphan",
    ]
    assert [line.split("  ")[2:-1] for line in tree] == [
        [f"each other's parents: its own is {id_of(2)}"],
        [f"each other's parents: its own is {id_of(1)}"],
        [],
        ["its own parent"],
        ["parent not here"],
    ]
    assert cli("traces", "show", "--waterfall").out.count("█") >= 5


def test_what_has_no_beginning_leaves_the_scale_of_the_waterfall_alone(cli, tmp_path):
    spans = [
        span(1, "turn", start=10, end=20, op="invoke_agent"),
        span(2, "t", end=20, op="execute_tool", tool="first"),
    ]
    cli("traces", "import", written(tmp_path / "late.jsonl", *spans))
    scale, _, *bars = cli("traces", "show", "--waterfall").out.splitlines()[-4:]
    assert scale.endswith("10.0 s")
    assert [line.split()[-1] for line in bars] == ["?", "s"]


def test_json_and_raw_are_for_programs(cli, sample, tmp_path):
    cli("traces", "import", sample("vercel-ai-6"))
    document = json.loads(cli("traces", "show", "--json").out)
    calls = [
        step for turn in document["conversation"]["turns"] for step in turn["steps"] if step["kind"] == "tool_call"
    ]
    assert len(calls) == 4
    again = tmp_path / "again.jsonl"
    again.write_text(cli("traces", "show", "--raw").out)
    assert "1 there already" in cli("traces", "import", again).out
    assert cli("traces", "show", "--json", "--tree").code == 2


def test_hostile_text_steers_no_terminal(cli, tmp_path):
    evil = HOSTILE.replace("\ud800", "")
    bad = span(
        1,
        evil,
        op="execute_tool",
        tool=evil,
        given=json.dumps({evil: evil}),
        came=json.dumps(evil),
        agent=evil,
        id=evil,
    )
    bad.events = (SpanEvent("exception", 1, {"exception.type": evil, "exception.message": evil}),)
    bad.status = "error"
    for deep in range(2, 300):
        below = span(deep, evil, parent=f"{deep - 1:016x}", op="execute_tool", tool=evil)
        written(tmp_path / f"{deep}.jsonl", below)
    files = [tmp_path / f"{deep}.jsonl" for deep in range(2, 300)]
    cli("traces", "import", written(tmp_path / "evil.jsonl", bad), *files)
    for command in (
        ["list"],
        ["list", "--json"],
        *(["show", *form] for form in ([], ["--full"], ["--tree"], ["--waterfall"], ["--json"], ["--raw"])),
    ):
        came = cli("traces", *command)
        assert came.code == 0
        assert raw(came.text) == [], command


# diff, stats


def test_two_agents_are_compared_call_by_call(cli, tmp_path):
    for letter, order, last in (("a", "O-1", "close"), ("b", "O-2", "escalate")):
        trace = letter * 32
        spans = [
            span(
                1,
                "t",
                trace,
                start=1,
                op="execute_tool",
                tool="find",
                given='{"q": "x"}',
                came="1",
                id=f"talk-{letter}",
            ),
            span(
                2,
                "t",
                trace,
                start=2,
                op="execute_tool",
                tool="get",
                given=json.dumps({"order": {"id": order}}),
                came="2",
            ),
            span(3, "t", trace, start=3, op="execute_tool", tool=last, given="{}", came="3"),
        ]
        cli("traces", "import", written(tmp_path / f"{letter}.jsonl", *spans))
    page = cli("traces", "diff", "talk-a", "talk-b").out.splitlines()
    assert [line[0] for line in page] == ["-", "+", "4", "=", "▶", "~", " ", "-", " ", "+", " "]
    assert page[4].startswith("▶ first divergence, turn 1 · span ")
    assert page[4].endswith(": changed argument")
    assert page[6].strip().startswith('`get` is given something else: order.id: "O-1" → "O-2"')
    assert page[7].startswith("- turn 1  close")
    assert page[9].startswith("+ turn 1  escalate")


def test_reads_and_writes_are_told_apart_where_they_are_known(cli):
    cli("run", "--trials", "2")
    page = cli("traces", "diff", "cancel-one/1", "cancel-one/2").out
    assert "1 step: 1 the same\n" in page
    assert "cancel_order (writes)" in page
    assert "divergence" not in page


def test_stats(cli, sample):
    cli("traces", "import", sample("otel-genai-openai-loop"))
    expected = json.loads(reference("otel_samples/otel-genai-openai-loop.expected.json").read_text())
    told = json.loads(cli("traces", "stats", "--json").out)
    calls = [call for turn in expected["turns"] for call in turn["tool_calls"]]
    assert {name: tool["calls"] for name, tool in told["tools"].items()} == {
        name: sum(call["name"] == name for call in calls) for name in dict.fromkeys(call["name"] for call in calls)
    }
    assert sum(tool["errors"] for tool in told["tools"].values()) == 1
    (model,) = told["models"].values()
    assert model["input_tokens"] == sum(each["input_tokens"] for each in expected["llm_calls"])
    assert model["output_tokens"] == sum(each["output_tokens"] for each in expected["llm_calls"])
    page = cli("traces", "stats").out
    assert "refund_order" in page
    assert "redundant" in page
    assert json.loads(cli("traces", "stats", "--json", "--tool", "nothing").out)["traces"] == 0


# export


def test_what_is_exported_is_what_was_imported(cli, sample, tmp_path):
    cli("traces", "import", sample("pydantic-ai-2-logfire"))
    before = json.loads(cli("traces", "show", "--json").out)["conversation"]
    assert "1 trace: " in cli("traces", "export", "latest", "-o", "out.jsonl.gz").out
    other = tmp_path / "other.db"
    assert cli("traces", "import", "out.jsonl.gz", "--store", other).code == 0
    assert json.loads(cli("traces", "show", "--json", "--store", other).out)["conversation"] == before


def test_a_played_episode_goes_out_with_what_was_said_and_its_scores(cli, tmp_path):
    cli("run", "--trials", "1")
    assert cli("traces", "export", "-o", "out.jsonl", "--workflow", "desk").code == 0
    other = tmp_path / "other.db"
    cli("traces", "import", "out.jsonl", "--store", other)
    shown = json.loads(cli("traces", "show", "--json", "--store", other).out)["conversation"]
    assert [(turn["user"], turn["assistant"]) for turn in shown["turns"]] == [
        ("Please cancel my order.", "Which order number is it?"),
        ("My order number is O-1", "I have cancelled order O-1."),
    ]
    assert [step["name"] for turn in shown["turns"] for step in turn["steps"]] == ["cancel_order"]
    told = {each["name"]: each for each in shown["feedback"]}
    assert (told["verdict"]["label"], told["task_success"]["label"]) == ("passed", "passed")
    assert (told["turns"]["value"], told["turns"]["label"]) == (2, None)
    assert (told["cost_usd"]["value"], told["cost_usd"]["label"]) == (None, "not_judged")
    assert told["cost_usd"]["explanation"]


def test_an_endpoint_gets_it_by_the_standard_variables(cli, sample, monkeypatch):
    came = []
    cli("traces", "import", sample("otel-genai-feedback-events"))
    with Receiver(came.extend, port=0, token="t0ken") as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
        refused = cli("traces", "export", "latest")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20t0ken")
        taken = cli("traces", "export", "latest")
    assert (refused.code, "401: it wants to know who sends: OTEL_EXPORTER_OTLP_HEADERS" in refused.err) == (2, True)
    assert taken.code == 0
    assert f"1 trace: 11 spans and 0 log records taken by {receiver.url}/v1/traces" in taken.out
    assert len([record for record in came if isinstance(record, Span)]) == 11


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ([], 2, "where to?"),
        (["-o", "x.jsonl", "--endpoint", "http://c"], 2, "one of the two"),
        (["-o", "x.csv"], 2, ".jsonl"),
        (["-o", "no/where.jsonl"], 2, "can't be written"),
        (["--endpoint", "localhost:4318"], 2, "http://"),
        (["--endpoint", "http://127.0.0.1:1"], 2, "can't be reached"),
        (["-o", "x.jsonl", "--tool", "nothing"], 3, "no trace fits"),
        (["latest", "-o", "x.jsonl", "--tool", "nothing"], 2, "name one trace"),
    ],
)
def test_exports_that_cannot_be_meant(three, monkeypatch, options, code, told):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    came = three("traces", "export", *options)
    assert (came.code, told in came.err) == (code, True), came.err
    assert not list(three.folder.glob("x.*"))
    assert not list(three.folder.glob(".turngate-*"))


def test_judgements_that_come_late_are_put_to_their_conversation(cli, sample):
    spans, logs = sample("otel-genai-feedback-events"), sample("otel-genai-feedback-events.logs")
    before = cli("traces", "import", logs)
    assert (before.code, "no spans arrived" in before.err) == (3, True)
    assert "the judgements among them are kept until what they judge is imported" in before.err
    assert json.loads(cli("traces", "list", "--json").out) == []
    came = cli("traces", "import", spans)
    assert "judgements on 2 traces had come before, and are put to them now" in came.out
    early = json.loads(cli("traces", "show", "--json").out)["conversation"]
    assert len(early["feedback"]) == 4

    cli("traces", "import", spans, "--store", "other.db")
    options = "--store", "other.db"
    assert json.loads(cli("traces", "show", "--json", *options).out)["conversation"]["feedback"] == []
    late = cli("traces", "import", logs, *options)
    assert (late.code, late.out.splitlines()[0]) == (
        0,
        "judgements on 2 traces came to conversations that had been stored",
    )
    assert json.loads(cli("traces", "show", "--json", *options).out)["conversation"] == early


def test_judgements_wait_once_and_can_be_purged(cli, sample):
    spans, logs = sample("otel-genai-feedback-events"), sample("otel-genai-feedback-events.logs")
    for _ in range(2):
        cli("traces", "import", logs)
    assert cli("purge", "--older", "1h", "--yes").out.splitlines()[0] == "2 waiting judgements"
    assert "had come before" not in cli("traces", "import", spans).out
    assert json.loads(cli("traces", "show", "--json").out)["conversation"]["feedback"] == []


@pytest.mark.parametrize("name", ["talk-9", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"])
def test_judgements_that_name_a_conversation_wait_for_it_whatever_its_id_looks_like(cli, tmp_path, name):
    told = {"gen_ai.evaluation.name": "thumb", "gen_ai.evaluation.score.label": "up", "gen_ai.conversation.id": name}
    judged = tmp_path / "judged.jsonl"
    judged.write_bytes(b"".join(lines([LogRecord(None, None, SECOND, "gen_ai.evaluation.result", None, told)])))
    assert cli("traces", "import", judged).code == 3
    other = written(tmp_path / "other.jsonl", span(1, "t", trace="b" * 32, id="talk-1", op="execute_tool", tool="get"))
    assert "had come before" not in cli("traces", "import", other).out
    spans = written(tmp_path / "spans.jsonl", span(1, "t", id=name, start=2, end=3, op="execute_tool", tool="get"))
    assert "judgements on 1 trace had come before" in cli("traces", "import", spans).out
    (feedback,) = json.loads(cli("traces", "show", "--json").out)["conversation"]["feedback"]
    assert (feedback["name"], feedback["label"]) == ("thumb", "up")
    assert "had come before" not in cli("traces", "import", spans).out


# scored conversations


def test_scoring_a_conversation_again_and_again_changes_no_figure(cli, sample):
    file = sample("otel-genai-openai-loop")
    cli("traces", "import", file)
    before = [cli("traces", *command).out for command in (["stats", "--json"], ["list", "--json"])]
    cli("score", file, "--workflow", ".")
    cli("score", "conv-orders-7f3a", "--workflow", ".")
    assert [cli("traces", *command).out for command in (["stats", "--json"], ["list", "--json"])] == before
    assert "1 trace: 11 spans, 0 log records" in cli("traces", "export", "-o", "out.jsonl").out
    (scored,) = json.loads(cli("traces", "list", "--json", "--run", "latest").out)
    assert (scored["origin"], scored["status"], scored["tool_calls"]) == ("observed", "error", 4)


def test_what_was_scored_is_found_by_the_command_that_is_printed(cli, sample):
    file = sample("otel-genai-openai-loop")
    scored = cli("score", file, "--workflow", ".").out.splitlines()
    at = scored.index("note: to see them all, and open one:")
    command = scored[at + 1].split()
    assert command[:3] == ["turngate", "traces", "list"]
    (listed,) = json.loads(cli(*command[1:], "--json").out)
    run, _, name, *_ = listed["id"].split("/")
    assert command[3:] == ["--run", run]
    short = cli(*command[1:]).out.splitlines()[0]
    assert short == f"{run}/{name}/1"
    for trace in ("latest", short, name, "conv-orders-7f3a"):
        assert "conversation conv-orders-7f3a" in cli("traces", "show", trace).out
    assert "there is no conversation conv-orders" in cli("traces", "show", "conv-orders").err


@pytest.mark.parametrize(("command", "code"), [(["list"], 0), (["stats"], 0), (["export", "-o", "x.jsonl"], 3)])
def test_where_all_was_scored_the_run_is_named(cli, sample, command, code):
    cli("score", sample("otel-genai-openai-loop"), "--workflow", ".")
    came = cli("traces", *command)
    told = " ".join((came.out + came.err).split())
    assert came.code == code
    assert "no trace fits: conversations that were scored are seen where their run is named, as by --run r-" in told


def test_a_scored_conversation_is_shown_as_what_it_is(cli, sample):
    cli("score", sample("pydantic-ai-2-logfire"), "--workflow", ".")
    (scored,) = json.loads(cli("traces", "list", "--json", "--run", "latest").out)
    page = " ".join(cli("traces", "show", scored["id"]).out.split())
    assert "observed in desk · conversation conv-travel-91c2 (gen_ai.conversation.id)" in page
    assert "ended early" not in page
    assert (scored["turns"], scored["status"]) == (2, "error")  # one of its calls failed


def test_the_end_of_a_scored_conversation_is_not_taken_for_a_break(cli, tmp_path):
    chat = span(1, "chat", op="chat")
    for name, role, text in (("input", "user", "Hello"), ("output", "assistant", "Good day")):
        said = [{"role": role, "parts": [{"type": "text", "content": text}]}]
        chat.attributes[f"gen_ai.{name}.messages"] = json.dumps(said)
    cli("score", written(tmp_path / "chat.jsonl", chat), "--workflow", ".")
    (scored,) = json.loads(cli("traces", "list", "--json", "--run", "latest").out)
    assert (scored["turns"], scored["status"]) == (1, "ok")


def test_the_scores_of_a_scored_conversation_go_out_on_its_own_spans(cli, tmp_path):
    spans = [
        span(1, "desk", start=1, end=9, op="invoke_agent", agent="desk"),
        span(2, "t", parent=f"{1:016x}", start=2, end=3, op="execute_tool", tool="cancel_order"),
    ]
    cli("score", written(tmp_path / "spans.jsonl", *spans), "--workflow", ".")
    cli("traces", "export", "--run", "latest", "-o", "out.jsonl")
    records = list(read("out.jsonl"))
    assert [each.span_id for each in records if isinstance(each, Span)] == [f"{1:016x}", f"{2:016x}"]
    scores = [each for each in records if not isinstance(each, Span)]
    assert {(each.trace_id, each.span_id) for each in scores} == {("a" * 32, f"{1:016x}")}
    assert "verdict" in {each.attributes["gen_ai.evaluation.name"] for each in scores}
    assert not any("gen_ai.conversation.id" in each.attributes for each in scores)  # the application gave none


def test_judgements_wait_outside_of_memory(cli, tmp_path, monkeypatch):
    told = {"gen_ai.evaluation.name": "thumb"}
    file = tmp_path / "judged.jsonl"
    file.write_bytes(
        b"".join(lines(LogRecord(f"{n:032x}", None, n, "gen_ai.evaluation.result", None, told) for n in range(1, 400)))
    )
    held = []

    def records():
        return sum(isinstance(each, LogRecord) for each in gc.get_objects())

    def save(self, arrivals):
        came = [*arrivals]
        held.append(records() - before)
        return Counter(homeless=len(came))

    monkeypatch.setattr(Conversations, "save", save)
    before = records()  # other tests may have left some
    came = cli("traces", "import", file)
    assert (came.code, len(held)) == (3, 20)
    assert max(held) < 100


def test_on_github_json_holds_no_command_to_the_runner_and_is_json(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    held = span(1, "t", op="execute_tool", tool="get", came="##[error]obeyed", given="{}")
    cli("traces", "import", written(tmp_path / "held.jsonl", held))
    for form in ("--json", "--raw"):
        came = cli("traces", "show", form).out
        assert "##[" not in came
        assert "##[error]obeyed" in json.dumps(json.loads(came))
