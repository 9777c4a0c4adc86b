"""LlamaIndex as OpenInference shows it: spans around every method, and results in an object of its own."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall
from traces.genai import Usage

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


def test_an_agent_of_llama_index_is_named_by_its_events_alone():
    event = "AgentSetup(input=[ChatMessage(role='user')], current_agent_name='clerk')"
    found = facts(span(SCOPE, parent="a" * 16)({"openinference.span.kind": "CHAIN", "output.value": event}))
    assert (found.kind, found.agent) == ("other", "clerk")


RAW = {
    "id": "chatcmpl-1",
    "choices": [{"message": {"content": None}}],
    "model": "m-1-2026",
    "usage": {"completion_tokens": 5, "prompt_tokens": 78, "completion_tokens_details": None},
}


def test_an_agent_s_event_alone_tells_which_response_it_got():
    event = f"AgentOutput(response=ChatMessage(blocks=[]), current_agent_name='till', raw={RAW}, tool_calls=[])"
    at = {"openinference.span.kind": "CHAIN", "input.value": text({"ctx": "<Context object>", "ev": event})}
    found = facts(span(SCOPE, "BaseWorkflowAgent.parse_agent_output", parent="1")(at))
    assert (found.kind, found.agent) == ("other", "till")
    assert (found.response_id, found.response_model, found.usage) == ("chatcmpl-1", "m-1-2026", Usage(78, 5))
    uncounted = {**at, "input.value": text({"ev": event.replace("prompt_tokens", "tokens")})}
    assert facts(span(SCOPE, parent="1")(uncounted)).response_id is None
