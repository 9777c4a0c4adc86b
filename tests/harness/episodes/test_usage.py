from __future__ import annotations

from harness.episodes.usage import model_calls
from harness.model.episode import Turn
from traces.genai import ModelSpan, Usage


def turn(number):
    return Turn(number, 10.0 * number, 10.0 * number + 1, {})


def span(turn, tokens=None, missing=None, span_id="a"):
    return ModelSpan(span_id, turn, "m-1", tokens, missing, 1.0, 2.0)


def test_spans_give_the_usage():
    (call,) = model_calls([span(1, Usage(7, 3, 2, 1))], [turn(1)], {1: Usage(100, 100)})
    assert (call.turn, call.model, call.usage, call.missing) == (1, "m-1", Usage(7, 3, 2, 1), None)


def test_stated_usage_fills_only_turns_that_no_span_measured():
    spans = [span(1, Usage(7, 3)), span(2, None, "no usage on the span")]
    calls = model_calls(spans, [turn(1), turn(2), turn(3)], {1: Usage(1, 1), 2: Usage(2, 2), 3: Usage(3, 3)})
    assert [(call.turn, call.usage) for call in calls] == [(1, Usage(7, 3)), (2, Usage(2, 2)), (3, Usage(3, 3))]
    assert calls[1].model == "m-1"
    assert calls[2].model is None


def test_a_figure_for_a_whole_turn_is_not_counted_once_a_request():
    spans = [span(1, None, "none"), span(1, None, "none", "b")]
    calls = model_calls(spans, [turn(1)], {1: Usage(10, 4)})
    assert sum(call.usage.input for call in calls) == 10
    assert sum(call.usage.output for call in calls) == 4


def test_what_nobody_reported_stays_missing():
    (call,) = model_calls([span(1, None, "the span has no tokens")], [turn(1)], {})
    assert (call.usage, call.missing) == (None, "the span has no tokens")
    assert model_calls([], [turn(1)], {}) == []
