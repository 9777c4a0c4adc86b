"""What no message tells of: tools that nobody asked for, runs without model calls, and the words of runs."""

from __future__ import annotations

import json

from tests.traces.reading.made import Trace, assistant, system, talk, tool_calls, tool_names, user
from traces.reading import conversation, conversations


def test_a_tool_that_no_message_asks_for_is_a_call_too() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("b")])
    trace.tool(run, "get", {"k": 1}, "x", at=1.5)
    (call,) = tool_calls(conversation(trace.spans))
    assert (call.name, call.result, call.told, call.missing) == ("get", "x", None, frozenset({"told"}))


def test_without_a_history_every_run_is_a_turn() -> None:
    spans = []
    for number, (said, replied) in enumerate([("yes", "a"), ("yes", "b"), ("no", "c")], 1):
        trace = Trace(number, number * 1000)
        trace.model(trace.run(), [system("s"), user(said)], [assistant(replied)])
        spans += trace.spans
    (found,) = conversations(spans)
    assert talk(found) == [("yes", "a"), ("yes", "b"), ("no", "c")]


def test_agents_one_after_the_other_take_their_words_from_the_run() -> None:
    trace = Trace()
    flow = trace.add(
        {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.input.messages": json.dumps([user("write about bees")]),
            "gen_ai.output.messages": json.dumps([assistant("Bees are fine.")]),
        },
        lasting=100,
    )
    trace.model(trace.run("planner", None, flow), [user("plan: write about bees")], [assistant("1. bees")])
    trace.model(trace.run("writer", None, flow), [user("write by this plan: 1. bees")], [assistant("Bees are fine.")])
    found = conversation(trace.spans)
    assert talk(found) == [("write about bees", "Bees are fine.")]
    assert len(found.turns[0].model_calls) == 2


def test_a_run_that_died_has_no_reply() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("Let me look.", ("get", "1", {}))])
    found = conversation(trace.spans)
    assert talk(found) == [("a", None)]
    assert found.turns[0].tool_calls[0].executed is None
    (warning,) = (one for one in found.warnings if "nothing shows that it was executed" in one)
    assert (warning.kind, warning.turn) == ("calls", 0)


def test_a_run_that_tells_the_last_words_of_its_state_has_not_said_them_again() -> None:
    trace = Trace()
    first, again = (trace.run(conversation=None) for _ in range(2))
    for run, asked in ((first, "a"), (again, "c")):
        run.attributes["gen_ai.input.messages"] = json.dumps([user(asked)])
        run.attributes["gen_ai.output.messages"] = json.dumps([assistant("b")])
    trace.model(first, [user("a")], [assistant("b")])
    trace.model(again, [user("a"), assistant("b"), user("c")], [assistant("")])
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", None)]


def test_without_model_calls_the_runs_tell_the_turns() -> None:
    spans = []
    for number in (1, 2):
        trace = Trace(number, number * 1000)
        run = trace.run()
        run.attributes["gen_ai.input.messages"] = json.dumps([user(f"q{number}")])
        run.attributes["gen_ai.output.messages"] = json.dumps([assistant(f"a{number}")])
        trace.tool(run, "get", {"n": number}, "x")
        spans += trace.spans
    found = conversation(spans)
    assert talk(found) == [("q1", "a1"), ("q2", "a2")]
    assert [tool_names(turn) for turn in found.turns] == [["get"], ["get"]]


def test_calls_that_ran_between_two_model_calls_were_asked_for_at_once_though_it_is_hidden() -> None:
    trace = Trace()
    run = trace.run()
    for calls in (["1", "2"], ["3"], [None, None]):
        trace.model(run, None, None)
        for call_id in calls:
            trace.tool(run, "get", {"k": call_id}, "x", call_id)
    trace.model(run, None, None)
    (turn,) = conversation(trace.spans).turns
    assert [call.group for call in turn.tool_calls] == [0, 0, None, None, None]
