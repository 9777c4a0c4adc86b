from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.material import Price
from harness.model.status import Status
from harness.scoring.efficiency import EFFICIENCY, price_of, repeated
from harness.scoring.registry import NotJudged
from tests.harness.scoring.build import call, episode, material, said
from traces.genai import Usage


def measured(talk, against=None):
    return {
        name: score.value for scorer in EFFICIENCY for name, score in scorer.score(talk, against or material()).items()
    }


def test_what_is_counted():
    talk = episode(
        "Hi", call("get_order", {"a": 1}), call("get_order", {"a": 1}), call("get_order", {}, error="no"), said("a"),
        "So?", said("b"), usage=Usage(1000, 100, cached=400, reasoning=30),
    )  # fmt: skip
    values = {name: measure.value for name, measure in measured(talk).items()}
    assert values == {
        "turns": 2,
        "user_turns": 2,
        "tool_calls": 3,
        "failed_calls": 1,
        "redundant_calls": 1,
        "model_calls": 2,
        "tokens_in": 2000,
        "tokens_out": 200,
        "tokens_cached": 800,
        "tokens_reasoning": 60,
        # two calls of (600 x 1 + 400 x 0.5 + 100 x 2) dollars a million
        "cost_usd": Decimal("0.002"),
        "latency_seconds": pytest.approx(6.0),
    }


def test_latency_is_told_turn_by_turn():
    score = EFFICIENCY[-1].score(episode("Hi", call("x"), said("a"), "So?", said("b")), material())["latency_seconds"]
    assert score.details["turns"] == pytest.approx([2.5, 1.5])
    assert score.details["tool"] == pytest.approx(0.5)


USAGE = ("model_calls", "tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "cost_usd")


def test_no_model_call_seen_is_not_zero():
    values = measured(episode("Hi", said("ok")))
    assert all(values[name].value is None and values[name].missing is Status.NOT_JUDGED for name in USAGE)


def test_missing_usage_is_not_zero():
    talk = episode("Hi", said("ok"), "And?", said("k"), usage=Usage(1, 1))
    talk.model_calls[1].usage, talk.model_calls[1].missing = None, "the provider sent none"
    values = measured(talk)
    assert values["tokens_in"].missing is Status.NOT_JUDGED
    assert "the provider sent none" in values["tokens_in"].reason
    assert values["model_calls"].value == 2


def test_what_a_reply_stated_for_a_whole_turn_counts_once():
    talk = episode("Hi", said("ok"), "And?", said("k"), usage=Usage(1000, 100))
    first, second = talk.model_calls
    whole = replace(first, usage=Usage(3000, 300), whole_turn=True)
    first.usage = None
    talk.model_calls[:] = [first, replace(first), whole, second]
    values = {name: measure.value for name, measure in measured(talk).items()}
    assert (values["model_calls"], values["tokens_in"], values["tokens_out"]) == (3, 4000, 400)
    # (3000 + 1000) x 1 + (300 + 100) x 2 dollars a million
    assert values["cost_usd"] == Decimal("0.0048")


def test_an_incomplete_trace_is_not_counted():
    talk = episode("Hi", said("ok"), usage=Usage(1, 1), spans_missing="2 spans were late")
    assert all(measured(talk)[name].missing is Status.NOT_JUDGED for name in USAGE)


def test_an_unpriced_model_is_not_free():
    talk = episode("Hi", said("ok"), usage=Usage(1, 1))
    talk.model_calls[0].model = "huge-9"
    cost = measured(talk)["cost_usd"]
    assert cost.missing is Status.NOT_JUDGED
    assert "huge-9" in cost.reason


def test_the_price_of_the_day():
    table = [
        Price("m", date(2026, 1, 1), Decimal(3), Decimal(9)),
        Price("m", date(2026, 6, 1), Decimal(2), Decimal(8)),
        Price("m", date(2027, 1, 1), Decimal(1), Decimal(7)),
    ]
    assert price_of("m", date(2026, 5, 31), table).input == 3
    assert price_of("m", date(2026, 6, 1), table).input == 2
    with pytest.raises(NotJudged, match="no price of m on 2025-12-31"):
        price_of("m", date(2025, 12, 31), table)


def test_a_dated_name_costs_what_the_name_without_its_date_does_unless_it_has_a_row():
    day = date(2026, 1, 1)
    table = (Price("m", day, Decimal(3), Decimal(6)), Price("m-2026-02-01", day, Decimal(1), Decimal(2)))
    assert price_of("m-2025-11-05", day, table).input == 3
    assert price_of("m-20251105", day, table).input == 3
    assert price_of("m-2026-02-01", day, table).input == 1
    with pytest.raises(NotJudged):
        price_of("m-mini-2025-11-05", day, table)


@pytest.mark.parametrize(
    ("calls", "flags"),
    [
        ([call("get_order", {"a": 1, "b": 2}), call("get_order", {"b": 2, "a": 1})], [False, True]),
        ([call("get_order", {"a": 1}), call("cancel_order"), call("get_order", {"a": 1})], [False, False, False]),
        ([call("get_order"), call("cancel_order", error="no"), call("get_order")], [False, False, True]),
        ([call("cancel_order"), call("cancel_order")], [False, True]),
        (
            [call("cancel_order"), call("get_order"), call("cancel_order"), call("get_order")],
            [False, False, True, True],
        ),
        ([call("get_order", None, raw="{"), call("get_order", None, raw="{")], [False, True]),
    ],
)
def test_equal_calls_with_no_differing_write_between(calls, flags):
    assert repeated(calls) == flags


@given(st.lists(st.sampled_from("abc")))
def test_reads_alone_are_redundant_from_the_second_on(names):
    assert sum(repeated([call("get_order", {"id": name}) for name in names])) == len(names) - len(set(names))
