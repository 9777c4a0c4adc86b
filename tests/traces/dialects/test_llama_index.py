"""LlamaIndex as OpenInference shows it: spans around every method, and results in an object of its own."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall

SCOPE = "openinference.instrumentation.llama_index"


def tool(**output):
    at = {"openinference.span.kind": "TOOL", "tool.name": "get_fee", "input.value": '{"kwargs": {"order": "B-7"}}'}
    given = {"blocks": [{"text": "{'fee': 3}"}], "tool_name": "get_fee", "raw_input": {}, "is_error": False, **output}
    return facts(span(SCOPE, "FunctionTool.acall")({**at, "output.value": text(given)}))


def test_a_tool_has_its_value_and_the_text_for_the_model():
    found = tool(raw_output={"fee": 3})
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert (found.has_result, found.result, found.told) == (True, {"fee": 3}, "{'fee': 3}")


def test_a_tool_says_that_it_failed():
    found = tool(raw_output=None, is_error=True, blocks=[{"text": "FeeError: no fee"}])
    assert found.error == ToolError("FeeError", "no fee", "result")
    assert not found.has_result


def test_what_only_prepares_a_model_call_is_none():
    at = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m-1",
        "input.value": '{"tools": ["<FunctionTool object>"]}',
    }
    prepared = {**at, "output.value": text({"messages": ["ChatMessage(role=...)"], "tools": []})}
    assert facts(span(SCOPE, "OpenAI._prepare_chat_with_tools")(prepared)).kind == "other"
    said = {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Hello!"}
    assert facts(span(SCOPE, "OpenAI.achat")({**at, **said})).kind == "model"
