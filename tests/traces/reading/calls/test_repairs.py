"""Histories that are not told as they were, put right by other calls."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, talk, user
from traces.reading import conversation, conversations, stream


def test_calls_that_a_history_leaves_out_with_the_message_without_a_text_are_put_back() -> None:
    traces = [Trace(number, number * 50) for number in range(1, 6)]
    asks = assistant("", ("get", "1", {"n": 1}), ("get", "2", {"n": 2}))
    told = [user("a"), answer("1", "x"), answer("2", "y")]
    traces[0].model(None, told[:1], [asks])
    traces[1].model(None, told, [assistant("b")])
    told += [assistant("b"), user("c")]
    traces[2].model(None, told, [assistant("wait", ("get", "3", {"n": 3}))])
    traces[3].model(None, [*told, assistant("wait"), answer("3", "z")], [assistant("d")])
    traces[4].model(None, [user("a")], [assistant("another")])
    spans = [span for trace in traces for span in trace.spans]
    found, other = conversations(spans)
    assert (talk(found), talk(other)) == ([("a", "b"), ("c", "d")], [("a", "another")])
    calls = [call for turn in found.turns for call in turn.tool_calls]
    assert [(call.id, call.result, call.group) for call in calls] == [("1", "x", 0), ("2", "y", 0), ("3", "z", None)]
    assert not found.warnings
    assert [talk(one) for one in stream(spans[::-1])] == [talk(found), talk(other)]


def test_what_asked_for_answers_without_ids_is_what_came_of_the_same_history() -> None:
    trace = Trace()
    run = trace.run()
    told = [user("a"), answer(None, "x"), answer(None, "y")]
    trace.model(run, told[:1], [assistant("", ("get", "1", {"n": 1}), ("get", "2", {"n": 2}))])
    trace.model(run, told, [assistant("b")])
    trace.model(run, [*told, assistant("b"), user("c")], [assistant("d")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert [(call.id, call.result) for call in found.turns[0].tool_calls] == [("1", "x"), ("2", "y")]
