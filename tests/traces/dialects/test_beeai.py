"""BeeAI by OpenInference: what stands around a tool's arguments, and what only tells that something happened."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

BEEAI = "openinference.instrumentation.beeai"


def model(**at: Any) -> Any:
    return facts(span(BEEAI)({"openinference.span.kind": "LLM", "metadata.class_name": "OpenAIChatModel", **at}))


def test_the_parts_of_a_message_are_named_in_its_own_words() -> None:
    told = {
        "input": [
            {"role": "user", "content": [{"type": "text", "text": "Your task: the fee of B-7?"}]},
            {
                "role": "assistant",
                "content": [{"type": "tool-call", "id": "c1", "tool_name": "get_fee", "args": '{"order": "B-7"}'}],
            },
            {
                "role": "tool",
                "content": [{"type": "tool-result", "tool_name": "get_fee", "tool_call_id": "c1", "result": "3 EUR"}],
            },
        ]
    }
    flat = {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.text": "Your task: the fee of B-7?",
        "llm.input_messages.1.message.role": "assistant",
        "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1",
        "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "get_fee",
        "llm.input_messages.2.message.role": "tool",
        "llm.input_messages.2.message.contents.0.message.tool_call_id": "c1",
        "llm.input_messages.2.message.contents.0.message_content.text": "3 EUR",
    }
    assert model(**flat, **{"input.value": text(told)}).input == (
        Message("user", "Your task: the fee of B-7?"),
        Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "3 EUR", "get_fee"),)),
    )


def test_cached_tokens_are_in_the_metadata() -> None:
    counts = {"llm.token_count.prompt": 20, "llm.token_count.completion": 7}
    assert model(**counts, **{"metadata.usage.cached_prompt_tokens": "8"}).usage == Usage(20, 7, 8)
    assert model(**counts, **{"metadata.usage.cached_prompt_tokens": "many"}).usage == Usage(20, 7)


def test_of_calls_that_were_put_into_one_only_the_first_is_whole() -> None:
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    asked = {
        "llm.output_messages.0.message.role": "assistant",
        f"{call}.id": "c1",
        f"{call}.function.name": "get_fee",
    }
    merged = model(**asked, **{f"{call}.function.arguments": '{"order": "B-7"}{"order": "B-8"}'})
    assert merged.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),), (), True),)
    alone = model(**asked, **{f"{call}.function.arguments": '{"order": "B-7"}'})
    assert alone.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)


def test_a_tools_arguments_are_out_of_what_stands_around_them() -> None:
    at = {"openinference.span.kind": "TOOL", "metadata.class_name": "FunctionTool", "tool.name": "get_fee"}
    found = facts(span(BEEAI)({**at, "input.value": '{"input": {"order": "B-7"}, "options": null}'}))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})


def test_a_tool_that_failed_tells_the_cause_in_its_output() -> None:
    at = {
        "openinference.span.kind": "TOOL",
        "metadata.class_name": "FunctionTool",
        "tool.name": "get_fee",
        "input.value": '{"input": {}, "options": null}',
        "output.value": 'ToolError(beeai_framework.tools.errors): Tool Error\nContext: {"name": "get_fee"}\n'
        "  FeeError(shop.fees): no fee for B-7",
    }
    found = facts(failed(BEEAI, at, "beeai_framework.tools.errors.ToolError", "Tool Error"))
    assert found.error == ToolError("FeeError", "no fee for B-7", "exception")
    assert not found.has_result


def test_what_only_tells_of_an_event_is_neither_a_tool_nor_an_agent() -> None:
    for kind in ("TOOL", "AGENT"):
        at = {"openinference.span.kind": kind, "metadata.id": "e-1", "metadata.path": "tool.custom.get_fee.error"}
        assert facts(span(BEEAI, "error", parent="a" * 16)(at)).kind == "other"


def test_arguments_that_are_nested_too_deeply_stay_text() -> None:
    deep = '{"a":' * 5000 + "1" + "}" * 5000 + "{}"
    message = "llm.output_messages.0.message"
    call = f"{message}.tool_calls.0.tool_call.function"
    found = model(**{f"{message}.role": "assistant", f"{call}.name": "get_fee", f"{call}.arguments": deep})
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", None, None, deep),)),)
