"""Claude Code: spans that say what ran, and log records that say what was said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.traces.dialects.made import TRACE, facts, log, span
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall
from traces.genai import Usage
from traces.reading import conversations
from traces.span import Span

SCOPE = "com.anthropic.claude_code.tracing"
CALL = {"gen_ai.tool.call.id": "c1", "tool_use_id": "c1"}
TOOL = {"span.type": "tool", "tool_name": "mcp__shop__get_fee", "gen_ai.tool.name": "get_fee", **CALL}
GIVEN = {"event.name": "tool_result", "tool_use_id": "c1", "tool_input": '{"order":"B-7"}'}


def records(*told):
    return [log("", "", at, **attributes) for at, attributes in enumerate(told)]


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


def test_texts_that_were_not_logged_are_a_matter_of_its_own_variables() -> None:
    run = span(SCOPE)({"span.type": "interaction", "user_prompt": "<REDACTED>"})
    request = Span(TRACE, "2" * 16, run.span_id, "", "internal", 1, 2, {"span.type": "llm_request"}, scope=SCOPE)
    (found,) = conversations([run, request])
    assert "OTEL_LOG_USER_PROMPTS=1" in next(str(w) for w in found.warnings if w.kind == "content")
