"""One call seen by several instrumentations."""

from __future__ import annotations

from tests.traces.reading.made import HISTORY, OUTPUT, Trace, assistant, model_calls, response, user
from traces.genai import Usage
from traces.reading import conversations


def test_a_copy_in_another_trace_is_the_same_call_by_its_response() -> None:
    one, two = Trace(1), Trace(2)
    one.model(one.run(), HISTORY, OUTPUT, extra=response("r"), at=2)
    two.model(None, None, None, (10, 5), extra=response("r"), at=2.1, lasting=0.3, scope="client")
    (found,) = conversations([*one.spans, *two.spans])
    (call,) = found.turns[0].model_calls
    assert call.usage == Usage(10, 5)
    assert len(call.origin) == 2
    assert any("each call counts once" in warning for warning in found.warnings)


def test_a_copy_without_an_id_is_told_by_time_tokens_and_output() -> None:
    one, two = Trace(1), Trace(2)
    one.model(one.run(), HISTORY, OUTPUT, at=2)
    two.model(None, HISTORY, OUTPUT, at=2.1, lasting=0.3, scope="client")
    (found,) = conversations([*one.spans, *two.spans])
    assert len(found.turns[0].model_calls) == 1


def test_equal_calls_of_one_instrumentation_are_two() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, at=2)
    trace.model(run, HISTORY, OUTPUT, at=2.1)
    assert len(model_calls(trace.spans)) == 2


def test_a_server_that_gives_every_response_the_same_id_confuses_nothing() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, extra=response("fake"))
    trace.model(run, [*HISTORY, *OUTPUT, user("c")], [assistant("d")], extra=response("fake"))
    assert len(model_calls(trace.spans)) == 2


def test_a_span_within_another_that_agrees_is_the_same_call() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), HISTORY, OUTPUT, lasting=2)
    trace.model(outer, None, None, (10, 5), {"gen_ai.usage.cache_read.input_tokens": 4})
    (call,) = model_calls(trace.spans)
    assert call.usage == Usage(10, 5, cached=4)


def test_a_call_that_an_agent_made_within_another_s_span_is_one_of_its_own() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), [user("a")], [assistant("", ("hand_over", "1", {}))], lasting=30)
    trace.model(trace.run("other", parent=outer, lasting=20), [user("a")], [assistant("b")], tokens=(20, 6))
    (found,) = conversations(trace.spans)
    assert [call.usage for call in found.turns[0].model_calls] == [Usage(10, 5), Usage(20, 6)]


def test_a_span_around_calls_that_it_does_not_agree_with_is_a_sum() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), HISTORY, OUTPUT, (30, 15), lasting=5)
    trace.model(outer, HISTORY, [assistant("first try")], (10, 5))
    trace.model(outer, HISTORY, OUTPUT, (20, 10))
    assert [call.usage for call in model_calls(trace.spans)] == [Usage(10, 5), Usage(20, 10)]


def test_a_call_with_calls_within_that_has_a_response_of_its_own_is_a_call() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), HISTORY, OUTPUT, (30, 15), extra=response("r1"), lasting=5)
    trace.model(outer, [user("x")], [assistant("y")], (10, 5), extra=response("r2"))
    assert {call.response_id for call in model_calls(trace.spans)} == {"r1", "r2"}


def test_copies_that_contradict_each_other_in_output_are_two_calls() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, at=2)
    trace.model(run, HISTORY, [assistant("something else")], at=2.1, scope="client")
    assert len(model_calls(trace.spans)) == 2


def test_a_span_with_the_words_around_one_with_the_tokens_is_the_same_call() -> None:
    trace = Trace()
    run = trace.run()
    outer = trace.model(run, [user("a")], [assistant("", ("get", "1", {}))], tokens=None, lasting=3)
    trace.model(outer, None, None, tokens=(10, 5))
    (turn,) = conversations(trace.spans)[0].turns
    (call,) = turn.model_calls
    assert (call.usage, call.tool_call_ids, turn.user) == (Usage(10, 5, 0, 0), ("1",), "a")
