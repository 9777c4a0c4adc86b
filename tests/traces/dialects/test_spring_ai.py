"""Spring AI's observations."""

from __future__ import annotations

from tests.traces.dialects.made import facts, failed, span
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall

TOOL = {
    "gen_ai.operation.name": "framework",
    "gen_ai.system": "spring_ai",
    "spring.ai.kind": "tool_call",
    "spring.ai.tool.definition.name": "get_fee",
    "spring.ai.tool.call.arguments": '{"order": "B-7"}',
}


def test_a_tool_has_its_own_attributes():
    found = facts(span("org.springframework.boot")({**TOOL, "spring.ai.tool.call.result": '{"fee": 3}'}))
    assert (found.kind, found.dialect) == ("tool", "spring-ai")
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == {"fee": 3}


def test_a_tool_without_captured_content_is_still_a_call():
    at = {"spring.ai.kind": "tool_call", "spring.ai.tool.definition.name": "get_fee", "spring.ai.tool.call.id": "c1"}
    found = facts(span()(at))
    assert found.tool == AskedCall("get_fee", "c1", None)
    assert not found.has_result


def test_a_tool_that_threw_failed():
    found = facts(failed("", TOOL, "com.desk.FeeException", "no fee"))
    assert found.error == ToolError("FeeException", "no fee", "exception")


def test_a_client_is_the_turn_and_knows_the_conversation():
    at = {
        "gen_ai.operation.name": "framework",
        "spring.ai.kind": "chat_client",
        "spring.ai.chat.client.conversation.id": "conv-1",
    }
    found = facts(span()(at))
    assert (found.kind, found.conversation) == ("agent", ("conv-1", "spring.ai.chat.client.conversation.id"))


def test_an_advisor_is_nothing_of_its_own():
    at = {"gen_ai.operation.name": "framework", "spring.ai.kind": "advisor", "spring.ai.advisor.name": "call"}
    assert facts(span()(at)).kind == "other"
