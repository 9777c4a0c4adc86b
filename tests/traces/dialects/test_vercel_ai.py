"""The AI SDK's own telemetry, versions 3 to 6; version 7 writes the GenAI conventions."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

CALL = [{"toolCallId": "c1", "toolName": "get_fee", "input": '{"order": "B-7"}'}]


def model(**attributes):
    return facts(span("ai")({"ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "m-1", **attributes}))


def test_a_model_call_has_its_history_its_calls_and_its_tokens():
    prompt = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "The fee of B-7?"}]},
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolCallId": "c0", "toolName": "get_fee", "input": {"order": "B-6"}}],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c0",
                    "toolName": "get_fee",
                    "output": {"type": "error-text", "value": "no such order"},
                }
            ],
        },
    ]
    found = model(
        **{
            "ai.prompt.messages": text(prompt),
            "ai.response.toolCalls": text(CALL),
            "ai.response.finishReason": "tool-calls",
            "ai.usage.inputTokens": 20,
            "ai.usage.outputTokens": 5,
            "ai.usage.totalTokens": 25,
            "ai.usage.inputTokenDetails.cacheReadTokens": 8,
            "ai.usage.outputTokenDetails.reasoningTokens": 2,
        }
    )
    assert found.kind == "model"
    assert found.dialect == "vercel-ai"
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee of B-7?"),
        Message("assistant", "", (AskedCall("get_fee", "c0", {"order": "B-6"}),)),
        Message("tool", "", (), (Answer("c0", "no such order", "get_fee", True),)),
    )
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)
    assert (found.model, found.finish, found.usage) == ("m-1", "tool-calls", Usage(20, 5, 8, 2))
    assert found.streamed is False
    assert found.counted


def test_version_4_says_prompt_tokens_args_and_result():
    prompt = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c0", "toolName": "get_fee", "result": {"fee": 3}}],
        },
    ]
    called = [{"toolCallType": "function", "toolCallId": "c1", "toolName": "get_fee", "args": '{"order": "B-7"}'}]
    found = model(
        **{
            "ai.prompt.messages": text(prompt),
            "ai.response.text": "One moment.",
            "ai.response.toolCalls": text(called),
            "ai.usage.promptTokens": 12,
            "ai.usage.completionTokens": 4,
        }
    )
    assert found.input
    assert found.input[1].answers == (Answer("c0", {"fee": 3}, "get_fee"),)
    assert found.output == (Message("assistant", "One moment.", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)
    assert found.usage == Usage(12, 4)


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"openai": {"cachedPromptTokens": 8, "reasoningTokens": 3}}, Usage(20, 7, 8, 3)),
        ({"anthropic": {"cacheReadInputTokens": 30, "cacheCreationInputTokens": 2}}, Usage(52, 7, 30)),
        ({"anthropic": {"cacheReadInputTokens": 8, "cacheCreationInputTokens": 0}}, Usage(28, 7, 8)),
        ({"openai": {"responseId": "r1"}, "other": None}, Usage(20, 7)),
    ],
)
def test_version_4_tells_the_parts_of_tokens_by_provider(told, usage):
    counts = {"ai.usage.promptTokens": 20, "ai.usage.completionTokens": 7}
    assert model(**counts, **{"ai.response.providerMetadata": text(told)}).usage == usage


def test_cached_tokens_in_anthropics_words_need_no_prompt_tokens() -> None:
    counts = {"ai.usage.inputTokens": 20, "ai.usage.outputTokens": 7, "ai.usage.cache_read_input_tokens": 5}
    assert model(**counts).usage == Usage(25, 7, 5)


def test_version_3_says_result_and_finish_reason():
    found = model(**{"ai.result.text": "Three euros.", "ai.finishReason": "stop"})
    assert found.output == (Message("assistant", "Three euros."),)
    assert found.finish == "stop"
    assert found.input is None


def test_outputs_that_were_not_recorded_are_not_an_empty_answer():
    found = model(**{"ai.response.finishReason": "stop"})
    assert found.output is None
    assert found.input is None
    assert found.usage is None


def test_a_tool_call_has_its_id_arguments_and_result():
    at = {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "get_fee", "ai.toolCall.id": "c1"}
    found = facts(span("ai")({**at, "ai.toolCall.args": '{"order":"B-7"}', "ai.toolCall.result": '"3 EUR"'}))
    assert found.kind == "tool"
    assert found.tool == AskedCall("get_fee", "c1", {"order": "B-7"})
    assert found.has_result
    assert found.result == "3 EUR"


def test_a_tool_that_threw_has_no_result():
    at = {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "get_fee", "ai.toolCall.args": "{}"}
    found = facts(failed("ai", at, "FeeError", "no fee for B-7"))
    assert found.error == ToolError("FeeError", "no fee for B-7", "exception")
    assert not found.has_result


@pytest.mark.parametrize("operation", ["ai.generateText", "ai.streamText", "ai.generateObject"])
def test_the_outer_span_is_the_turn_and_its_tokens_are_a_sum(operation):
    at = {
        "ai.operationId": operation,
        "ai.model.id": "m-1",
        "ai.telemetry.functionId": "desk",
        "ai.prompt": text({"system": "Be brief.", "messages": [{"role": "user", "content": "Hi"}]}),
        "ai.response.text": "Hello!",
        "ai.usage.inputTokens": 9,
        "ai.usage.outputTokens": 2,
    }
    found = facts(span("ai")(at))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "Hi", "Hello!")
    assert found.system == "Be brief."
    assert found.counted is False


def test_a_bare_prompt_is_what_the_user_said():
    at = {"ai.operationId": "ai.generateText", "ai.model.id": "m-1", "ai.prompt": text({"prompt": "Hi"})}
    assert facts(span("ai")(at)).said == "Hi"


@pytest.mark.parametrize("key", ["sessionId", "session_id", "chat-id", "langfuseSessionId", "conversationId"])
def test_the_conversation_is_whatever_the_application_calls_a_session(key):
    name = f"ai.telemetry.metadata.{key}"
    assert model(**{name: "conv-1"}).conversation == ("conv-1", name)


def test_the_operation_of_early_versions_is_in_its_name():
    at = {"operation.name": "ai.streamText.doStream desk", "ai.model.id": "m-1", "ai.response.text": "Hello!"}
    found = facts(span("ai")(at))
    assert found.kind == "model"
    assert found.streamed is True


def test_embeddings_are_no_model_calls_of_the_conversation():
    assert facts(span("ai")({"ai.operationId": "ai.embed.doEmbed", "ai.model.id": "e-1"})).kind == "other"


def test_version_7_follows_the_conventions_and_its_context_gives_the_conversation():
    at = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "desk",
        "ai.settings.context.sessionId": "conv-1",
    }
    found = facts(span("gen_ai")(at))
    assert (found.kind, found.agent) == ("agent", "desk")
    assert found.conversation == ("conv-1", "ai.settings.context.sessionId")
    assert facts(span("gen_ai", "step 1")({"gen_ai.operation.name": "agent_step"})).kind == "other"


def test_version_7_tells_reasoning_where_it_is_to_record_the_whole_usage() -> None:
    at = {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 7,
        "ai.usage.outputTokenDetails.reasoningTokens": 3,
    }
    assert facts(span("gen_ai")(at)).usage == Usage(20, 7, 0, 3)


def test_broken_values_are_read_as_far_as_they_go():
    found = model(**{"ai.prompt.messages": '[{"role":"user","content":"Hi the', "ai.response.toolCalls": "nonsense"})
    assert found.input
    assert found.input[0].text == "Hi the"
    assert found.input[0].cut
    assert found.output is not None
    assert not found.output[0].calls


def test_a_wrapper_around_what_a_tool_threw_is_looked_through():
    thrown = [
        ("exception", {"exception.type": "FeeError", "exception.message": "no fee for B-7"}),
        (
            "exception",
            {
                "exception.type": "AI_ToolExecutionError",
                "exception.message": "Error executing tool get_fee: no fee for B-7",
            },
        ),
    ]
    found = facts(
        span("ai", events=thrown, status="error")({"ai.operationId": "ai.toolCall", "ai.toolCall.name": "get_fee"})
    )
    assert found.error == ToolError("FeeError", "no fee for B-7", "exception")
