"""OpenLIT, whose model calls tell what they asked for in attributes of their own."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import AskedCall, Message

SCOPE = "openlit.instrumentation.openai"
BOTH = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.tool.name": "get_fee, get_fee",
    "gen_ai.tool.call.id": "c1, c2",
    "gen_ai.tool.args": '{"order": "B-7, B-8"}, {"order": {"id": 9}}',
}


def test_without_content_the_calls_stand_on_the_span() -> None:
    found = facts(span(SCOPE)(BOTH))
    calls = (AskedCall("get_fee", "c1", {"order": "B-7, B-8"}), AskedCall("get_fee", "c2", {"order": {"id": 9}}))
    assert (found.kind, found.dialect, found.input) == ("model", "openlit", None)
    assert found.output == (Message("assistant", "", calls),)


@pytest.mark.parametrize("arguments", ["{} {}", '{"order": ', "[[" * 9999, "None, None", None, 7])
def test_arguments_that_cannot_be_told_apart_are_not_there(arguments) -> None:
    found = facts(span(SCOPE)({**BOTH, "gen_ai.tool.args": arguments}))
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1"), AskedCall("get_fee", "c2"))),)


def test_a_call_under_the_id_of_its_item_gets_its_own() -> None:
    told = [{"role": "assistant", "parts": [{"type": "tool_call", "id": "fc_9", "name": "get_fee", "arguments": {}}]}]
    at = {**BOTH, "gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "c1", "gen_ai.output.messages": text(told)}
    assert facts(span(SCOPE)(at)).output == (Message("assistant", "", (AskedCall("get_fee", "c1", {}),)),)
    told[0]["parts"][0]["id"] = "c0"
    assert facts(span(SCOPE)({**at, "gen_ai.output.messages": text(told)})).output[0].calls[0].id == "c0"


def test_what_asks_for_nothing_is_as_the_conventions_have_it() -> None:
    assert facts(span(SCOPE)({"gen_ai.operation.name": "chat"})).dialect == "otel-genai"
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "c1"}
    assert facts(span(SCOPE)(tool)).kind == "tool"
