"""Semantic Kernel of Python (log records) and .NET (span events)."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, log, span, text
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "semantic_kernel.utils.telemetry.model_diagnostics.decorators"
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m-1"}
CALL = {"id": "c1", "type": "function", "function": {"name": "Desk-get_fee", "arguments": '{"order": "B-7"}'}}


def record(name, body, index=None, time=5):
    return log(name, text(body), time, **({} if index is None else {"CHAT_MESSAGE_INDEX": index}))


def test_messages_are_in_the_order_of_their_numbers_whatever_their_times():
    records = [
        record("gen_ai.choice", {"message": {"role": "assistant", "content": "3 EUR."}, "finish_reason": "stop"}),
        record("gen_ai.tool.message", {"role": "tool", "content": "{'fee': 3}", "tool_call_id": "c1"}, 2),
        record("gen_ai.assistant.message", {"role": "assistant", "tool_calls": [CALL]}, 1),
        record("gen_ai.user.message", {"role": "user", "content": "The fee of B-7?"}, 0, 9),
    ]
    at = {**CHAT, "gen_ai.response.finish_reason": "FinishReason.TOOL_CALLS", "gen_ai.usage.input_tokens": 9}
    found = facts(span(SCOPE)({**at, "gen_ai.usage.output_tokens": 4}), records)
    assert found.dialect == "semantic-kernel"
    assert found.input == (
        Message("user", "The fee of B-7?"),
        Message("assistant", "", (AskedCall("Desk-get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "{'fee': 3}"),)),
    )
    assert found.output == (Message("assistant", "3 EUR."),)
    assert (found.finish, found.usage, found.logs) == ("tool_calls", Usage(9, 4), tuple(records))


def test_a_tool_keeps_its_plugin_and_its_result_is_read_as_python():
    at = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "Desk-get_fee",
        "gen_ai.tool.call.arguments": '{"order": "B-7"}',
        "gen_ai.tool.call.result": "{'fee': 3, 'paid': None}",
    }
    found = facts(span("semantic_kernel.functions.kernel_function")(at))
    assert found.tool == AskedCall("Desk-get_fee", None, {"order": "B-7"})
    assert found.result == {"fee": 3, "paid": None}


@pytest.mark.parametrize(("taken", "usage"), [(9, Usage(9, 4)), (-1, None)])
def test_net_has_other_names_and_a_count_that_means_none(taken, usage):
    at = {
        **CHAT,
        "gen_ai.response.prompt_tokens": taken,
        "gen_ai.response.completion_tokens": 4,
        "gen_ai.response.finish_reason": "[Stop]",
    }
    prompt = text([{"role": "user", "content": "The fee of B-7?"}])
    events = [
        ("gen_ai.content.prompt", {"gen_ai.prompt": prompt}),
        ("gen_ai.content.completion", {"gen_ai.completion": text([{"role": "assistant", "content": "3 EUR."}])}),
    ]
    found = facts(span("Microsoft.SemanticKernel.Diagnostics", events=events)(at))
    assert found.input == (Message("user", "The fee of B-7?"),)
    assert found.output == (Message("assistant", "3 EUR."),)
    assert (found.usage, found.finish, found.notes) == (usage, "stop", [])


def test_spans_of_the_kernel_that_tell_nothing_are_of_no_dialect():
    assert facts(span("semantic_kernel.connectors")({"sk.available_functions": "Desk-get_fee"})).dialect == ""


def test_the_connector_logs_the_cached_and_the_reasoning_tokens():
    words = (
        "OpenAI usage: CompletionUsage(completion_tokens=4, prompt_tokens=9, total_tokens=13,"
        " completion_tokens_details=CompletionTokensDetails(audio_tokens=None, reasoning_tokens=2),"
        " prompt_tokens_details=PromptTokensDetails(audio_tokens=None, cached_tokens=3))"
    )
    at = {**CHAT, "gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 4}
    assert facts(span(SCOPE)(at), [log("", words), log("", "some other line")]).usage == Usage(9, 4, 3, 2)
