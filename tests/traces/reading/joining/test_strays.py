"""Spans that lost their context, and whose conversation is known all the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, spans_of, streamed, tool_calls, user
from traces.reading import conversations
from traces.span import Span


def telling(number: int, conversation: str | None) -> Trace:
    """A run of which the first call, that asked for the tool, did not come."""
    trace = Trace(number)
    asks = assistant("", ("get", "call_1", {}))
    trace.model(trace.run(conversation=conversation), [user("a"), asks, answer("call_1", "x")], [assistant("b")])
    return trace


def test_a_tool_whose_asker_did_not_come_joins_the_conversation_whose_history_tells_of_it() -> None:
    stray = Trace(3)
    stray.tool(None, "get", {}, "x", "call_1")
    (found,) = streamed(spans_of(telling(1, "c1"), stray))
    assert [(call.id, call.started is not None) for turn in found.turns for call in turn.tool_calls] == [
        ("call_1", True)
    ]
    assert len(streamed(spans_of(telling(1, "c1"), telling(2, "c2"), stray))) == 3


def test_a_tool_is_not_what_a_history_tells_of_if_only_the_id_is_the_same() -> None:
    stray = Trace(3)
    stray.tool(None, "put", {}, "y", "call_1")
    found = streamed(spans_of(telling(1, "c1"), stray))
    assert sorted([(call.name, call.result) for call in tool_calls(one)] for one in found) == [
        [("get", "x")],
        [("put", "y")],
    ]


def test_a_tool_is_not_what_was_asked_for_if_only_the_id_is_the_same() -> None:
    stray = Trace(3, 10)
    stray.tool(None, "put", {}, "y", "call_1", at=1)
    found = conversations([*asked(1, 0, ("get", "call_1", {})), *stray.spans])
    assert [[(call.name, call.result) for call in tool_calls(one)] for one in found] == [
        [("get", None)],
        [("put", "y")],
    ]


def test_a_tool_in_a_trace_of_its_own_comes_home() -> None:
    trace, by_id, by_arguments = Trace(1), Trace(2), Trace(3)
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}), ("put", None, {"k": 2}))])
    by_id.tool(None, "get", {"k": 1}, "x", "1", at=4)
    by_arguments.tool(None, "put", {"k": 2}, "y", at=4)
    (found,) = conversations([*by_arguments.spans, *by_id.spans, *trace.spans])
    assert [call.result for call in tool_calls(found)] == ["x", "y"]
    assert any(warning.startswith("mended: 2") for warning in found.warnings)


def test_a_stray_tool_that_two_conversations_may_have_asked_for_joins_neither() -> None:
    spans = []
    for number in (1, 2):
        trace = Trace(number)
        trace.model(trace.run(conversation=f"c{number}"), [user("a")], [assistant("", ("get", None, {"k": 1}))])
        spans += trace.spans
    stray = Trace(3)
    stray.tool(None, "get", {"k": 1}, "x", at=5)
    found = conversations([*spans, *stray.spans])
    assert [one.id for one in found] == ["c1", "c2", None]
    assert [call.result for one in found for turn in one.turns for call in turn.tool_calls] == [None, None, "x"]


def asked(number: int, start: int, call: tuple[str, str | None, Any], ran: bool = False) -> list[Span]:
    """A conversation in which a tool is asked for; `ran`: and has a span of its own."""
    trace = Trace(number, start)
    run = trace.run(conversation=f"c{number}")
    trace.model(run, [user("a")], [assistant("", call)])
    if ran:
        trace.tool(run, call[0], call[2], "x", call[1])
    return trace.spans


@pytest.mark.parametrize("late", [61, 36_000])
def test_a_stray_tool_joins_nothing_that_was_asked_for_long_before(late: int) -> None:
    stray = Trace(3, late)
    stray.tool(None, "list_orders", {}, "x", at=3)
    found = conversations([*asked(1, 0, ("list_orders", "q", {})), *stray.spans])
    assert [one.id for one in found] == ["c1", None]


def test_a_stray_tool_joins_no_call_that_has_its_own_span() -> None:
    stray = Trace(3, 10)
    stray.tool(None, "list_orders", {}, "y", at=1)
    found = conversations([*asked(1, 0, ("list_orders", "q", {}), ran=True), *stray.spans])
    assert [one.id for one in found] == ["c1", None]


def test_a_stray_tool_that_was_just_asked_for_joins_and_is_told() -> None:
    stray = Trace(3, 10)
    stray.tool(None, "list_orders", {}, "y", at=1)
    (found,) = conversations([*asked(1, 0, ("list_orders", "q", {})), *stray.spans])
    assert [call.result for turn in found.turns for call in turn.tool_calls] == ["y"]
    assert any("mended" in str(one) for one in found.warnings)
