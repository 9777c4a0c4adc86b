"""Histories without an id that go on from others."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, answer, assistant, handled, user, words
from traces.reading import conversations, stream


def test_without_an_id_a_history_that_goes_on_joins() -> None:
    first = handled(1, [user("a")], "b")
    second = handled(2, [user("a"), assistant("b"), user("c")], "d")
    stranger = handled(3, [user("a"), assistant("else"), user("c")], "d")
    found = conversations([*second, *stranger, *first])
    assert [(one.joined, words(one)) for one in found] == [("history", ["a", "c"]), ("trace", ["a", "c"])]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_history_goes_on_from_a_call_that_called_tools_by_itself(streamed: bool) -> None:
    """As a client does that is given functions: its span tells the first question and the last answer."""
    first = Trace(1, 1000)
    around = first.model(None, [user("a")], [assistant("b")], lasting=9)
    first.tool(around, "get", {"k": 1}, "x")
    known = [user("a"), assistant("", ("get", "1", {"k": 1})), answer("1", "x"), assistant("b")]
    second = Trace(2, 2000)
    second.model(None, [*known, user("c")], [assistant("d")])
    stranger = Trace(3, 3000)
    stranger.model(None, [user("a"), assistant("", ("get", "2", {})), answer("2", "x"), assistant("e")], [])
    spans = [*second.spans, *stranger.spans, *first.spans]
    found = list(stream(spans)) if streamed else conversations(spans)
    assert sorted((one.joined, words(one)) for one in found) == [("history", ["a", "c"]), ("trace", ["a"])]
    joined = next(one for one in found if one.joined == "history")
    calls = [(call.id, call.arguments, call.result, call.executed) for call in joined.turns[0].tool_calls]
    assert calls == [("1", {"k": 1}, "x", True)]


def test_a_trace_without_an_id_joins_the_conversation_it_goes_on_from() -> None:
    first = handled(1, [user("a")], "b", conversation_id="x")
    second = handled(2, [user("a"), assistant("b"), user("c")], "d")
    (found,) = conversations([*second, *first])
    assert (found.id, words(found)) == ("x", ["a", "c"])


def test_equal_conversations_stay_apart() -> None:
    spans = [
        *handled(1, [user("a")], "b"),
        *handled(2, [user("a"), assistant("b"), user("c")], "d"),
        *handled(3, [user("a")], "b"),
        *handled(4, [user("a"), assistant("b"), user("c")], "d"),
    ]
    assert [words(found) for found in conversations(spans)] == [["a", "c"], ["a", "c"]]
