"""Runs that came to nothing are turns, and told once."""

from __future__ import annotations

import json

import pytest

from tests.traces.reading.made import Trace, assistant, talk, tool_names, user
from traces.reading import conversation


@pytest.mark.parametrize("kept", [False, True])
def test_a_run_that_died_before_a_model_was_asked_is_a_turn(kept: bool) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    died = trace.run(status="error")
    died.attributes["gen_ai.input.messages"] = json.dumps([user("c")])
    told = [user("c")] if kept else []
    trace.model(trace.run(), [user("a"), assistant("b"), *told, user("d"), user("e")], [assistant("f")])
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", None), ("d\ne", "f")]


def test_what_an_application_said_in_the_place_of_a_run_that_died_stands_in_its_turn() -> None:
    trace = Trace()
    died = trace.run(status="error")
    died.attributes["gen_ai.input.messages"] = json.dumps([user("a")])
    trace.model(trace.run(), [user("a"), assistant("Sorry."), user("b")], [assistant("c")])
    assert talk(conversation(trace.spans)) == [("a", "Sorry."), ("b", "c")]


def test_a_run_that_was_cut_off_from_its_model_call_is_no_other_turn() -> None:
    trace = Trace()
    run = trace.run(status="error")
    run.attributes["gen_ai.input.messages"] = json.dumps([user("a")])
    cycle = trace.add({}, run)
    trace.model(cycle, [user("a")], [assistant("", ("wait", "1", {}))])
    found = conversation([span for span in trace.spans if span is not cycle])
    assert [(turn.user, tool_names(turn)) for turn in found.turns] == [("a", ["wait"])]


def test_of_failed_calls_that_show_no_messages_the_next_history_tells_what_was_said() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    for _ in range(2):
        trace.model(trace.run(), None, None, None, status="error", status_text="overloaded")
    trace.model(trace.run(), [user("a"), assistant("b"), user("c"), user("d"), user("e")], [assistant("f")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", None), ("d", None), ("e", "f")]
    assert [len(turn.model_calls) for turn in found.turns] == [1, 1, 1, 1]


def test_a_turn_that_a_guard_stopped_is_the_user_s_and_not_the_guard_s() -> None:
    trace = Trace()
    for history, safe, replied in [
        ([user("hi")], "yes", "hello"),
        ([user("hi"), assistant("hello"), user("rob")], "no", None),
        ([user("hi"), assistant("hello"), user("rob"), user("bye")], "yes", "see you"),
    ]:
        run = trace.run()
        trace.model(run, [user(f"Is it safe: {history[-1]['parts'][0]['content']}")], [assistant(safe)])
        if replied:
            trace.model(run, history, [assistant(replied)])
    assert talk(conversation(trace.spans)) == [("hi", "hello"), ("rob", None), ("bye", "see you")]


def test_words_of_the_turn_before_that_are_said_again_stay_where_they_are() -> None:
    trace = Trace()
    history = [user("yes, do it"), assistant("sure?"), user("yes"), user("please")]
    trace.model(trace.run(), history[:1], [assistant("sure?")])
    trace.model(trace.run(), history, [assistant("done")])
    assert talk(conversation(trace.spans)) == [("yes, do it", "sure?"), ("yes\nplease", "done")]
