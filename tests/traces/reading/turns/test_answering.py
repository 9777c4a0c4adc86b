"""Which call an answer in a history is for."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, tool_calls, user
from traces.reading import conversation


def test_parallel_calls_share_a_group_and_keep_their_results() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", "1", {"k": 1}), ("get", "2", {"k": 2}), ("put", "3", {}))
    trace.model(run, [user("a")], [asks])
    trace.tool(run, "put", {}, "third", at=3)
    trace.tool(run, "get", {"k": 2}, "second", at=3.1)
    trace.tool(run, "get", {"k": 1}, "first", at=3.2)
    answers = [answer("2", "second"), answer("1", "first"), answer("3", "third")]
    one_more = assistant("", ("get", "4", {}))
    trace.model(run, [user("a"), asks, *answers], [one_more])
    found = tool_calls(conversation(trace.spans))
    assert [(call.id, call.result, call.told) for call in found[:3]] == [
        ("1", "first", "first"),
        ("2", "second", "second"),
        ("3", "third", "third"),
    ]
    assert found[0].group == found[1].group == found[2].group is not None
    assert found[3].group is None
