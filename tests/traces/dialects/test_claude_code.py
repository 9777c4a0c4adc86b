"""Claude Code: spans that say what ran, and log records that say what was said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.traces.dialects.made import TRACE, facts, log, span
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall
from traces.genai import Usage
from traces.log_record import LogRecord
from traces.reading import conversations, stream
from traces.span import Span

SCOPE = "com.anthropic.claude_code.tracing"
CALL = {"gen_ai.tool.call.id": "c1", "tool_use_id": "c1"}
TOOL = {"span.type": "tool", "tool_name": "mcp__shop__get_fee", "gen_ai.tool.name": "get_fee", **CALL}
GIVEN = {"event.name": "tool_result", "tool_use_id": "c1", "tool_input": '{"order":"B-7"}'}


def records(*told):
    return [replace(log("", "", at, **attributes), scope=SCOPE) for at, attributes in enumerate(told)]


def test_an_interaction_tells_prompt_and_last_reply() -> None:
    at = {"span.type": "interaction", "user_prompt": "The fee?", "gen_ai.conversation.id": "s1"}
    said = [{"event.name": "assistant_response", "response": text} for text in ("I look.", "3 EUR.")]
    said.append({"event.name": "assistant_response", "response": "Looked.", "agent_id": "a1"})
    found = facts(span(SCOPE)(at), records(*said))
    assert (found.kind, found.dialect, found.said, found.replied) == ("agent", "claude-code", "The fee?", "3 EUR.")
    assert found.conversation == ("s1", "gen_ai.conversation.id")
    said = [{"event.name": "assistant_response", "response": "<REDACTED>"}]
    found = facts(span(SCOPE)({**at, "user_prompt": "<REDACTED>"}), records(*said))
    assert (found.said, found.replied) == (None, None)


def test_counts_of_a_request_are_the_conventions_own_or_the_earlier_without_the_cached() -> None:
    at = {"span.type": "llm_request", "model": "m", "input_tokens": 20, "output_tokens": 7, "cache_read_tokens": 30}
    found = facts(span(SCOPE)({**at, "cache_creation_tokens": 2, "query_source_safe": "agent.builtin.helper"}))
    assert (found.kind, found.model, found.agent, found.usage) == ("model", "m", "helper", Usage(52, 7, 30))
    newer = {"gen_ai.usage.input_tokens": 52, "gen_ai.usage.output_tokens": 7}
    found = facts(span(SCOPE)({**at, **newer, "query_source_safe": "sdk"}))
    assert (found.agent, found.usage) == (None, Usage(52, 7))


@pytest.mark.parametrize("output", [{"output": '{"fee": 3}'}, {"file_path": "/a", "content": '{"fee": 3}'}])
def test_a_tool_tells_its_result_and_its_record_what_it_was_given(output) -> None:
    found = facts(span(SCOPE, events=[("tool.output", output)])(TOOL), records(GIVEN))
    assert (found.kind, found.tool, found.result) == ("tool", AskedCall("get_fee", "c1", {"order": "B-7"}), {"fee": 3})


def test_what_its_records_leave_out_of_arguments_is_not_given_out_as_theirs() -> None:
    found = facts(span(SCOPE)(TOOL), records({**GIVEN, "tool_input": '{"orders":["<nested>"]}'}))
    assert found.tool == AskedCall("get_fee", "c1", None, '{"orders":["<nested>"]}')


def test_records_on_the_run_and_the_span_within_tell_of_the_tool() -> None:
    run = span(SCOPE)({"span.type": "interaction", "user_prompt": "The fee?", "gen_ai.conversation.id": "s1"})
    tool = Span(TRACE, "2" * 16, run.span_id, "tool", "internal", 1, 2, TOOL, scope=SCOPE)
    within = {"span.type": "tool.execution", "error": "Error: no B-7", "error_class": "McpToolCallError", **CALL}
    inner = Span(TRACE, "3" * 16, "2" * 16, "", "internal", 1, 2, within, status="error", scope=SCOPE)
    said = {"event.name": "assistant_response", "response": "There is none."}
    (found,) = conversations([run, tool, inner], records(GIVEN, said))
    ((call,),) = [turn.tool_calls for turn in found.turns]
    assert (call.name, call.arguments) == ("get_fee", {"order": "B-7"})
    assert call.error == ToolError("McpToolCallError", "no B-7", "status")
    assert (found.turns[0].user, found.turns[0].assistant, found.warnings) == ("The fee?", "There is none.", ())
    (alone,) = conversations([run, tool], records({**GIVEN, "success": "false", "error": "Error: no B-7"}, said))
    assert alone.turns[0].tool_calls[0].error == ToolError(None, "no B-7", "status")


def test_a_record_stays_where_no_span_is_of_its_call() -> None:
    run = span(SCOPE)({"span.type": "interaction", "user_prompt": "The fee?"})
    other = replace(records(GIVEN)[0], attributes={**GIVEN, "tool_use_id": "c2"})
    (found,) = conversations([run], [other])
    assert found.logs == (other,)


def test_a_record_of_another_instrumentation_stays_where_it_is_though_it_names_a_call() -> None:
    model = span()({"gen_ai.operation.name": "chat"})
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "c1"}
    ran = Span(TRACE, "2" * 16, None, "", "internal", 0, 1, tool)
    told = [
        log("gen_ai.assistant.message", {"tool_calls": [{"id": "c1", "function": {"name": "get_fee"}}]}, 1),
        log("gen_ai.tool.message", {"id": "c1", "content": "3 EUR"}, 2, tool_use_id="c1"),
        log("gen_ai.choice", {"message": {"content": "It is 3 EUR."}}, 3),
    ]
    (found,) = conversations([model, ran], told)
    assert [call.told for turn in found.turns for call in turn.tool_calls] == ["3 EUR"]


def test_texts_that_were_not_logged_are_a_matter_of_its_own_variables() -> None:
    run = span(SCOPE)({"span.type": "interaction", "user_prompt": "<REDACTED>"})
    request = Span(TRACE, "2" * 16, run.span_id, "", "internal", 1, 2, {"span.type": "llm_request"}, scope=SCOPE)
    (found,) = conversations([run, request])
    assert "OTEL_LOG_USER_PROMPTS=1" in next(str(w) for w in found.warnings if w.kind == "content")


def untraced(sequence, name, at, **attributes):
    told = {"event.name": name, "event.sequence": sequence, "session.id": "s1", "prompt.id": "p1", **attributes}
    return LogRecord(None, None, at * 10**6, "", f"claude_code.{name}", told, scope="com.anthropic.claude_code.events")


def test_what_was_not_traced_is_told_by_its_records() -> None:
    counts = {"input_tokens": "20", "output_tokens": "7", "cache_read_tokens": 30, "duration_ms": 40}
    tool = {"tool_name": "mcp_tool", "tool_use_id": "c1", "tool_parameters": '{"mcp_tool_name":"get_fee"}'}
    told = [
        untraced(0, "user_prompt", 100, prompt="The fee?"),
        untraced(1, "api_request", 150, model="m-1", **counts),
        untraced(2, "tool_result", 170, **tool, tool_input='{"order":"B-7"}', success="false", error="Error: no B-7"),
        untraced(3, "api_error", 190, model="m-1", error="Overloaded"),
        untraced(4, "assistant_response", 200, response="There is none."),
        untraced(5, "user_prompt", 300, prompt="Bye."),
    ]
    told[5].attributes["prompt.id"] = "p2"
    other = LogRecord(None, None, 1, "started", "of something else")
    for found in (conversations([], [*told, other]), list(stream([*told, other]))):
        (one,) = found
        assert (one.id, one.joined, one.spans) == ("s1", "session.id", ())
        assert [(turn.user, turn.assistant) for turn in one.turns] == [("The fee?", "There is none."), ("Bye.", None)]
        request, call, failed = one.turns[0].steps
        assert (request.model, request.usage, request.ended - request.started) == ("m-1", Usage(50, 7, 30), 40 * 10**6)
        assert (call.name, call.id, call.arguments) == ("get_fee", "c1", {"order": "B-7"})
        assert (call.error, failed.error) == (ToolError(None, "no B-7", "status"), "Overloaded")
        assert any("CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1" in warning for warning in one.warnings)
        assert set(map(repr, one.logs)) >= set(map(repr, told))


def test_a_step_that_would_have_begun_before_all_time_begins_with_it() -> None:
    told = [untraced(0, "user_prompt", 100, prompt="Hi"), untraced(1, "api_request", 150, duration_ms="9" * 15)]
    for record in told:
        del record.attributes["session.id"]
    history = [{"role": role, "parts": [{"type": "text", "content": role}]} for role in ("user", "assistant", "user")]
    asked = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(history)}
    for found in (list(stream([span()(asked), *told])), conversations([span()(asked)], told)):
        (step,) = [step for one in found for turn in one.turns for step in turn.steps if step.ended == 150 * 10**6]
        assert step.started == 0


def test_what_came_of_one_prompt_is_one_conversation_though_no_session_is_named() -> None:
    told = [
        untraced(0, "user_prompt", 100, prompt="The fee?"),
        untraced(1, "api_request", 150, model="m-1"),
        untraced(2, "tool_result", 170, tool_name="get_fee", tool_use_id="c1"),
    ]
    for record in told:
        del record.attributes["session.id"]
    for found in (conversations([], told), list(stream(told))):
        ((turn,),) = [one.turns for one in found]
        assert (turn.user, len(turn.steps)) == ("The fee?", 2)
