"""Calls that histories tell of again."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, user
from traces.reading import conversation


def test_a_call_that_is_told_again_in_a_history_that_lacks_messages_is_the_same_call() -> None:
    """As where an answer's record came late: the histories then go on from none of each other."""
    trace = Trace()
    run = trace.run()
    asked, again = assistant("", ("get", "c1", {"k": 1})), assistant("", ("get", "c2", {"k": 2}))
    trace.model(run, [user("a")], [asked])
    trace.model(run, [user("a"), asked], [again])
    trace.model(run, [user("a"), asked, answer("c1", "1"), again, answer("c2", "2")], [assistant("b")])
    (turn,) = conversation(trace.spans).turns
    assert [(call.id, call.result) for call in turn.tool_calls] == [("c1", 1), ("c2", 2)]


def test_a_model_that_counts_the_ids_of_its_calls_anew_made_as_many_calls() -> None:
    trace = Trace()
    run = trace.run()
    asked = assistant("", ("get", "call_1", {"k": 1}))
    history = [user("a"), asked, answer("call_1", "1"), assistant("b"), user("c"), asked, answer("call_1", "1")]
    trace.model(run, history, [assistant("d")])
    first, second = conversation(trace.spans).turns
    assert [len(first.tool_calls), len(second.tool_calls)] == [1, 1]


def test_a_call_under_an_old_id_that_was_answered_otherwise_is_another() -> None:
    trace = Trace()
    run = trace.run()
    asked = assistant("", ("now", "call_0", {}))
    for user_says, told in (("time?", "10:00"), ("and now?", "10:05")):
        trace.model(run, [user(user_says)], None)
        trace.model(run, [user(user_says), asked, answer("call_0", told)], None)
    found = conversation(trace.spans)
    assert [call.told for turn in found.turns for call in turn.tool_calls] == ["10:00", "10:05"]
