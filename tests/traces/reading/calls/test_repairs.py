"""Histories that are not told as they were, put right by other calls."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, answer, assistant, talk, user
from traces.reading import conversation, conversations, stream


@pytest.mark.parametrize("with_run", [True, False])
def test_answers_to_calls_that_the_server_remembers_are_those_to_their_items_in_order(with_run: bool) -> None:
    trace = Trace()
    run = trace.run() if with_run else None
    named = {} if with_run else {"session.id": "c1"}
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    trace.model(run, [user("a")], [asks], extra=named)
    trace.model(run, [user("is it safe?")], [assistant("yes")])
    trace.model(run, [answer("call_1", "x"), answer("call_2", "y")], [assistant("b", ("end", "fc_3", {}))], extra=named)
    trace.model(run, [answer("call_3", "z"), answer("call_4", "z")], [assistant("c")], extra=named)
    found = conversation(trace.spans)
    calls = [(call.id, call.told) for call in found.turns[0].tool_calls]
    assert calls == [("call_1", "x"), ("call_2", "y"), ("fc_3", None)]
    assert found.turns[0].model_calls[0].tool_call_ids == ("call_1", "call_2")


def test_a_call_that_was_asked_for_under_its_items_id_is_the_one_that_is_answered() -> None:
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    history = [user("a"), asks, answer("call_1", "x"), answer("call_2", "y")]
    one, two = Trace(1), Trace(2, start=50)
    one.model(None, [user("a")], [asks])
    two.model(None, history, [assistant("b")])
    (found,) = conversations([*one.spans, *two.spans])
    (turn,) = found.turns
    assert [(call.id, call.result, call.group) for call in turn.tool_calls] == [("call_1", "x", 0), ("call_2", "y", 0)]
    assert turn.model_calls[0].tool_call_ids == ("call_1", "call_2")
    assert (turn.user, turn.assistant) == ("a", "b")


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
