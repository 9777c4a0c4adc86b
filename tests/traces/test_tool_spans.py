from __future__ import annotations

import pytest

from traces.span import Span
from traces.tool_spans import tool_calls


def span(span_id, parent=None, name="x", *, at=0, until=1, status="unset", text="", **attributes):
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span("t", span_id, parent, name, "internal", at * 10**9, until * 10**9, named, (), status, text)


def told(**more):
    return {"gen_ai__operation__name": "execute_tool", **more}


TURN = span("t2", "e", "turn", turngate__turn=2)


def test_the_attributes_of_the_conventions_are_read():
    given = told(
        gen_ai__tool__name="charge", gen_ai__tool__call__id="c-1",
        gen_ai__tool__call__arguments='{"amount": 5}', gen_ai__tool__call__result="ok",
    )  # fmt: skip
    (call,) = tool_calls([span("e"), TURN, span("a", "t2"), span("b", "a", at=3, until=4, **given)])
    assert (call.span_id, call.turn, call.tool, call.call_id) == ("b", 2, "charge", "c-1")
    assert (call.arguments, call.result, call.error) == ('{"amount": 5}', "ok", None)
    assert (call.started, call.ended) == (3.0, 4.0)


def test_openinference_names_are_read():
    given = {"openinference__span__kind": "TOOL", "tool__name": "charge", "input__value": "{}", "output__value": "ok"}
    (call,) = tool_calls([TURN, span("b", "t2", **given)])
    assert (call.tool, call.call_id, call.arguments, call.result) == ("charge", None, "{}", "ok")


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"status": "error", "text": "declined"}, "declined"),
        ({"status": "error"}, "the tool failed"),
        ({"error__type": "TimeoutError"}, "TimeoutError"),
        ({"status": "ok"}, None),
    ],
)
def test_an_error_is_told(more, error):
    (call,) = tool_calls([span("b", name="execute_tool charge", **told(), **more)])
    assert (call.tool, call.turn, call.error) == ("charge", None, error)


def test_known_spans_and_others_are_left_out_and_the_rest_is_in_order():
    spans = [span("c", at=5, **told()), span("b", at=2, **told()), span("a", **told()), span("chat")]
    assert [call.span_id for call in tool_calls(spans, ["a", None])] == ["b", "c"]
