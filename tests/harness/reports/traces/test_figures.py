import json

from harness.reports.traces.figures import Figures, figures_json
from harness.reports.traces.words import duration, lasted
from tests.effort import growth
from traces.conversation import Conversation, ModelCall, ToolCall, ToolError, Turn
from traces.genai import Usage

KINDS = {"get": "reads", "find": "reads", "pay": "writes"}
FAILED = ToolError("E", "no", "status")


def conversation(*steps):
    return Conversation(None, "trace", (Turn("hi", "yes", steps),))


def call(name, *given, error=None, took=None):
    return ToolCall(name, arguments=list(given), error=error, started=1 if took else None, ended=took and 1 + took)


def redundant(*calls, kinds=KINDS):
    figures = Figures()
    figures.add(conversation(*calls), kinds)
    return {name: tool.redundant for name, tool in figures.tools.items()}, any(
        t.at_most for t in figures.tools.values()
    )


def test_a_call_is_redundant_if_nothing_was_written_since_its_like():
    assert redundant(call("get", 1), call("find", 1), call("get", 1.0)) == ({"get": 1, "find": 0}, False)
    assert redundant(call("get", 1), call("get", 2)) == ({"get": 0}, False)
    assert redundant(call("get", 1), call("pay", 5), call("get", 1)) == ({"get": 0, "pay": 0}, False)
    assert redundant(call("get", 1), call("pay", 5, error=FAILED), call("get", 1)) == ({"get": 1, "pay": 0}, False)
    assert redundant(call("pay", 5), call("pay", 5)) == ({"pay": 1}, False)
    assert redundant(call("get", 1, error=FAILED), call("get", 1)) == ({"get": 0}, False)


def test_what_may_have_written_makes_it_a_most():
    assert redundant(call("get", 1), call("other"), call("get", 1)) == ({"get": 1, "other": 0}, True)
    assert redundant(call("get", 1), call("get", 1), kinds=None) == ({"get": 1}, True)
    assert redundant(call("other"), call("get", 1), call("get", 1)) == ({"other": 0, "get": 1}, False)


def test_a_long_conversation_is_counted_in_time_that_grows_with_it():
    def calls(many):
        return [call("other", number % many) for number in range(2 * many)]

    assert redundant(*calls(1000)) == ({"other": 1000}, True)
    assert growth(lambda steps: redundant(*steps), calls, 200) < 1.1


def test_calls_of_two_conversations_are_not_alike():
    figures = Figures()
    for _ in range(2):
        figures.add(conversation(call("get", 1)), KINDS)
    assert figures.tools["get"].redundant == 0
    assert figures.traces == 2


def test_durations_are_of_calls_that_happened():
    figures = Figures()
    figures.add(conversation(*(call("get", n, took=n * 10**9) for n in range(1, 101)), call("get", 0)), KINDS)
    told = figures_json(figures)["tools"]["get"]
    assert (told["calls"], told["p50_seconds"], told["p95_seconds"], told["p99_seconds"]) == (101, 50, 95, 99)


def test_a_duration_that_is_not_known_is_in_no_percentile_and_shown_as_unknown():
    times = [(10**9, 0), (0, 10**9), (0, 0), (2 * 10**9, 10**9), (10**9, None), (None, 10**9)]
    figures = Figures()
    figures.add(conversation(*(ToolCall("get", started=started, ended=ended) for started, ended in times)), KINDS)
    assert (figures.tools["get"].calls, list(figures.tools["get"].took)) == (6, [])
    assert {duration(lasted(*each)) for each in times} == {"?"}
    assert duration(lasted(1, 1)) == "0.0 ms"


def test_tokens_that_nobody_counted_are_not_none():
    figures = Figures()
    figures.add(conversation(ModelCall("m", usage=Usage(10, 2, 3, 1)), ModelCall("m", "m-1", error="E")), None)
    models = json.loads(json.dumps(figures_json(figures)))["models"]
    assert models["m"] == {
        "calls": 1, "errors": 0, "p50_seconds": None, "p95_seconds": None, "p99_seconds": None,
        "counted": 1, "input_tokens": 10, "output_tokens": 2, "cached_tokens": 3, "reasoning_tokens": 1,
    }  # fmt: skip
    assert (models["m-1"]["errors"], models["m-1"]["input_tokens"]) == (1, None)
