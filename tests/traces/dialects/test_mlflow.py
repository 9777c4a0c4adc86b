"""MLflow's spans: JSON text everywhere, requests and replies of whatever API."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

CALL = AskedCall("get_fee", "c1", {"order": "B-7"})


def made(kind, inputs=None, outputs=None, **more):
    at = {"mlflow.spanType": text(kind)}
    at |= {} if inputs is None else {"mlflow.spanInputs": text(inputs)}
    at |= {} if outputs is None else {"mlflow.spanOutputs": text(outputs)}
    return {**at, **{f"mlflow.{name}": text(value) for name, value in more.items()}}


def model(inputs, outputs, **more):
    return facts(span("mlflow")(made("CHAT_MODEL", inputs, outputs, **more)))


def test_chat_completions():
    asked = {"model": "m-1", "messages": [{"role": "user", "content": "The fee?"}], "stream": True}
    tool_call = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
    given = {
        "id": "r1",
        "model": "m-1-2026",
        "choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [tool_call]}}],
        "usage": {
            "prompt_tokens": 9,
            "completion_tokens": 4,
            "total_tokens": 13,
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
    }
    found = model(asked, given)
    assert (found.kind, found.dialect, found.streamed) == ("model", "mlflow", True)
    assert (found.model, found.response_model, found.response_id) == ("m-1", "m-1-2026", "r1")
    assert (found.finish, found.usage) == ("tool_calls", Usage(9, 4, 0, 2))
    assert found.input == (Message("user", "The fee?"),)
    assert found.output == (Message("assistant", "", (CALL,)),)


def test_anthropic_leaves_cached_tokens_out_of_its_input():
    asked = {
        "model": "claude-x",
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "The fee?"},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "c0", "content": "no", "is_error": True}],
            },
        ],
    }
    given = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "c1", "name": "get_fee", "input": {"order": "B-7"}},
        ],
        "stop_reason": "tool_use",
        "usage": {
            "input_tokens": 5,
            "output_tokens": 4,
            "cache_read_input_tokens": 20,
            "cache_creation_input_tokens": 1,
        },
    }
    found = model(asked, given)
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee?"),
        Message("tool", "", (), (Answer("c0", "no", None, True),)),
    )
    assert found.output == (Message("assistant", "Let me see.", (CALL,)),)
    assert (found.finish, found.usage) == ("tool_use", Usage(26, 4, 20))


def test_bedrock_converse():
    asked = {
        "modelId": "nova",
        "system": [{"text": "Be brief."}],
        "messages": [{"role": "user", "content": [{"text": "The fee?"}]}],
    }
    blocks = [{"toolUse": {"toolUseId": "c1", "name": "get_fee", "input": {"order": "B-7"}}}]
    given = {
        "output": {"message": {"role": "assistant", "content": blocks}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 9, "outputTokens": 4, "totalTokens": 13},
    }
    found = model(asked, given)
    assert found.input == (Message("system", "Be brief."), Message("user", "The fee?"))
    assert found.output == (Message("assistant", "", (CALL,)),)
    assert (found.model, found.finish, found.usage) == ("nova", "tool_use", Usage(9, 4))


def test_gemini():
    asked = {"model": "gemini-x", "contents": "The fee?", "config": {"system_instruction": "Be brief."}}
    given = {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "3 EUR."}]}, "finish_reason": "STOP"},
        ],
        "model_version": "gemini-x-2026",
        "usage_metadata": {"prompt_token_count": 9, "candidates_token_count": 2, "thoughts_token_count": 2},
    }
    found = model(asked, given)
    assert found.input == (Message("system", "Be brief."), Message("user", "The fee?"))
    assert found.output == (Message("assistant", "3 EUR."),)
    assert (found.response_model, found.finish, found.usage) == ("gemini-x-2026", "STOP", Usage(9, 4, 0, 2))


def test_langchain_in_batches():
    asked = [[{"type": "human", "content": "The fee?"}]]
    message = {
        "type": "ai",
        "content": "",
        "tool_calls": [{"name": "get_fee", "args": {"order": "B-7"}, "id": "c1"}],
        "response_metadata": {"model_name": "m-1-2026", "finish_reason": "tool_calls", "id": "r1"},
        "usage_metadata": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
    }
    found = model(asked, {"generations": [[{"text": "", "message": message}]], "llm_output": {}})
    assert found.input == (Message("user", "The fee?"),)
    assert found.output == (Message("assistant", "", (CALL,)),)
    assert (found.response_id, found.usage) == ("r1", Usage(9, 4))


def test_plain_completions_and_usage_beside():
    usage = {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13, "cache_read_input_tokens": 2}
    found = model({"prompt": "The fee?"}, ["3 EUR."], **{"chat.tokenUsage": usage})
    assert found.input == (Message("user", "The fee?"),)
    assert found.output == (Message("assistant", "3 EUR."),)
    assert found.usage == Usage(9, 4, 2)


def test_a_tool_and_its_failure():
    at = made("TOOL", {"order": "B-7"}, "3 EUR")
    found = facts(span("mlflow", "get_fee")(at))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == "3 EUR"
    broken = facts(failed("mlflow", made("TOOL", {}), "FeeError", "no fee"))
    assert broken.error == ToolError("FeeError", "no fee", "exception")
    assert not broken.has_result


def test_a_request_names_the_response_that_it_goes_on_from():
    asked = {"model": "m-1", "input": [{"role": "user", "content": "Hi"}], "previous_response_id": "resp_1"}
    assert facts(span("mlflow")(made("CHAT_MODEL", asked))).previous == "resp_1"


def test_a_tool_of_dspy_goes_by_the_name_that_an_attribute_gives():
    at = {**made("TOOL", {"order": "B-7"}, "3 EUR"), "name": '"get_fee"'}
    assert facts(span("mlflow", "Tool.get_fee")(at)).tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert facts(span("mlflow", "fees")(at)).tool == AskedCall("fees", None, {"order": "B-7"})


def test_the_id_of_a_tool_s_call_is_json_text_too():
    at = {**made("TOOL", {"order": "B-7"}, "3 EUR"), "tool_call_id": '"c1"'}
    assert facts(span("mlflow", "get_fee")(at)).tool == AskedCall("get_fee", "c1", {"order": "B-7"})


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        ({"text": "Hi"}, "Hello!"),
        ({"messages": [{"role": "user", "content": "Hi"}]}, {"messages": [{"role": "assistant", "content": "Hello!"}]}),
        ({"request": {"context": {}}, "input": [{"role": "user", "content": "Hi"}]}, {"output": "Hello!"}),
    ],
)
def test_an_agent_tells_what_was_said(inputs, outputs):
    found = facts(span("mlflow", "desk")(made("AGENT", inputs, outputs)))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "Hi", "Hello!")


def test_a_session_is_json_text_too():
    at = made("AGENT", **{"trace.session": "conv-1", "trace.user": "u1"})
    found = facts(span("mlflow")(at))
    assert (found.conversation, found.user_id) == (("conv-1", "mlflow.trace.session"), "u1")


def test_a_retriever_has_documents():
    docs = [{"page_content": "Fees are 3 EUR.", "metadata": {"doc_uri": "fees.md"}, "id": "d1"}]
    found = facts(span("mlflow")(made("RETRIEVER", {"query": "fees"}, docs)))
    assert found.query == "fees"
    assert found.documents == (Document("d1", "Fees are 3 EUR.", None, {"doc_uri": "fees.md"}),)


def test_broken_values_are_read_as_far_as_they_go():
    at = {"mlflow.spanType": '"CHAT_MODEL"', "mlflow.spanInputs": '{"messages": [{"role": "user", "content": "The f'}
    found = facts(span("mlflow")({**at, "mlflow.spanOutputs": "nonsense"}))
    assert found.input is not None
    assert found.input[0].text == "The f"
    assert found.input[0].cut
    assert facts(span("mlflow")({"mlflow.spanType": 7})).kind == "other"


def test_pydantic_ai_s_messages_are_dumped_as_they_are():
    rules = {"kind": "request", "instructions": "Be brief."}
    told = [
        {**rules, "parts": [{"part_kind": "system-prompt", "content": "You know fees."}]},
        {**rules, "parts": [{"part_kind": "user-prompt", "content": ["The fee?", {"kind": "image-url"}]}]},
        {
            "kind": "response",
            "parts": [
                {"part_kind": "thinking", "content": "Hm."},
                {"part_kind": "text", "content": "Let me see."},
                {"part_kind": "tool-call", "tool_name": "get_fee", "tool_call_id": "c1", "args": '{"order": "B-7"}'},
                {"part_kind": "tool-call", "tool_name": "get_fee", "tool_call_id": "c2", "args": {}},
            ],
        },
        {
            **rules,
            "parts": [
                {"part_kind": "tool-return", "tool_name": "get_fee", "tool_call_id": "c1", "content": {"fee": 3}},
                {"part_kind": "retry-prompt", "tool_name": "get_fee", "tool_call_id": "c2", "content": "Which order?"},
                {"part_kind": "retry-prompt", "tool_name": None, "content": "Please answer."},
            ],
        },
    ]
    usage = {"input_tokens": 20, "cache_read_tokens": 8, "output_tokens": 7, "details": {"reasoning_tokens": 3}}
    reply = {"kind": "response", "parts": [{"part_kind": "text", "content": "3 EUR."}], "usage": usage}
    form = {"mlflow.message.format": '"pydantic_ai"'}
    at = {**form, "mlflow.spanType": '"LLM"', "model_name": '"m"', "mlflow.spanInputs": text({"messages": told})}
    found = facts(span()({**at, "mlflow.spanOutputs": text({**reply, "model_name": "m-1", "finish_reason": "stop"})}))
    assert found.input == (
        Message("system", "Be brief."),
        Message("system", "You know fees."),
        Message("user", "The fee?"),
        Message(
            "assistant",
            "Let me see.",
            (AskedCall("get_fee", "c1", {"order": "B-7"}), AskedCall("get_fee", "c2", {})),
        ),
        Message("tool", "", (), (Answer("c1", {"fee": 3}, "get_fee"),)),
        Message("tool", "", (), (Answer("c2", "Which order?", "get_fee", failed=True),)),
        Message("user", "Please answer."),
    )
    assert (found.output, found.usage) == ((Message("assistant", "3 EUR."),), Usage(20, 7, 8, 3))
    assert (found.model, found.response_model, found.finish) == ("m", "m-1", "stop")
    assert (facts(span()(at)).output, facts(span()(at)).usage) == (None, None)
    run = {
        **form,
        "mlflow.spanType": '"AGENT"',
        "name": '"desk"',
        "mlflow.spanInputs": text({"user_prompt": "The fee?"}),
    }
    found = facts(
        span()({**run, "mlflow.spanOutputs": text({"output": "3 EUR.", "_state": {"message_history": told}})})
    )
    assert (found.agent, found.said, found.replied) == ("desk", "The fee?", "3 EUR.")
