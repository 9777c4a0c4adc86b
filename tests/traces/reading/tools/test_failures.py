"""The disguises of a tool that failed, and of a call that was denied."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, asked_and_answered, assistant, exception, tool_calls, user
from traces.conversation import ToolError
from traces.reading import conversation


@pytest.mark.parametrize("span", [None, {"gen_ai.tool.call.arguments": '{"k": 1}'}])
@pytest.mark.parametrize(
    "told",
    [
        "Tool execution was not approved.",
        "User rejected the tool call for `get` with id 1",
        "The tool call was denied.",
        "Error: Tool call invocation was rejected by user.",
        {"error": "This tool call is rejected."},
        {"type": "execution-denied", "reason": "no"},
    ],
)
def test_a_call_that_a_human_did_not_let_run_was_not_executed(told: Any, span: dict[str, Any] | None) -> None:
    call = asked_and_answered(told, span=dict(span) if span else None)
    assert (call.executed, call.error is None) == (False, False)


@pytest.mark.parametrize(("scope", "executed"), [("gen_ai", False), ("test", True)])
def test_only_the_ai_sdk_says_of_a_call_that_was_denied_what_any_tool_may_say(scope: str, executed: bool) -> None:
    told = {"denied": True, "reason": "no"}
    trace = Trace()
    asks = assistant("", ("get", "1", {}))
    run = trace.run(scope=scope)
    trace.model(run, [user("a")], [asks], scope=scope)
    trace.model(run, [user("a"), asks, answer("1", told)], [assistant("b")], scope=scope)
    (call,) = tool_calls(conversation(trace.spans))
    assert (call.executed, call.error is None) == (executed, executed)
    assert call.result == told


@pytest.mark.parametrize("told", ["The tool call was denied.", "Tool call execution denied."])
def test_a_tool_that_ran_may_say_itself_what_frameworks_say_of_one_that_did_not(told: str) -> None:
    call = asked_and_answered(told, span={"gen_ai.tool.call.result": told})
    assert (call.executed, call.error, call.result) == (True, None, told)


@pytest.mark.parametrize(("scope", "executed"), [("gcp.vertex.agent", False), ("test", True)])
def test_only_the_span_of_a_kit_that_tells_so_of_a_tool_shows_that_it_did_not_run(scope: str, executed: bool) -> None:
    said = '{"error": "This tool call is rejected."}'
    call = asked_and_answered(said, span={"gen_ai.tool.call.result": said, "scope": scope})
    assert (call.executed, call.error) == (executed, ToolError(None, "This tool call is rejected.", "result"))


@pytest.mark.parametrize(
    ("span", "told", "error"),
    [
        (
            {"status": "error", "status_text": "no", "events": exception("app.GetError", "no seats")},
            "Error: GetError: no seats",
            ToolError("GetError", "no seats", "exception"),
        ),
        (
            {"status": "error", "error.type": "GetError", "status_text": "no seats"},
            "x",
            ToolError("GetError", "no seats", "status"),
        ),
        (
            {"status": "error", "status_text": "Tool execution failed. Error details are redacted."},
            "An error occurred",
            ToolError(None, None, "status"),
        ),
        (
            {"status": "error", "status_text": "no seats"},
            "GetError: no seats",
            ToolError("GetError", "no seats", "status"),
        ),
        (
            {"gen_ai.tool.call.result": '{"error": "no seats"}'},
            '{"error": "no seats"}',
            ToolError(None, "no seats", "result"),
        ),
        (
            {"gen_ai.tool.call.result": '{"error": {"type": "GetError", "message": "no"}}'},
            "x",
            ToolError("GetError", "no", "result"),
        ),
        (None, "Error: GetError: no seats", ToolError("GetError", "no seats", "result")),
        ({"gen_ai.tool.call.result": '{"error": null, "v": 1}'}, "x", None),
        ({"status": "ok", "events": exception("KeyError", "caught within")}, "fine", None),
        (None, "The word Error: is no error", None),
        (None, '{"id": 1, "status": "error", "message": "the nightly job failed"}', None),
        (None, '{"status": "error", "message": "no seats"}', ToolError(None, "no seats", "result")),
        (None, '{"content": [], "isError": true, "message": "no seats"}', ToolError(None, "no seats", "result")),
    ],
)
def test_the_disguises_of_a_failure(span: dict[str, Any] | None, told: str, error: ToolError | None) -> None:
    call = asked_and_answered(told, span=dict(span) if span is not None else None)
    assert call.error == error
    if error is not None:
        assert call.result is None


HALF = {"status": "error", "events": exception("GetError", "2 of 3")}


@pytest.mark.parametrize(
    ("span", "told", "result"),
    [
        ({**HALF, "gen_ai.tool.call.result": '{"rows": [1, 2]}'}, "Error: GetError: 2 of 3", {"rows": [1, 2]}),
        ({**HALF, "gen_ai.tool.call.result": "[1, 2]"}, "Error: GetError: 2 of 3", [1, 2]),
        ({**HALF, "gen_ai.tool.call.result": "rows 1 and 2"}, "Error: GetError: 2 of 3", "rows 1 and 2"),
        ({**HALF, "gen_ai.tool.call.result": "Error: GetError: 2 of 3"}, "Error: GetError: 2 of 3", None),
        ({**HALF, "gen_ai.tool.call.result": "An error occurred, try again"}, "An error occurred, try again", None),
        ({**HALF, "gen_ai.tool.call.result": '{"error": "2 of 3", "rows": null}'}, "2 of 3", None),
        ({"gen_ai.tool.call.result": '{"error": "2 of 3", "rows": [1]}'}, "x", {"error": "2 of 3", "rows": [1]}),
        (None, '{"id": 1, "isError": true, "message": "no"}', {"id": 1, "isError": True, "message": "no"}),
        (HALF, '{"fallback": true}', None),
        (HALF, "Ask again later.", None),
    ],
)
def test_what_a_failed_call_gave_stands_beside_its_error(span: dict[str, Any] | None, told: str, result: Any) -> None:
    call = asked_and_answered(told, span=dict(span) if span is not None else None)
    assert call.error is not None
    assert call.result == result
    assert "result" not in call.missing


def test_an_answer_that_is_marked_as_an_error_is_one() -> None:
    trace = Trace()
    asks = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "get", "input": {}}]}
    failed = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "1", "is_error": True, "content": "no seats"}],
    }
    trace.model(trace.run(), [user("a"), asks, failed], [assistant("b")])
    (call,) = tool_calls(conversation(trace.spans))
    assert call.error == ToolError(None, "no seats", "message")


@pytest.mark.parametrize(
    ("told", "kind", "message"),
    [
        ("Error executing tool: no fee", None, "no fee"),
        ("An error occurred while running the tool. Please try again. Error: no fee", None, "no fee"),
        ("An error occurred while running the tool. Please try again.", None, None),
        ("Error: FeeError('no fee')\n Please fix your mistakes.", "FeeError", "no fee"),
    ],
)
def test_what_frameworks_tell_the_model_of_a_failure_is_one_though_nothing_else_shows_it(told, kind, message) -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", "1", {}))
    trace.model(run, [user("a")], [asks])
    trace.model(run, [user("a"), asks, answer("1", told)], [assistant("b")])
    (call,) = conversation(trace.spans).turns[0].tool_calls
    assert call.error == ToolError(kind, message, "result")
    assert (call.result, call.told) == (None, told)
