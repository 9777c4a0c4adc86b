"""Tool calls: what the messages ask for, enriched by what the spans show."""

from __future__ import annotations

import json
import random

from tests.traces.reading.made import Trace, asked_and_answered, assistant, tool_calls, user
from traces.reading import conversation


def test_messages_alone_tell_a_call() -> None:
    call = asked_and_answered()
    assert (call.name, call.id, call.arguments, call.result, call.told) == ("get", "1", {"k": 1}, {"v": 1}, '{"v": 1}')
    assert (call.executed, call.error, call.group, call.missing) == (True, None, None, frozenset())


def test_arguments_that_are_no_json_stay_text() -> None:
    trace = Trace()
    broken = {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "get", "arguments": '{"k": }'}]}
    trace.model(trace.run(), [user("a")], [broken])
    found = conversation(trace.spans)
    (call,) = tool_calls(found)
    assert (call.arguments, call.raw) == (None, '{"k": }')
    assert any("broken or cut" in warning for warning in found.warnings)


def test_the_order_of_the_spans_changes_nothing() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("roll", None, {}), ("roll", None, {}), ("get", None, {"k": 1}))
    trace.model(run, [user("a")], [asks])
    for result in ("1", "2"):
        trace.tool(run, "roll", {}, result, at=3)
    trace.tool(run, "get", {"k": 1}, json.dumps([1]), at=3)
    expected = conversation(trace.spans)
    for seed in range(5):
        random.Random(seed).shuffle(trace.spans)
        assert conversation(trace.spans) == expected
