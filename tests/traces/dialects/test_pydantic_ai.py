"""Pydantic AI's spans in all its formats."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, failed, log, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "pydantic-ai"
CALL = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order":"B-7"}'}}
ROWS = [
    {"content": "Be brief.", "role": "system", "gen_ai.message.index": 0, "event.name": "gen_ai.system.message"},
    {"content": "The fee of B-7?", "role": "user", "gen_ai.message.index": 0, "event.name": "gen_ai.user.message"},
    {"role": "assistant", "tool_calls": [CALL], "gen_ai.message.index": 1, "event.name": "gen_ai.assistant.message"},
    {
        "content": {"fee": 3},
        "role": "tool",
        "id": "c1",
        "name": "get_fee",
        "gen_ai.message.index": 2,
        "event.name": "gen_ai.tool.message",
    },
]
CHOICE = {"index": 0, "message": {"role": "assistant", "content": "3 EUR."}, "event.name": "gen_ai.choice"}
READ = (
    Message("system", "Be brief."),
    Message("user", "The fee of B-7?"),
    Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
    Message("tool", "", (), (Answer("c1", {"fee": 3}, "get_fee"),)),
)
PARTS = [
    {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
    {"role": "user", "parts": [{"type": "text", "content": "The fee of B-7?"}]},
    {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "get_fee", "arguments": '{"order":"B-7"}'}],
    },
    {
        "role": "user",
        "parts": [{"type": "tool_call_response", "id": "c1", "name": "get_fee", "result": {"fee": 3}}],
    },
]
CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.system": "openai",
    "gen_ai.request.model": "m-1",
    "gen_ai.usage.input_tokens": 9,
    "gen_ai.usage.output_tokens": 4,
    "gen_ai.usage.details.reasoning_tokens": 2,
}


def test_format_1_holds_the_messages_in_one_attribute():
    found = facts(span(SCOPE)({**CHAT, "events": text([*ROWS, CHOICE])}))
    assert found.kind == "model"
    assert found.input == READ
    assert found.output == (Message("assistant", "3 EUR."),)
    assert found.usage == Usage(9, 4, 0, 2)


def test_format_1_may_send_them_as_log_records():
    records = [log(row["event.name"], row, at) for at, row in enumerate([*ROWS, CHOICE])]
    found = facts(span(SCOPE)(CHAT), records)
    assert found.dialect == "pydantic-ai"
    assert found.input == READ
    assert found.output == (Message("assistant", "3 EUR."),)


def test_later_formats_follow_the_conventions():
    given = [{"role": "assistant", "parts": [{"type": "text", "content": "3 EUR."}], "finish_reason": "stop"}]
    found = facts(span(SCOPE)({**CHAT, "gen_ai.input.messages": text(PARTS), "gen_ai.output.messages": text(given)}))
    assert found.input == READ
    assert found.output == (Message("assistant", "3 EUR."),)
    assert found.finish == "stop"


@pytest.mark.parametrize(
    ("given", "result"),
    [("tool_arguments", "tool_response"), ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result")],
)
def test_a_tool_is_read_by_the_names_of_either_format(given, result):
    at = {"gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "c1", given: '{"order":"B-7"}', result: '{"fee":3}'}
    found = facts(span(SCOPE, "running tool")(at))
    assert found.kind == "tool"
    assert found.tool == AskedCall("get_fee", "c1", {"order": "B-7"})
    assert found.result == {"fee": 3}


@pytest.mark.parametrize("words", ["FeeError: no fee", "FeeError: no fee\n\nFix the errors and try again."])
def test_a_retry_is_a_failure_in_the_words_of_the_result(words):
    at = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_fee", "gen_ai.tool.call.result": words}
    found = facts(failed(SCOPE, at, "pydantic_ai.exceptions.ToolRetryError", words))
    assert found.error == ToolError("FeeError", "no fee", "exception")
    assert not found.has_result


def test_a_retry_without_a_type_in_its_words_is_one_of_its_own():
    at = {"gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "c1"}
    found = facts(failed(SCOPE, at, "pydantic_ai.exceptions.ToolRetryError", "try another order"))
    assert found.error == ToolError("ToolRetryError", "try another order", "exception")


def test_another_exception_stays_what_it_is():
    at = {"gen_ai.tool.name": "get_fee", "tool_arguments": "{}", "tool_response": "ignored"}
    found = facts(failed(SCOPE, at, "desk.FeeError", "no fee"))
    assert found.error == ToolError("FeeError", "no fee", "exception")


def test_an_agent_holds_the_whole_conversation_and_where_the_run_begins():
    new = [{"role": "user", "parts": [{"type": "text", "content": "And C-1?"}]}]
    answer = [{"role": "assistant", "parts": [{"type": "text", "content": "4 EUR."}]}]
    at = {
        "agent_name": "desk",
        "pydantic_ai.all_messages": text([*PARTS, *new, *answer]),
        "pydantic_ai.new_message_index": 4,
        "gen_ai.aggregated_usage.input_tokens": 90,
        "gen_ai.aggregated_usage.output_tokens": 7,
    }
    found = facts(span(SCOPE, "agent run")(at))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "And C-1?", "4 EUR.")
    assert found.usage == Usage(90, 7)
    assert found.counted is False


def test_an_agent_of_format_1_holds_events():
    at = {"agent_name": "desk", "all_messages_events": text(ROWS), "final_result": "3 EUR."}
    found = facts(span(SCOPE, "agent run")(at))
    assert (found.kind, found.said, found.replied) == ("agent", "The fee of B-7?", "3 EUR.")


def test_the_span_around_tools_is_no_tool():
    assert facts(span(SCOPE, "running tools")({"tools": ["get_fee"]})).kind == "other"


def test_broken_events_are_read_as_far_as_they_go():
    found = facts(span(SCOPE)({**CHAT, "events": text(ROWS)[:-200]}))
    assert found.input is not None
    assert found.input[:2] == READ[:2]
    assert facts(span(SCOPE)({**CHAT, "events": "nonsense"})).input == ()


@pytest.mark.parametrize("cached", ["cached_tokens", "cache_read_tokens", "cache_read_input_tokens"])
def test_the_parts_of_the_token_counts_are_in_the_details_of_earlier_versions(cached):
    at = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m-1",
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 4,
        f"gen_ai.usage.details.{cached}": 3,
        "gen_ai.usage.details.reasoning_tokens": 2,
    }
    assert facts(span("pydantic-ai")(at)).usage == Usage(9, 4, 3, 2)
