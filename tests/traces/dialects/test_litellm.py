"""LiteLLM's callback: a request, and within it what the provider was sent."""

from __future__ import annotations

from tests.traces.dialects.made import TRACE, facts, span, text
from traces.dialects.facts import AskedCall, Message
from traces.genai import Usage
from traces.reading import conversations
from traces.span import Span

USAGE = "{'prompt_tokens': 20, 'completion_tokens': 7, 'prompt_tokens_details': {'cached_tokens': 8}}"
CALL = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
ASKED = AskedCall("get_fee", "c1", {"order": "B-7"})
REQUEST = {
    "litellm.call_id": "l1",
    "llm.request.type": "completion",
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.response.id": "r1",
    "gen_ai.usage.input_tokens": 20,
    "gen_ai.usage.output_tokens": 7,
    "metadata.usage_object": USAGE,
    "gen_ai.input.messages": text([{"role": "user", "parts": [{"type": "text", "content": "The fee?"}]}]),
    "gen_ai.output.messages": text([{"role": "assistant", "parts": []}]),
    "gen_ai.completion.0.function_call.name": "get_fee",
    "gen_ai.completion.0.function_call.arguments": '{"order": "B-7"}',
}
RAW = {
    "llm.openai.messages": "[{'role': 'user', 'content': 'The fee?'}]",
    "llm.openai.id": "r1",
    "llm.openai.model": "m-1",
    "llm.openai.choices": str(
        [{"message": {"role": "assistant", "tool_calls": [CALL]}, "finish_reason": "tool_calls"}]
    ),
    "llm.openai.usage": USAGE,
}


def test_a_request_tells_all_but_the_calls_whose_ids_it_leaves_out() -> None:
    found = facts(span("litellm")(REQUEST))
    assert (found.kind, found.dialect, found.usage, found.output) == ("model", "litellm", Usage(20, 7, 8), None)
    assert found.input == (Message("user", "The fee?"),)
    said = text([{"role": "assistant", "parts": [{"type": "text", "content": "3 EUR."}]}])
    words = {name: value for name, value in REQUEST.items() if "completion" not in name}
    assert facts(span("litellm")({**words, "gen_ai.output.messages": said})).output == (Message("assistant", "3 EUR."),)


def test_a_raw_request_holds_what_the_provider_was_sent() -> None:
    found = facts(span("litellm")(RAW))
    assert (found.kind, found.model, found.finish, found.usage) == ("model", "m-1", "tool_calls", Usage(20, 7, 8))
    assert (found.input, found.output) == ((Message("user", "The fee?"),), (Message("assistant", "", (ASKED,)),))
    anthropic = {
        "llm.anthropic.system": "[{'type': 'text', 'text': 'Be brief.'}]",
        "llm.anthropic.messages": "[{'role': 'user', 'content': 'The fee?'}]",
        "llm.anthropic.role": "assistant",
        "llm.anthropic.content": "[{'type': 'tool_use', 'id': 'c1', 'name': 'get_fee', 'input': {'order': 'B-7'}}]",
        "llm.anthropic.usage": "{'input_tokens': 12, 'cache_read_input_tokens': 8, 'output_tokens': 7}",
    }
    found = facts(span("litellm")(anthropic))
    assert found.input == (Message("system", "Be brief."), Message("user", "The fee?"))
    assert (found.output, found.usage) == ((Message("assistant", "", (ASKED,)),), Usage(20, 7, 8))


def test_a_provider_may_have_a_hyphen_in_its_name() -> None:
    renamed = {name.replace("openai", "text-completion-openai"): value for name, value in RAW.items()}
    assert facts(span("litellm")(renamed)).output == (Message("assistant", "", (ASKED,)),)


def test_neither_a_streamed_raw_request_nor_the_proxy_s_own_work_is_a_model_call() -> None:
    for at in ({}, {"service": "redis", "call_type": "async_get"}):
        assert facts(span("litellm")(at)).kind == "other"


def test_a_request_on_the_application_s_own_span_does_not_hide_the_others_within() -> None:
    run = span("app")({**REQUEST, "gen_ai.agent.name": "desk"})
    history = [{"role": "user", "content": "The fee?"}, {"role": "assistant", "tool_calls": [CALL]}]
    history.append({"role": "tool", "tool_call_id": "c1", "content": "3 EUR"})
    second = {
        **RAW,
        "llm.openai.messages": str(history),
        "llm.openai.choices": "[{'message': {'role': 'assistant', 'content': '3 EUR.'}, 'finish_reason': 'stop'}]",
        "llm.openai.usage": "{'prompt_tokens': 30, 'completion_tokens': 9}",
    }
    raw = [
        Span(TRACE, f"{number}" * 16, run.span_id, "", "internal", 1, 2, at, scope="litellm")
        for number, at in enumerate((RAW, second), 2)
    ]
    (found,) = conversations([run, *raw])
    (turn,) = found.turns
    assert (turn.user, turn.assistant, len(turn.model_calls)) == ("The fee?", "3 EUR.", 2)
    assert [(call.name, call.id, call.result) for call in turn.tool_calls] == [("get_fee", "c1", "3 EUR")]
