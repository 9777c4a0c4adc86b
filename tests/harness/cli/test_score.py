from __future__ import annotations

import json

import pytest

from tests.reference import reference
from traces.otlp import lines, read
from traces.span import Span, SpanEvent

WORKFLOW = """
workflow: support
tools:
  get_weather: {kind: reads, args: {city: text, days: integer?}}
  search_trains: {kind: reads, args: {route: text, after: text, flexible: boolean}}
  book_train: {kind: writes, args: {route: text, seats: integer, departure: text}, needs: [consent]}
  get_order: {kind: reads, args: {order_id: text}}
  refund_order: {kind: writes, args: {order_id: text, amount: number, reason: text}, needs: [consent]}
  open_ticket: {kind: writes, args: {order_id: text}, ends: escalated}
rules:
  - {id: few-seats, limit: {book_train.seats: {at_most: 4}}, code: PO1}
  - {id: search-first, before: book_train, need: search_trains, code: PO1}
  - {id: look-on, when: {user_says: Book}, need: search_trains}
  - {id: no-promise, never_says: guaranteed}
scenario_map:
  journeys:
    about: Weather and bookings
    source: [production]
    measures: [task_success, faithfulness, context_retention, safety.authorization]
    failures: [PO1, KN4]
    gate:
      - {rule: journeys work, metric: task_success, at_least: 0.9}
      - {rule: nothing invented, metric: faithfulness, failures: 0}
    review: {always: [critical_failure]}
  orders:
    about: Orders
    source: [authored]
    measures: [task_success, faithfulness]
    failures: [PO1]
    gate: [{rule: orders work, metric: task_success, at_least: 0.9}]
    review: {always: [critical_failure]}
gate:
  - {rule: must pass, tier: critical, every: trial}
  - {rule: judged, status: not_judged, at_most: 0.02}
  - {rule: each language, metric: faithfulness, each: [language], at_least: 0.9}
"""
SCENARIO = """
- id: locked-refund
  family: orders
  user: {knows: {order_id: A-1002}, turns: ["Where are my orders?", "Please refund A-1002 in full."]}
  expect:
    outcome: escalated
    says: [T-77]
    calls:
      required: [{open_ticket: {order_id: A-1002}}]
      before: [[get_order, refund_order]]
      at_most: {refund_order: 1}
    budget: {turns: 2, tool_calls: 4, tokens: 2000}
  gold: []
"""
JOURNEYS = (
    "google-adk-2",
    "openinference-anthropic",
    "openinference-langgraph",
    "pitfall-double-instrumentation",
    "pitfall-lost-context-threads",
    "pydantic-ai-2-logfire",
    "vercel-ai-6",
)
ORDERS = (
    "langfuse-openai",
    "langsmith-otel-langgraph",
    "openinference-openai-agents",
    "otel-events-openai-v2",
    "otel-genai-openai-loop",
    "otel-genai-feedback-events",
    "remote-agent-joined",
    "semantic-kernel",
    "strands-events",
    "traceloop-langgraph",
)


@pytest.fixture
def team(tmp_path):
    def write(text=WORKFLOW, scenario=None):
        folder = tmp_path / "team"
        (folder / "scenarios").mkdir(parents=True, exist_ok=True)
        (folder / "workflow.yaml").write_text(text, encoding="utf-8")
        if scenario is not None:
            (folder / "scenarios" / "all.yaml").write_text(scenario, encoding="utf-8")
        return folder

    return write


def files(sample):
    spans = reference(f"otel_samples/{sample}.jsonl")
    logs = spans.with_suffix(".logs.jsonl")
    return [spans, logs] if logs.exists() else [spans]


def scores_of(cli, *arguments):
    came = cli("score", *arguments, "-o", "result.json")
    return came, json.loads((cli.folder / "result.json").read_text())


def values(episode):
    return {name: score.get("status", score.get("value")) for name, score in episode["scores"].items()}


@pytest.mark.parametrize("sample", JOURNEYS)
def test_a_booking_before_the_search_breaks_the_rule_and_the_rest_holds(cli, team, sample):
    """In all of them the agent books at once, fails for lack of seats, and only then searches."""
    came, result = scores_of(cli, *files(sample), "--workflow", team())
    (episode,) = result["episodes"]
    found = values(episode)
    assert came.code == 1
    assert (episode["family"], episode["verdict"]["status"], episode["code"]) == ("journeys", "failed", "PO1")
    assert {name: found[f"rule.{name}"] for name in ("few-seats", "search-first", "look-on", "no-promise")} == {
        "few-seats": "passed",
        "search-first": "failed",
        "look-on": "passed",
        "no-promise": "passed",
    }
    assert found["task_success"] == "not_applicable"  # nobody wrote down what must come of it
    assert found["faithfulness"] == "passed"
    assert found["context_retention"] == "passed"
    assert found["safety.authorization"] == "not_applicable"  # the only booking failed
    assert (found["turns"], found["tool_calls"], found["failed_calls"]) == (2, 4, 1)


def test_without_that_rule_the_gate_passes_and_says_what_it_skipped(cli, team):
    rule = "  - {id: search-first, before: book_train, need: search_trains, code: PO1}\n"
    came, result = scores_of(cli, *files("vercel-ai-6"), "--workflow", team(WORKFLOW.replace(rule, "")))
    assert came.code == 0
    assert result["gate"]["decision"] == "passed"
    skipped = next(note for note in result["notes"] if note.startswith("skipped:"))
    assert "journeys work in journeys (no scenario says what must come of the conversation" in skipped
    assert "orders work in orders (no conversation falls under the rule)" in skipped
    assert "must pass" in skipped
    assert "each language (the conversations have no such slice" in skipped


@pytest.mark.parametrize("sample", ORDERS)
def test_a_scenario_is_held_against_what_happened(cli, team, sample):
    """In all of them the order is looked up, its refund refused by the tool, and ticket T-77 opened."""
    team = team(scenario=SCENARIO)
    came, result = scores_of(cli, *files(sample), "--workflow", team, "--scenario", "locked-refund")
    (episode,) = result["episodes"]
    assert episode["family"] == "orders"
    assert episode["scores"]["task_success"]["status"] == "passed", episode["scores"]["task_success"]
    assert came.code == 0, came.text


def test_a_scenario_that_expects_state_is_not_judged(cli, team):
    wanted = SCENARIO.replace("outcome: escalated", "state: {orders.A-1002.status: locked}")
    state = WORKFLOW.replace("tools:\n", "state: {orders: {A-1002: {status: paid}}}\ntools:\n", 1)
    folder = team(state, wanted)
    came, result = scores_of(cli, *files("strands-events"), "--workflow", folder, "--scenario", "locked-refund")
    (episode,) = result["episodes"]
    assert episode["verdict"]["status"] == "not_judged"
    assert "state orders.A-1002.status: a trace has no state" in episode["scores"]["task_success"]["reason"]
    assert came.code == 3


def test_the_same_conversation_twice_is_one(cli, team):
    spans = files("vercel-ai-6")
    _, result = scores_of(cli, *spans, *spans, "--workflow", team())
    assert len(result["episodes"]) == 1


def test_an_imported_conversation_is_named_by_its_id(cli, team):
    spans = files("vercel-ai-6")
    assert cli("traces", "import", *spans).code == 0
    came, result = scores_of(cli, "conv-travel-91c2", "--workflow", team())
    assert (came.code, len(result["episodes"])) == (1, 1)
    _, both = scores_of(cli, *spans, "conv-travel-91c2", "--workflow", team())
    assert both["episodes"][0]["scores"].keys() == result["episodes"][0]["scores"].keys()
    assert len(both["episodes"]) == 1


def test_gate_and_rescore_work_from_the_store_alone(cli, team, tmp_path):
    spans = tmp_path / "spans.jsonl"
    spans.write_bytes(files("vercel-ai-6")[0].read_bytes())
    folder = team()
    before, result = scores_of(cli, spans, "--workflow", folder)
    spans.unlink()
    (folder / "workflow.yaml").unlink()
    again = cli("rescore")
    assert "1 episodes scored again, 0 verdict(s) changed" in again.out
    came = cli("gate", "-o", "again.json")
    told = json.loads((cli.folder / "again.json").read_text())
    assert came.code == before.code == 1
    assert told["episodes"][0]["scores"] == result["episodes"][0]["scores"]
    assert told["gate"] == result["gate"]


def test_show_opens_the_conversation_with_feedback_and_what_it_lacks(cli, team):
    _, result = scores_of(cli, *files("otel-genai-feedback-events"), "--workflow", team())
    name = result["episodes"][0]["scenario"]
    page = cli("show", name).out
    assert "observed, not played · conversation conv-orders-7f3a" in page
    assert "feedback  turn 2: user_feedback · -1 · thumbs_down" in page
    assert "State: a trace has none" in page
    assert "user_feedback thumbs_up 1" in " ".join(result["notes"])


def test_of_many_kinds_of_feedback_it_is_said_how_many_are_not_named(cli, team, tmp_path):
    judged = tuple(
        SpanEvent(
            "gen_ai.evaluation.result", 2, {"gen_ai.evaluation.name": f"kind-{at}", "gen_ai.evaluation.score.value": 1}
        )
        for at in range(10)
    )
    messages = {
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Hi."}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Hello."}]}]),
    }
    chat = {"gen_ai.operation.name": "chat", **messages}
    span = Span("1" * 32, "2" * 16, None, "chat", "client", 1, 3, chat, events=judged)
    (tmp_path / "judged.jsonl").write_bytes(b"".join(lines([span])))
    _, result = scores_of(cli, tmp_path / "judged.jsonl", "--workflow", team())
    (told,) = (note for note in result["notes"] if note.startswith("feedback that came with the traces: "))
    assert told.count("kind-") == 8
    assert told.endswith(", 2 more")


def stripped(sample, target):
    """The sample as an instrumentation writes it with its content switched off."""
    texts = ("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions")
    hidden = (*texts, "gen_ai.tool.call.arguments", "gen_ai.tool.call.result")
    spans = []
    for span in read(files(sample)[0]):
        for name in hidden:
            span.attributes.pop(name, None)
        spans.append(span)
    target.write_bytes(b"\n".join(lines(spans)))
    return target


def test_without_content_only_what_needs_it_is_not_judged(cli, team, tmp_path):
    """Names, order, errors, tokens and times are there: the booking before the search is still seen."""
    sample = stripped("pitfall-lost-context-threads", tmp_path / "bare.jsonl")
    came, result = scores_of(cli, sample, "--workflow", team())
    found = {}
    for episode in result["episodes"]:
        for name, value in values(episode).items():
            found.setdefault(name, []).append(value)
    assert set(found["faithfulness"]) == {"not_judged"}
    assert set(found["rule.no-promise"]) == {"not_judged"}
    assert "failed" in found["rule.search-first"]
    assert found["tool_calls"] == [
        "not_judged",
        1,
        1,
    ]  # of the first, tools ran in traces of their own: none is not seen
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in came.out


def agent_span(user, reply, agent="helper", trace="a" * 32):
    """What an instrumentation writes that knows of the agent alone: what came in and what went out."""
    told = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": user}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": reply}]}]),
    }
    attributes = [{"key": name, "value": {"stringValue": value}} for name, value in told.items()]
    times = {"startTimeUnixNano": "1000000000", "endTimeUnixNano": "2000000000"}
    span = {"traceId": trace, "spanId": "b" * 16, "name": "invoke_agent", **times, "attributes": attributes}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


def test_a_trace_that_can_not_show_calls_passes_no_gate(cli, team, tmp_path):
    file = tmp_path / "agent.jsonl"
    file.write_text(agent_span("Please refund A-1002.", "I have refunded order A-1002."))
    rule = "  - {id: no-refund, never: [refund_order]}\nscenario_map:"
    came, result = scores_of(cli, file, "--workflow", team(WORKFLOW.replace("scenario_map:", rule, 1)))
    found = values(result["episodes"][0])
    unknown = ("rule.no-refund", "rule.few-seats", "tool_calls", "faithfulness", "safety.authorization")
    assert {name: found[name] for name in unknown} == dict.fromkeys(unknown, "not_judged")
    assert (
        "whether a tool was called in turn 1 can't be told" in result["episodes"][0]["scores"]["faithfulness"]["reason"]
    )
    assert came.code == 3


def test_conversations_of_several_agents_are_told_apart_and_opened_by_name(cli, team, tmp_path):
    file = tmp_path / "agents.jsonl"
    file.write_text(agent_span("Hi", "Hello.", "alpha") + "\n" + agent_span("Hey", "Hello.", "beta", "c" * 32))
    came, result = scores_of(cli, file, "--workflow", team())
    assert result["agent"]["version"] == "alpha@observed, beta@observed"
    agents = {episode["id"].split("/")[1]: episode["scenario"] for episode in result["episodes"]}
    assert set(agents) == {"alpha@observed", "beta@observed"}
    for agent, name in agents.items():
        assert agent in cli("show", name).out
    assert cli("gate").code == came.code == 3


def test_what_is_no_telemetry_is_not_taken_for_an_exporter_that_sent_nothing(cli, team, tmp_path):
    broken = tmp_path / "z.bin"
    broken.write_bytes(bytes(range(250, 0, -1)))
    came, _ = scores_of(cli, broken, "--workflow", team())
    assert (came.code, "what came is no telemetry" in came.out, "exporter" in came.out) == (3, True, False)


def test_no_spans_is_a_verdict_of_its_own(cli, team, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    came, result = scores_of(cli, empty, "--workflow", team())
    assert came.code == 3
    assert "no spans arrived" in came.out
    assert result["gate"]["decision"] == "undecided"
    assert [rule["rule"] for rule in result["gate"]["rules"]] == ["conversations arrived"]
    again = cli("gate")
    assert (again.code, "no conversation had arrived" in again.err) == (3, True)


def test_spans_that_tell_of_no_conversation_are_another(cli, team, tmp_path):
    other = {"traceId": "a" * 32, "spanId": "b" * 16, "name": "GET /", "startTimeUnixNano": "1", "endTimeUnixNano": "2"}
    file = tmp_path / "web.jsonl"
    file.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [other]}]}]}))
    came = cli("score", file, "--workflow", team())
    assert came.code == 3
    assert "none tells of a conversation" in came.out


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.operation.name": "embeddings"},
        {"gen_ai.operation.name": "create_agent", "gen_ai.agent.name": "shop"},
        {"gen_ai.operation.name": "x"},
        {"gen_ai.system": "openai"},
        {"openinference.span.kind": "EMBEDDING"},
        {"langfuse.observation.type": "span"},
        {"ai.operationId": "ai.embed"},
    ],
    ids=lambda attributes: "=".join(next(iter(attributes.items()))),
)
def test_nor_do_all_spans_of_a_known_dialect_tell_of_one(cli, team, tmp_path, attributes):
    file = tmp_path / "other.jsonl"
    file.write_bytes(b"".join(lines([Span("a" * 32, "b" * 16, None, "op", "internal", 1, 2, attributes)])))
    came = cli("score", file, "--workflow", team())
    assert came.code == 3
    assert "none tells of a conversation" in came.out
    assert cli("traces", "import", file).code == 3


def test_what_can_not_be_read_leaves_the_gate_undecided(cli, team, tmp_path):
    rule = "  - {id: search-first, before: book_train, need: search_trains, code: PO1}\n"
    file = tmp_path / "cut.jsonl"
    file.write_text(files("vercel-ai-6")[0].read_text() + '\n{"resourceSpans": [')
    came, result = scores_of(cli, file, "--workflow", team(WORKFLOW.replace(rule, "")))
    assert came.code == 3
    assert result["gate"]["rules"][0]["rule"] == "all telemetry was read"
    assert cli("gate").code == 3


def test_unknown_tools_are_listed_once_with_what_to_paste(cli, team):
    marks = "  get_weather: {kind: reads, args: {city: text, days: integer?}}\n"
    came = cli("score", *files("vercel-ai-6"), "--workflow", team(WORKFLOW.replace(marks, "")))
    assert came.out.count("get_weather: {kind: reads}") == 1


def test_family_agent_and_slices_are_as_named(cli, team):
    arguments = ("--family", "orders", "--agent", "desk@2", "--slice", "language=telemetry.sdk.language")
    came, result = scores_of(cli, *files("otel-genai-openai-loop"), "--workflow", team(), *arguments)
    (episode,) = result["episodes"]
    assert (episode["family"], episode["slices"]) == ("orders", {"language": "python"})
    assert result["agent"]["version"] == "desk@2"
    assert "1 conversation observed" in came.out


def test_without_a_row_for_production_there_is_one_of_its_own(cli, team):
    came, result = scores_of(cli, *files("vercel-ai-6"), "--workflow", team(WORKFLOW.replace("production", "authored")))
    assert result["episodes"][0]["family"] == "unassigned"
    assert list(result["planned"]) == ["unassigned"]
    assert "--family NAME" in came.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: no such file, and no imported conversation of that id"),
        (["."], "is a folder: name the files in it"),
        (
            ["FILE", "--family", "journey"],
            "--family journey: the workflow has none of that name; did you mean `journeys`?",
        ),
        (["FILE", "--scenario", "x"], "--scenario x: there is none of that name"),
        (["FILE", "--slice", "language"], "--slice takes name=value"),
    ],
)
def test_mistakes_are_told(cli, team, tmp_path, arguments, said):
    file = tmp_path / "empty.jsonl"
    file.write_text("")
    came = cli("score", *[file if part == "FILE" else part for part in arguments], "--workflow", team())
    assert came.code == 2
    assert said in came.err


def test_an_observed_run_is_not_gone_on_with(cli, team):
    cli("score", *files("vercel-ai-6"), "--workflow", team())
    came = cli("run", "--resume", "latest")
    assert came.code == 2
    assert "observed, not played" in came.err
