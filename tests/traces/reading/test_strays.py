"""Spans that lost their context, and whose conversation is known all the same."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, spans_of, streamed, user


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
