"""Trees of spans of which some did not come."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, user
from traces.conversation import Conversation
from traces.reading import conversations


def told(found: Conversation) -> list[tuple[str | None, str | None, int]]:
    return [(turn.user, turn.assistant, len(turn.model_calls)) for turn in found.turns]


def test_what_lost_the_spans_above_it_is_of_the_run_that_is_the_root_of_its_trace() -> None:
    trace = Trace()
    run = trace.run()
    lost = trace.add({"step": 1}, run)
    trace.model(lost, None, None)
    trace.model(run, [user("a")], [assistant("b")])
    (found,) = conversations([span for span in trace.spans if span is not lost])
    assert told(found) == [("a", "b", 2)]
    assert any("1 spans have a parent that is not here" in warning for warning in found.warnings)


def test_a_call_without_words_is_of_the_one_run_of_its_trace_that_has_not_ended_yet() -> None:
    trace = Trace()
    run = trace.run()
    trace.tool(run, "get", {}, "x", "call_1")
    trace.model(run, [user("a"), assistant("", ("get", "call_1", {})), answer("call_1", "x")], [assistant("b")])
    trace.model(trace.add({"step": 1}, run), None, None)
    (found,) = conversations([span for span in trace.spans[1:] if "step" not in span.attributes])
    assert told(found) == [("a", "b", 2)]


def test_a_root_that_is_no_run_or_was_over_stands_for_nothing() -> None:
    for root in (Trace().add({"app": "nightly"}, lasting=100), Trace().run(lasting=0.1)):
        trace = Trace()
        trace.spans.append(root)
        for number in (1, 2):
            trace.model(trace.add({"step": number}, root), None, None)
        (found,) = conversations([span for span in trace.spans if "step" not in span.attributes])
        assert [len(turn.model_calls) for turn in found.turns if turn.model_calls] == [1, 1]
