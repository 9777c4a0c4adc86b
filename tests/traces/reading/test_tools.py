"""Tool calls: what the messages ask for, enriched by what the spans show."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, exception, user
from traces.conversation import Conversation, ToolCall, ToolError
from traces.reading import conversation, conversations


def calls(found: Conversation) -> list[ToolCall]:
    return [call for turn in found.turns for call in turn.tool_calls]


def asked_and_answered(
    told: Any = '{"v": 1}', call_id: str | None = "1", span: dict[str, Any] | None = None
) -> ToolCall:
    """One call of `get`, with a span of these attributes if there are any."""
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", call_id, {"k": 1}))
    trace.model(run, [user("a")], [asks])
    if span is not None:
        more = {key: span.pop(key) for key in ("events", "scope", "status", "status_text") if key in span}
        trace.add({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", **span}, run, **more)
    trace.model(run, [user("a"), asks, answer(call_id, told)], [assistant("b")])
    (call,) = calls(conversation(trace.spans))
    return call


def test_messages_alone_tell_a_call() -> None:
    call = asked_and_answered()
    assert (call.name, call.id, call.arguments, call.result, call.told) == ("get", "1", {"k": 1}, {"v": 1}, '{"v": 1}')
    assert (call.executed, call.error, call.group, call.missing) == (True, None, None, frozenset())


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
    (call,) = calls(conversation(trace.spans))
    assert call.error == ToolError(None, "no seats", "message")


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
    found = calls(conversation(trace.spans))
    assert [(call.id, call.result, call.told) for call in found[:3]] == [
        ("1", "first", "first"),
        ("2", "second", "second"),
        ("3", "third", "third"),
    ]
    assert found[0].group == found[1].group == found[2].group is not None
    assert found[3].group is None


def test_equal_parallel_calls_take_the_results_that_were_told() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("roll", "1", {}), ("roll", "2", {}))
    trace.model(run, [user("a")], [asks])
    trace.tool(run, "roll", {}, "5", at=3)
    trace.tool(run, "roll", {}, "3", at=3.1)
    trace.model(run, [user("a"), asks, answer("1", "3"), answer("2", "5")], [assistant("b")])
    assert [(call.id, call.result) for call in calls(conversation(trace.spans))] == [("1", 3), ("2", 5)]


def test_calls_without_any_id_are_matched_by_name_and_order() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", None, {"k": 1}), ("put", None, {}))
    trace.model(run, [user("a")], [asks])
    back = [
        {"role": "tool", "parts": [{"type": "tool_call_response", "name": "put", "response": "p"}]},
        answer(None, "g"),
    ]
    trace.model(run, [user("a"), asks, *back], [assistant("b")])
    assert [(call.name, call.told) for call in calls(conversation(trace.spans))] == [("get", "g"), ("put", "p")]


def test_ids_that_repeat_in_every_turn_are_told_apart() -> None:
    trace = Trace()
    history: list[Any] = []
    for number in (1, 2):
        run = trace.run()
        history.append(user(f"q{number}"))
        asks = assistant("", ("get", "call_0", {"k": number}))
        trace.model(run, history, [asks])
        trace.tool(run, "get", {"k": number}, f"r{number}", "call_0")
        history += [asks, answer("call_0", f"r{number}")]
        trace.model(run, history, [assistant(f"a{number}")])
        history.append(assistant(f"a{number}"))
    found = conversation(trace.spans)
    assert [(call.arguments, call.result, call.told) for call in calls(found)] == [
        ({"k": 1}, "r1", "r1"),
        ({"k": 2}, "r2", "r2"),
    ]


def test_the_bare_value_of_the_only_argument_is_recognised() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("weather", "1", {"city": "Zürich"}), ("weather", "2", {"city": "東京"}))
    trace.model(run, [user("a")], [asks])
    for city, weather in (("東京", "9°C"), ("Zürich", "-2°C")):
        trace.add(
            {"openinference.span.kind": "TOOL", "tool.name": "weather", "input.value": city, "output.value": weather},
            run,
        )
    found = calls(conversation(trace.spans))
    assert [(call.arguments, call.result) for call in found] == [
        ({"city": "Zürich"}, "-2°C"),
        ({"city": "東京"}, "9°C"),
    ]


def test_a_prefix_before_the_name_is_the_frameworks() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("Tools-get", None, {}))])
    trace.tool(run, "get", {}, "x")
    (call,) = calls(conversation(trace.spans))
    assert (call.name, call.result) == ("Tools-get", "x")


def test_a_tool_in_a_trace_of_its_own_comes_home() -> None:
    trace, by_id, by_arguments = Trace(1), Trace(2), Trace(3)
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}), ("put", None, {"k": 2}))])
    by_id.tool(None, "get", {"k": 1}, "x", "1", at=4)
    by_arguments.tool(None, "put", {"k": 2}, "y", at=4)
    (found,) = conversations([*by_arguments.spans, *by_id.spans, *trace.spans])
    assert [call.result for call in calls(found)] == ["x", "y"]
    assert any(warning.startswith("mended: 2") for warning in found.warnings)


def test_a_tool_that_no_message_asks_for_is_a_call_too() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("b")])
    trace.tool(run, "get", {"k": 1}, "x", at=1.5)
    (call,) = calls(conversation(trace.spans))
    assert (call.name, call.result, call.told, call.missing) == ("get", "x", None, frozenset({"told"}))


def test_an_id_that_no_message_knows_is_the_librarys_own() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", "1", {"k": 1}), ("get", "2", {"k": 2}))
    trace.model(run, [user("a")], [asks])
    trace.tool(run, "get", {"k": 2}, "y", call_id="2")
    trace.tool(run, "get", {"k": 1}, call_id="run-9", status="error", status_text="ValueError: no")
    trace.tool(run, "get", {"k": 2}, "again", call_id="run-10")
    trace.model(run, [user("a"), asks, answer("1", "no"), answer("2", "y")], [assistant("b")])
    first, second, third = calls(conversation(trace.spans))
    assert (first.id, first.error, second.id, second.result) == ("1", ToolError("ValueError", "no", "status"), "2", "y")
    assert (third.id, third.result) == ("run-10", "again")  # its call has its own span


def test_two_spans_of_one_execution_are_one_call() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}))])
    outer = trace.tool(run, "get", {"k": 1}, None, "1", lasting=5)
    trace.tool(outer, "get", None, "x", scope="other")
    (call,) = calls(conversation(trace.spans))
    assert call.result == "x"
    assert len([span for span in call.origin if span.attributes.get("gen_ai.tool.name")]) == 2


def test_arguments_that_are_no_json_stay_text() -> None:
    trace = Trace()
    broken = {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "get", "arguments": '{"k": }'}]}
    trace.model(trace.run(), [user("a")], [broken])
    found = conversation(trace.spans)
    (call,) = calls(found)
    assert (call.arguments, call.raw) == (None, '{"k": }')
    assert any("broken or cut" in warning for warning in found.warnings)


def test_content_that_was_not_captured_is_said() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, None, None)
    trace.tool(run, "get", call_id="1")
    trace.model(run, None, None)
    found = conversation(trace.spans)
    (turn,) = found.turns
    assert (turn.user, turn.assistant) == (None, None)
    (call,) = turn.tool_calls
    assert (call.name, call.executed) == ("get", True)
    assert call.missing == {"arguments", "result", "told"}
    assert any("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in warning for warning in found.warnings)


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


def test_what_openinference_hides_is_not_captured() -> None:
    trace = Trace()
    hidden = "__REDACTED__"
    trace.add(
        {
            "openinference.span.kind": "LLM",
            "llm.model_name": "m",
            "llm.token_count.prompt": 10,
            "llm.token_count.completion": 5,
            "input.value": hidden,
            "output.value": hidden,
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": hidden,
        }
    )
    trace.add({"openinference.span.kind": "TOOL", "tool.name": "get", "input.value": hidden, "output.value": hidden})
    found = conversation(trace.spans)
    (turn,) = found.turns
    assert (turn.user, turn.assistant) == (None, None)
    assert [(call.name, call.arguments, call.result) for call in turn.tool_calls] == [("get", None, None)]
    assert any("OPENINFERENCE_HIDE_INPUTS" in warning for warning in found.warnings)


@pytest.mark.parametrize(("scope", "at", "found"), [("other", 3.1, 1), ("test", 3.1, 2), ("other", 4, 2)])
def test_a_failure_that_two_instrumentations_tell_is_one_call(scope: str, at: float, found: int) -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}))])
    failed: dict[str, Any] = {"status": "error", "events": exception("GetError", "no seats")}
    trace.tool(run, "get", {"k": 1}, None, "1", at=3, **failed)
    trace.tool(run, "get", {"k": 1}, None, None, at=at, scope=scope, **failed)
    got = calls(conversation(trace.spans))
    assert [call.error for call in got] == [ToolError("GetError", "no seats", "exception")] * found


@pytest.mark.parametrize(("lasting", "found"), [(0.3, 1), (0.5, 2)])
@pytest.mark.parametrize("shown", [(None, None), ({"k": 1}, None), (None, {"k": 1})])
def test_without_arguments_only_a_failure_within_another_is_the_same(shown, lasting: float, found: int) -> None:
    trace = Trace()
    run = trace.run()
    trace.tool(run, "get", shown[0], at=3, status="error", status_text="timeout")
    trace.tool(run, "get", shown[1], at=3.1, lasting=lasting, scope="other", status="error", status_text="timeout")
    assert len(calls(conversation(trace.spans))) == found


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
    assert [call.result for call in calls(conversation(trace.spans))] == [None, "paid"][-found:]


def test_each_of_what_was_paused_at_once_goes_on() -> None:
    trace = Trace()
    run = trace.run()
    for at in (3, 3.1):
        trace.tool(run, "pay", {"k": 1}, at=at, **PAUSED)
    trace.tool(run, "pay", {"k": 1}, at=3.2, lasting=0.1, scope="other", **PAUSED)
    for at, result in ((8, "paid"), (8.1, "paid again")):
        trace.tool(run, "pay", {"k": 1}, result, at=at)
    assert [call.result for call in calls(conversation(trace.spans))] == ["paid", "paid again"]


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
    (call,) = calls(conversation([*waits.spans, *goes_on.spans]))
    assert (call.name, call.result, call.executed) == ("pay", "paid", True)
