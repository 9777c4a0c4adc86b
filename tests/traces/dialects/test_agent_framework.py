"""Microsoft's Agent Framework."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import Answer, AskedCall, Message

SCOPE = "agent_framework"


def test_no_arguments_are_an_empty_object_and_no_id_is_none():
    at = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "limits", "gen_ai.tool.call.id": "unknown"}
    found = facts(span(SCOPE)({**at, "gen_ai.tool.call.arguments": "None", "gen_ai.tool.call.result": "2000"}))
    assert found.dialect == "agent-framework"
    assert found.tool == AskedCall("limits", None, {})
    assert found.result == 2000


def test_arguments_that_were_not_captured_are_not_empty():
    found = facts(span(SCOPE)({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "limits"}))
    assert found.tool == AskedCall("limits", None, None)


def test_reasons_are_json_and_answers_quoted_once_more():
    asked = [{"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": '"3 EUR"'}]}]
    at = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "unknown",
        "gen_ai.response.model": "m-1",
        "gen_ai.response.finish_reasons": '["stop"]',
        "gen_ai.input.messages": text(asked),
    }
    found = facts(span(SCOPE)(at))
    assert (found.finish, found.model, found.response_model) == ("stop", None, "m-1")
    assert found.input == (Message("tool", "", (), (Answer("c1", "3 EUR"),)),)


def test_spans_of_workflows_are_of_no_dialect():
    assert facts(span(SCOPE)({"workflow.id": "w", "executor.id": "e"})).dialect == ""
