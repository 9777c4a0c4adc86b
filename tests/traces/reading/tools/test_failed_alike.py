"""Failures alike: the same one, told by two, or several."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.reading.made import Trace, assistant, exception, tool_calls, user
from traces.conversation import ToolError
from traces.reading import conversation


@pytest.mark.parametrize(("scope", "at", "found"), [("other", 3.1, 1), ("test", 3.1, 2), ("other", 4, 2)])
def test_a_failure_that_two_instrumentations_tell_is_one_call(scope: str, at: float, found: int) -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}))])
    failed: dict[str, Any] = {"status": "error", "events": exception("GetError", "no seats")}
    trace.tool(run, "get", {"k": 1}, None, "1", at=3, **failed)
    trace.tool(run, "get", {"k": 1}, None, None, at=at, scope=scope, **failed)
    got = tool_calls(conversation(trace.spans))
    assert [call.error for call in got] == [ToolError("GetError", "no seats", "exception")] * found


@pytest.mark.parametrize(("lasting", "found"), [(0.3, 1), (0.5, 2)])
@pytest.mark.parametrize("shown", [(None, None), ({"k": 1}, None), (None, {"k": 1})])
def test_without_arguments_only_a_failure_within_another_is_the_same(shown, lasting: float, found: int) -> None:
    trace = Trace()
    run = trace.run()
    trace.tool(run, "get", shown[0], at=3, status="error", status_text="timeout")
    trace.tool(run, "get", shown[1], at=3.1, lasting=lasting, scope="other", status="error", status_text="timeout")
    assert len(tool_calls(conversation(trace.spans))) == found
