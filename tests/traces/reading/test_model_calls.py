"""A model call counts once, however many spans tell of it, and so do its tokens."""

from __future__ import annotations

from typing import Any

from tests.traces.reading.made import SECOND, Trace, answer, assistant, user
from traces.conversation import ModelCall
from traces.genai import Usage
from traces.log_record import LogRecord
from traces.reading import conversation, conversations
from traces.reading.collapse import collapse
from traces.reading.forest import forest
from traces.span import Span

HISTORY, OUTPUT = [user("a")], [assistant("b")]


def calls(spans: list[Span]) -> list[ModelCall]:
    return [call for turn in conversation(spans).turns for call in turn.model_calls]


def response(value: str) -> dict[str, Any]:
    return {"gen_ai.response.id": value}


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


def test_a_call_is_captured_where_its_whole_output_is_there() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT)
    trace.model(run, HISTORY, None)
    assert [call.captured for call in calls(trace.spans)] == [True, False]


def test_equal_calls_of_one_instrumentation_are_two() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, at=2)
    trace.model(run, HISTORY, OUTPUT, at=2.1)
    assert len(calls(trace.spans)) == 2


def test_a_server_that_gives_every_response_the_same_id_confuses_nothing() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, extra=response("fake"))
    trace.model(run, [*HISTORY, *OUTPUT, user("c")], [assistant("d")], extra=response("fake"))
    assert len(calls(trace.spans)) == 2


def test_a_span_within_another_that_agrees_is_the_same_call() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), HISTORY, OUTPUT, lasting=2)
    trace.model(outer, None, None, (10, 5), {"gen_ai.usage.cache_read.input_tokens": 4})
    (call,) = calls(trace.spans)
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
    assert [call.usage for call in calls(trace.spans)] == [Usage(10, 5), Usage(20, 10)]


def test_a_call_with_calls_within_that_has_a_response_of_its_own_is_a_call() -> None:
    trace = Trace()
    outer = trace.model(trace.run(), HISTORY, OUTPUT, (30, 15), extra=response("r1"), lasting=5)
    trace.model(outer, [user("x")], [assistant("y")], (10, 5), extra=response("r2"))
    assert {call.response_id for call in calls(trace.spans)} == {"r1", "r2"}


def test_counts_of_agents_are_no_calls() -> None:
    trace = Trace()
    run = trace.run()
    run.attributes |= {"gen_ai.usage.input_tokens": 99, "gen_ai.usage.output_tokens": 99}
    trace.model(run, HISTORY, OUTPUT)
    assert [call.usage for call in calls(trace.spans)] == [Usage(10, 5)]


def test_a_call_without_counts_says_why() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, None)
    (call,) = calls(trace.spans)
    assert call.usage is None
    assert call.missing == "the span `span` gives no token counts"


def test_a_call_that_counts_nothing_at_all_was_told_nothing() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")], tokens=(0, 0))
    (found,) = conversations(trace.spans)
    (call,) = found.turns[0].model_calls
    assert (call.usage, call.missing) == (None, "the span `span` gives no token counts")


def test_counts_that_cannot_be_right_are_missing() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, (10, -5))
    (call,) = calls(trace.spans)
    assert call.usage is None
    assert "negative" in (call.missing or "")


def test_copies_that_contradict_each_other_in_output_are_two_calls() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT, at=2)
    trace.model(run, HISTORY, [assistant("something else")], at=2.1, scope="client")
    assert len(calls(trace.spans)) == 2


def test_reasoning_tokens_under_the_name_that_they_had_for_a_while() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, extra={"gen_ai.usage.experimental.reasoning_tokens": 3})
    (call,) = calls(trace.spans)
    assert call.usage == Usage(10, 5, reasoning=3)


def test_a_call_whose_span_did_not_come_was_made_in_the_only_run_of_its_trace() -> None:
    trace = Trace()
    run = trace.run("desk")
    trace.tool(run, "get", {"k": 1}, "x", call_id="1", at=4)
    asks = assistant("", ("get", "1", {"k": 1}))
    told = [([user("a")], [asks]), ([user("a"), asks, answer("1", "x")], [assistant("b")])]
    records = [
        LogRecord(
            trace.id,
            f"{number:016x}",
            (2 * number + 1) * SECOND,
            "gen_ai.client.inference.operation.details",
            None,
            {"gen_ai.input.messages": asked, "gen_ai.output.messages": given},
        )
        for number, (asked, given) in enumerate(told, 1)
    ]
    (found,) = conversations(trace.spans, records)
    (turn,) = found.turns
    assert (turn.user, turn.assistant, turn.agents, found.id) == ("a", "b", ("desk",), "c1")
    assert [call.agent for call in turn.model_calls] == ["desk", "desk"]
    elsewhere = Trace(2, 1000)
    elsewhere.run("desk", conversation="c2")
    late = LogRecord(elsewhere.id, "f" * 16, 3000 * SECOND, records[0].name, None, records[0].attributes)
    (other,) = conversations(elsewhere.spans, [late])
    assert [call.agent for call in other.turns[0].model_calls] == [None]


def test_a_span_with_the_words_around_one_with_the_tokens_is_the_same_call() -> None:
    trace = Trace()
    run = trace.run()
    outer = trace.model(run, [user("a")], [assistant("", ("get", "1", {}))], tokens=None, lasting=3)
    trace.model(outer, None, None, tokens=(10, 5))
    (turn,) = conversations(trace.spans)[0].turns
    (call,) = turn.model_calls
    assert (call.usage, call.tool_call_ids, turn.user) == (Usage(10, 5, 0, 0), ("1",), "a")


def test_a_history_that_begins_with_an_answer_answers_it_though_its_id_is_asked_for_again() -> None:
    trace = Trace()
    again = assistant("", ("get", "c1", {}))
    trace.model(None, [answer("c1", "1"), again, answer("c1", "2")], [assistant("b")])
    (call,) = collapse(forest(trace.spans, ())[0])
    assert call.answered == "c1"
