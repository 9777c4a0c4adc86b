"""A model call counts once, however many spans tell of it, and so do its tokens."""

from __future__ import annotations

from tests.traces.reading.made import HISTORY, OUTPUT, Trace, model_calls
from traces.genai import Usage


def test_a_call_is_captured_where_its_whole_output_is_there() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, HISTORY, OUTPUT)
    trace.model(run, HISTORY, None)
    assert [call.captured for call in model_calls(trace.spans)] == [True, False]


def test_a_call_without_counts_says_why() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, None)
    (call,) = model_calls(trace.spans)
    assert call.usage is None
    assert call.missing == "the span `span` gives no token counts"


def test_counts_that_cannot_be_right_are_missing() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, (10, -5))
    (call,) = model_calls(trace.spans)
    assert call.usage is None
    assert "negative" in (call.missing or "")


def test_reasoning_tokens_under_the_name_that_they_had_for_a_while() -> None:
    trace = Trace()
    trace.model(trace.run(), HISTORY, OUTPUT, extra={"gen_ai.usage.experimental.reasoning_tokens": 3})
    (call,) = model_calls(trace.spans)
    assert call.usage == Usage(10, 5, reasoning=3)
