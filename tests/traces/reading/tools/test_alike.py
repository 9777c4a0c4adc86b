"""Which of several calls alike a tool's span shows."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, tool_calls, user
from traces.reading import conversation


def test_equal_parallel_calls_take_the_results_that_were_told() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("roll", "1", {}), ("roll", "2", {}))
    trace.model(run, [user("a")], [asks])
    trace.tool(run, "roll", {}, "5", at=3)
    trace.tool(run, "roll", {}, "3", at=3.1)
    trace.model(run, [user("a"), asks, answer("1", "3"), answer("2", "5")], [assistant("b")])
    assert [(call.id, call.result) for call in tool_calls(conversation(trace.spans))] == [("1", 3), ("2", 5)]
