from __future__ import annotations

import pytest

from harness.episodes.usage import model_calls
from harness.model.episode import Turn
from traces.genai import ModelSpan, Usage


def turn(number):
    return Turn(number, 10.0 * number, 10.0 * number + 1, {})


def span(turn, tokens=None, missing=None, span_id="a", model="m-1"):
    return ModelSpan(span_id, turn, model, tokens, missing, 1.0, 2.0)


def test_spans_give_the_usage():
    (call,) = model_calls([span(1, Usage(7, 3, 2, 1))], [turn(1)], {1: Usage(100, 100)})
    assert (call.turn, call.model, call.usage, call.missing) == (1, "m-1", Usage(7, 3, 2, 1), None)


def test_stated_usage_fills_only_turns_that_no_span_measured():
    spans = [span(1, Usage(7, 3)), span(2, None, "no usage on the span")]
    calls = model_calls(spans, [turn(1), turn(2), turn(3)], {1: Usage(1, 1), 2: Usage(2, 2), 3: Usage(3, 3)})
    assert [(call.turn, call.usage) for call in calls] == [(1, Usage(7, 3)), (2, Usage(2, 2)), (3, Usage(3, 3))]
    assert calls[1].model == "m-1"
    assert calls[2].model is None


def test_a_figure_for_a_whole_turn_is_a_record_beside_its_requests():
    spans = [span(1, None, "none"), span(1, None, "none", "b"), span(2, Usage(5, 1))]
    calls = model_calls(spans, [turn(1), turn(2)], {1: Usage(10, 4)})
    assert [(call.turn, call.model, call.usage, call.missing, call.whole_turn) for call in calls] == [
        (1, "m-1", None, "none", False),
        (1, "m-1", None, "none", False),
        (1, "m-1", Usage(10, 4), None, True),
        (2, "m-1", Usage(5, 1), None, False),
    ]
    assert calls[2].ended - calls[2].started == 0


def test_one_figure_for_several_models_stays_missing():
    spans = [span(1, None, "none"), span(1, None, "none", "b", model="m-2"), span(2, None, "none", model=None)]
    calls = model_calls(spans, [turn(1), turn(2)], {1: Usage(10, 4), 2: Usage(1, 1)})
    assert [(call.model, call.usage) for call in calls] == [("m-1", None), ("m-2", None), (None, Usage(1, 1))]
    assert calls[0].missing == "the reply states one figure for requests to several models (m-1, m-2)"


def test_what_nobody_reported_stays_missing():
    (call,) = model_calls([span(1, None, "the span has no tokens")], [turn(1)], {})
    assert (call.usage, call.missing) == (None, "the span has no tokens")
    assert model_calls([], [turn(1)], {}) == []


NO_COUNTS = [
    (Usage(-1, 2), "`input` is negative"),
    (Usage(1, 2.0), "`output` is no whole number but of type float"),
    (Usage(float("nan"), 2), "`input` is no whole number but of type float"),
    (Usage(True, 2), "`input` is no whole number but of type bool"),
    (Usage("7", 2), "`input` is no whole number but of type str"),
    (Usage(None, 2), "`input` is no whole number but of type NoneType"),
    (Usage(7, 10**400), "`output` is larger than any use of a model"),
    (Usage(7, 3, cached=-1), "`cached` is negative"),
    (Usage(7, 3, cached=8), "`cached`, which is a part of `input`, is larger"),
    (Usage(7, 3, reasoning=4), "`reasoning`, which is a part of `output`, is larger"),
]


@pytest.mark.parametrize(("usage", "why"), NO_COUNTS)
def test_stated_usage_that_cannot_be_is_missing(usage, why):
    told = f"the usage that the reply states can't be right: {why}"
    (call,) = model_calls([], [turn(1)], {1: usage})
    assert (call.usage, call.missing, call.turn) == (None, told, 1)
    (call,) = model_calls([span(1, None, "none")], [turn(1)], {1: usage})
    assert (call.usage, call.missing, call.model) == (None, told, "m-1")
    (call,) = model_calls([span(1, Usage(7, 3))], [turn(1)], {1: usage})
    assert call.usage == Usage(7, 3)


def test_usage_that_only_some_replies_state_is_not_the_whole():
    calls = model_calls([span(3, Usage(5, 1))], [turn(1), turn(2), turn(3), turn(4)], {2: Usage(10, 4)})
    assert [(call.turn, call.usage, call.missing) for call in calls] == [
        (1, None, "the reply states no usage, as those of other turns do"),
        (2, Usage(10, 4), None),
        (3, Usage(5, 1), None),
        (4, None, "the reply states no usage, as those of other turns do"),
    ]


def test_nothing_used_may_be_stated():
    (call,) = model_calls([], [turn(1)], {1: Usage(0, 0)})
    assert (call.usage, call.missing) == (Usage(0, 0), None)
