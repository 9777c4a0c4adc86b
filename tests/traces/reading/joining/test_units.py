"""The parts of traces that are of one conversation each."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, user, words
from traces.reading import conversations, stream


def test_one_trace_may_hold_many_conversations() -> None:
    trace = Trace()
    batch = trace.add({}, lasting=1000)
    for name in ("x", "y"):
        run = trace.run(conversation=name, parent=batch)
        asks = assistant("", ("get", "1", {}))
        trace.model(run, [user(name)], [asks])
        trace.tool(run, "get", {}, name, "1")
        trace.model(run, [user(name), asks, answer("1", name)], [assistant("done")])
    found = conversations(trace.spans)
    assert [(one.id, words(one), one.turns[0].tool_calls[0].result) for one in found] == [
        ("x", ["x"], "x"),
        ("y", ["y"], "y"),
    ]


def test_the_id_of_a_sub_agent_within_a_tool_is_part_of_the_conversation_around() -> None:
    trace = Trace()
    run = trace.run(conversation="outer")
    trace.model(run, [user("a")], [assistant("", ("ask", "1", {"q": "b"}))])
    tool = trace.tool(run, "ask", {"q": "b"}, "c", "1", lasting=10)
    inner = trace.run("helper", "inner", tool, lasting=5)
    trace.model(inner, [user("b")], [assistant("c")])
    trace.model(run, [user("a"), assistant("", ("ask", "1", {"q": "b"})), answer("1", "c")], [assistant("d")])
    for found in (conversations(trace.spans), list(stream(trace.spans))):
        (one,) = found
        assert (one.id, [(turn.user, turn.assistant) for turn in one.turns]) == ("outer", [("a", "d")])
        assert len(one.turns[0].model_calls) == 3


def test_runs_of_one_trace_that_are_each_other_s_sub_agents_are_one_conversation() -> None:
    trace = Trace()
    for mine, other in (("a", "b"), ("b", "a")):
        run = trace.run(conversation=mine)
        trace.run("other", other, parent=trace.tool(run, "ask"))
    (found,) = conversations(trace.spans)
    assert (found.id, len(found.spans)) == (None, 6)


def test_an_id_below_counts_for_what_is_above() -> None:
    trace = Trace()
    top = trace.add({"gen_ai.operation.name": "invoke_workflow"}, lasting=1000)
    trace.model(trace.run(conversation="x", parent=top), [user("a")], [assistant("b")])
    (found,) = conversations(trace.spans)
    assert found.id == "x"
    assert len(found.spans) == 3
