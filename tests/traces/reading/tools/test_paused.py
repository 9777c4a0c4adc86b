"""Tools that wait for a human and go on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, exception, tool_calls, user
from traces.reading import conversation, conversations


@pytest.mark.parametrize(
    ("attributes", "events", "status_text"),
    [
        ({"error.type": "GraphInterrupt"}, (), "(Interrupt(value='Sure?', id='1'),)"),
        ({}, exception("langgraph.errors.GraphInterrupt", "(Interrupt(value='Sure?', id='1'),)"), ""),
        ({}, exception("Exception", "GraphInterrupt((Interrupt(value='Sure?', id='1'),))Traceback (most recent"), ""),
        ({"gen_ai.task.status": "failure", "traceloop.span.kind": "tool"}, (), "(Interrupt(value='Sure?', id='1'),)"),
    ],
)
def test_a_tool_that_waits_for_a_human_is_one_call_with_the_run_that_goes_on(attributes, events, status_text) -> None:
    asked = [user("Pay B-7."), assistant("", ("pay", "c1", {"order": "B-7"}))]
    first, later = Trace(1), Trace(2, 1000)
    run = first.run()
    first.model(run, asked[:1], asked[1:])
    waiting = first.tool(run, "pay", {"order": "B-7"}, status="error", status_text=status_text, events=events)
    waiting.attributes.update(attributes)
    (found,) = conversations(first.spans)
    ((call,),) = [turn.tool_calls for turn in found.turns]
    assert (call.name, call.executed, call.error, "result" in call.missing) == ("pay", True, None, True)
    run = later.run()
    later.tool(run, "pay", {"order": "B-7"}, "paid", "c1")
    later.model(run, [*asked, answer("c1", "paid")], [assistant("Done.")])
    (found,) = conversations([*first.spans, *later.spans])
    ((call,),) = [turn.tool_calls for turn in found.turns]
    assert (call.id, call.result, call.error, len(call.origin)) == ("c1", "paid", None, 3)
    assert [(turn.user, turn.assistant) for turn in found.turns] == [("Pay B-7.", "Done.")]


PAUSED: dict[str, Any] = {"status": "error", "events": exception("GraphInterrupt", "(Interrupt(value='Sure?'),)")}


@pytest.mark.parametrize(
    ("models", "arguments", "ids", "found"),
    [
        ([1], {"k": 1}, (None, None), 1),
        ([], {"k": 1}, (None, None), 1),
        ([1], None, (None, None), 1),
        ([1, 5], None, ("1", "1"), 1),
        ([1, 5], {"k": 1}, (None, None), 2),
        ([1, 5], None, (None, None), 2),
        ([], None, (None, None), 2),
        ([1], {"k": 1}, ("1", "2"), 2),
    ],
)
def test_what_was_paused_goes_on_unless_the_model_was_asked_again(models, arguments, ids, found) -> None:
    trace = Trace()
    run = trace.run()
    for at in models:
        trace.model(run, None, None, at=at)
    trace.tool(run, "pay", arguments, None, ids[0], at=3, **PAUSED)
    trace.tool(run, "pay", arguments, "paid", ids[1], at=9)
    assert [call.result for call in tool_calls(conversation(trace.spans))] == [None, "paid"][-found:]


def test_each_of_what_was_paused_at_once_goes_on() -> None:
    trace = Trace()
    run = trace.run()
    for at in (3, 3.1):
        trace.tool(run, "pay", {"k": 1}, at=at, **PAUSED)
    trace.tool(run, "pay", {"k": 1}, at=3.2, lasting=0.1, scope="other", **PAUSED)
    for at, result in ((8, "paid"), (8.1, "paid again")):
        trace.tool(run, "pay", {"k": 1}, result, at=at)
    assert [call.result for call in tool_calls(conversation(trace.spans))] == ["paid", "paid again"]


def test_a_tool_that_waited_for_an_approval_is_one_call_with_the_run_that_goes_on() -> None:
    scope = "opentelemetry.instrumentation.genai.openai_agents"
    waits, goes_on = Trace(1), Trace(2, 1000)
    asks = assistant("", ("pay", "1", {"k": 1}))
    run = waits.run()
    waits.model(run, [user("a")], [asks])
    waits.tool(run, "pay", {"k": 1}, scope=scope)
    run = goes_on.run()
    goes_on.tool(run, "pay", {"k": 1}, "paid", scope=scope)
    goes_on.model(run, [user("a"), asks, answer("1", "paid")], [assistant("b")])
    (call,) = tool_calls(conversation([*waits.spans, *goes_on.spans]))
    assert (call.name, call.result, call.executed) == ("pay", "paid", True)
