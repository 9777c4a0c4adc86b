"""Bedrock, and Gemini, as instrumentations of their clients hand on what the APIs say."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, log, span, text
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
TOKENS = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 7}
CACHED = {"gen_ai.usage.cache_read.input_tokens": 8, "gen_ai.usage.cache_creation.input_tokens": 2}


@pytest.mark.parametrize("library", ["bedrock", "botocore.bedrock-runtime"])
def test_bedrock_s_input_is_without_what_the_cache_held(library: str) -> None:
    scope = f"opentelemetry.instrumentation.{library}"
    assert facts(span(scope)({**CHAT, **TOKENS, **CACHED})).usage == Usage(15, 7, 8)
    assert facts(span(scope)({**CHAT, **TOKENS})).usage == Usage(5, 7)
    broken = facts(span(scope)({**CHAT, **TOKENS, "gen_ai.usage.cache_read.input_tokens": "many"}))
    assert broken.usage is None
    assert "can't be right" in broken.notes[0]
    assert facts(span(scope)(CHAT)).usage is None
    assert facts(span("opentelemetry.instrumentation.genai")({**CHAT, **TOKENS, **CACHED})).usage is None


def test_gemini_s_thoughts_are_what_the_total_has_beyond_the_answer() -> None:
    scope = "opentelemetry.instrumentation.google_generativeai"
    assert facts(span(scope)({**CHAT, **TOKENS, "gen_ai.usage.total_tokens": 16})).usage == Usage(5, 11, 0, 4)
    assert facts(span(scope)({**CHAT, **TOKENS, "gen_ai.usage.total_tokens": 12})).usage == Usage(5, 7)
    assert facts(span(scope)({**CHAT, **TOKENS})).usage == Usage(5, 7)


@pytest.mark.parametrize(
    ("told", "content"),
    [
        ('[{"json": {"fee": 3}}]', {"fee": 3}),
        ('[{"type": "text", "text": "3 EUR"}]', "3 EUR"),
        ('[{"type":"text","text":"3"},{"type":"text","text":"EUR"}]', "3\nEUR"),
        ('[{"type": "text", "text": "3 EUR"}, {"type": "image"}]', None),
        ('[{"json": {"fee": 3}, "of": "B-7"}]', None),
        ('[{"json": {"fee"', None),
    ],
)
def test_blocks_of_an_answer_that_were_written_as_text(told: str, content: object) -> None:
    part = {"type": "tool_call_response", "id": "c1", "response": told}
    found = facts(span()({**CHAT, "gen_ai.input.messages": text([{"role": "user", "parts": [part]}])}))
    assert found.input == (Message("tool", "", (), (Answer("c1", told if content is None else content),)),)


def test_answers_that_stand_in_a_user_s_message() -> None:
    row = "llm.input_messages.{}.message."
    at = {
        "openinference.span.kind": "LLM",
        row.format(0) + "role": "user",
        row.format(0) + "content": "The fee?",
        row.format(1) + "role": "assistant",
        row.format(1) + "tool_calls.0.tool_call.id": "c1",
        row.format(1) + "tool_calls.0.tool_call.function.name": "get_fee",
        row.format(1) + "tool_calls.0.tool_call.function.arguments": "{}",
        row.format(2) + "role": "user",
        row.format(2) + "content": "3 EUR",
        row.format(2) + "tool_call_id": "c1",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "3 EUR.",
        "llm.output_messages.0.message.tool_call_id": "",
    }
    found = facts(span("openinference.instrumentation.bedrock")(at))
    assert found.input == (
        Message("user", "The fee?"),
        Message("assistant", "", (AskedCall("get_fee", "c1", {}),)),
        Message("tool", "", (), (Answer("c1", "3 EUR"),)),
    )
    assert found.output == (Message("assistant", "3 EUR."),)


def test_the_message_that_held_the_answers_is_no_user_s() -> None:
    asks = {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_fee"}}]}
    records = [
        log("gen_ai.user.message", None, 1),
        log("gen_ai.assistant.message", asks, 2),
        log("gen_ai.tool.message", {"id": "c1"}, 3),
        log("gen_ai.user.message", None, 4),
        log("gen_ai.choice", {"finish_reason": "end_turn", "message": {"role": "assistant"}}, 5),
    ]
    found = facts(span("opentelemetry.instrumentation.botocore.bedrock-runtime")(CHAT), records)
    assert [message.role for message in found.input] == ["user", "assistant", "tool"]
    records[3] = log("gen_ai.user.message", {"content": [{"text": "And?"}]}, 4)
    assert facts(span()(CHAT), records).input[-1] == Message("user", "And?")
