"""Which tool spans show the same execution."""

from __future__ import annotations

from tests.traces.reading.made import Trace, assistant, tool_calls, user
from traces.reading import conversation


def test_two_spans_of_one_execution_are_one_call() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}))])
    outer = trace.tool(run, "get", {"k": 1}, None, "1", lasting=5)
    trace.tool(outer, "get", None, "x", scope="other")
    (call,) = tool_calls(conversation(trace.spans))
    assert call.result == "x"
    assert len([span for span in call.origin if span.attributes.get("gen_ai.tool.name")]) == 2
