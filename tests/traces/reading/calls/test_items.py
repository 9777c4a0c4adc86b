"""Tool calls under the ids of the items that hold them."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, answer, assistant, tool_calls, user
from traces.reading import conversation, conversations


@pytest.mark.parametrize("with_run", [True, False])
def test_answers_to_calls_that_the_server_remembers_are_those_to_their_items_in_order(with_run: bool) -> None:
    trace = Trace()
    run = trace.run() if with_run else None
    named = {} if with_run else {"session.id": "c1"}
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    trace.model(run, [user("a")], [asks], extra=named)
    trace.model(run, [user("is it safe?")], [assistant("yes")])
    trace.model(run, [answer("call_1", "x"), answer("call_2", "y")], [assistant("b", ("end", "fc_3", {}))], extra=named)
    trace.model(run, [answer("call_3", "z"), answer("call_4", "z")], [assistant("c")], extra=named)
    found = conversation(trace.spans)
    calls = [(call.id, call.told) for call in found.turns[0].tool_calls]
    assert calls == [("call_1", "x"), ("call_2", "y"), ("fc_3", None)]
    assert found.turns[0].model_calls[0].tool_call_ids == ("call_1", "call_2")


def test_a_call_that_was_asked_for_under_its_items_id_is_the_one_that_is_answered() -> None:
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    history = [user("a"), asks, answer("call_1", "x"), answer("call_2", "y")]
    one, two = Trace(1), Trace(2, start=50)
    one.model(None, [user("a")], [asks])
    two.model(None, history, [assistant("b")])
    (found,) = conversations([*one.spans, *two.spans])
    (turn,) = found.turns
    assert [(call.id, call.result, call.group) for call in turn.tool_calls] == [("call_1", "x", 0), ("call_2", "y", 0)]
    assert turn.model_calls[0].tool_call_ids == ("call_1", "call_2")
    assert (turn.user, turn.assistant) == ("a", "b")


@pytest.mark.parametrize(
    ("names", "captured"), [(("get", "get"), True), (("get", "put"), True), (("get", "put"), False)]
)
def test_answers_in_the_order_in_which_tools_were_done_are_those_that_their_spans_tell(
    names: tuple[str, str], captured: bool
) -> None:
    one, other = ({"n": 1}, {"n": 2}) if captured else (None, None)
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", (names[0], "fc_1", {"n": 1}), (names[1], "fc_2", {"n": 2}))])
    trace.tool(run, names[0], one, "x", "call_1")
    trace.tool(run, names[1], other, "y", "call_2")
    trace.model(run, [answer("call_2", "y"), answer("call_1", "x")], [assistant("b")])
    found = [(call.id, call.arguments, call.told) for call in tool_calls(conversation(trace.spans))]
    assert found == [("call_1", {"n": 1}, "x"), ("call_2", {"n": 2}, "y")]
