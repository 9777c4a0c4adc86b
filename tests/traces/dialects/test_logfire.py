"""Logfire's instrumentations of OpenAI and its Agents SDK."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall, Message
from traces.genai import Usage

SCOPE = "logfire.openai_agents"
CALL = {"type": "function_call", "call_id": "c1", "id": "fc_1", "name": "get_fee", "arguments": '{"order": "B-7"}'}


def test_a_call_of_the_responses_api_holds_its_input_and_response():
    given = {"id": "r1", "model": "m-1-2026", "instructions": "Be brief.", "output": [CALL, {**CALL, "call_id": "c2"}]}
    at = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m-1",
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 4,
        "raw_input": text([{"role": "user", "content": "The fee?"}]),
        "response": text({**given, "usage": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}}),
    }
    found = facts(span(SCOPE)(at))
    assert (found.kind, found.dialect, found.usage) == ("model", "logfire", Usage(9, 4))
    assert found.input == (Message("system", "Be brief."), Message("user", "The fee?"))
    assert found.output is not None
    assert [call.id for call in found.output[0].calls] == ["c1", "c2"]


def test_a_chat_completion_holds_request_and_response():
    call = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
    at = {
        "logfire.msg_template": "Chat Completion with {request_data[model]!r}",
        "request_data": text({"model": "m-1", "messages": [{"role": "user", "content": "The fee?"}]}),
        "response_data": text(
            {
                "message": {"role": "assistant", "tool_calls": [call]},
                "usage": {"prompt_tokens": 9, "completion_tokens": 4},
            }
        ),
    }
    found = facts(span("logfire.openai")(at))
    assert (found.model, found.usage) == ("m-1", Usage(9, 4))
    assert found.input == (Message("user", "The fee?"),)
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)


def test_a_function_is_a_tool_and_its_failure_may_be_redacted():
    at = {"name": "get_fee", "input": '{"order": "B-7"}', "output": '{"fee": 3}', "mcp_data": "null"}
    found = facts(span(SCOPE)(at))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == {"fee": 3}
    data = {"tool_name": "get_fee", "error": "FeeError: no fee"}
    broken = facts(
        span(SCOPE)({**at, "output": "Please try again.", "error": text({"message": "failed", "data": data})})
    )
    assert broken.error == ToolError("FeeError", "no fee", "status")
    assert (broken.has_result, broken.told) == (False, "Please try again.")


def test_the_trace_gives_the_conversation_and_the_run_the_agent():
    trace = facts(span(SCOPE)({"name": "support", "group_id": "conv-1"}))
    assert (trace.kind, trace.conversation) == ("other", ("conv-1", "group_id"))
    run = facts(span(SCOPE)({"name": "desk", "handoffs": "[]", "tools": "[]"}))
    assert (run.kind, run.agent) == ("agent", "desk")


ASKED = {
    "request_data": text({"model": "m-1"}),
    "logfire.msg_template": "Chat Completion with {request_data[model]!r}",
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m-1",
    "gen_ai.input.messages": text([{"role": "user", "parts": [{"type": "text", "content": "The fee?"}]}]),
}
ANSWERED = {
    "gen_ai.output.messages": text([{"role": "assistant", "parts": [{"type": "text", "content": "3 EUR."}]}]),
    "gen_ai.usage.input_tokens": 9,
    "gen_ai.usage.output_tokens": 4,
    "gen_ai.usage.raw": text(
        {"completion_tokens": 4, "prompt_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 2}}
    ),
}


def test_of_a_streamed_call_the_record_of_its_end_tells_all_and_the_request_nothing():
    for request in (ASKED, {"request_data": text({"model": "m-1", "stream": True}), "logfire.msg_template": "Chat"}):
        assert facts(span("logfire.openai")(request)).kind == "other"
        assert facts(span("logfire.openai", status="error")(request)).kind == "model"
    end = facts(span("logfire.openai")({**ASKED, **ANSWERED, "duration": 0.2}))
    assert (end.kind, end.dialect, end.usage) == ("model", "logfire", Usage(9, 4, 0, 2))
    assert end.output == (Message("assistant", "3 EUR."),)


def test_a_group_that_is_null_is_no_conversation():
    trace = {"name": "desk", "agent_trace_id": "trace_1"}
    assert facts(span(SCOPE)({**trace, "group_id": "null"})).conversation is None
    assert facts(span(SCOPE)({**trace, "group_id": "g-1"})).conversation == ("g-1", "group_id")
