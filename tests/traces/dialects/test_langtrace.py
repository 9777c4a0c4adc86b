"""Langtrace: events of the earlier conventions, and LangChain method by method."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

LLM = {"langtrace.service.type": "llm", "gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
FRAMEWORK = {"langtrace.service.type": "framework", "langchain.task.name": "chatmodel", "gen_ai.request.model": "m"}
CALL = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
ASKED = AskedCall("get_fee", "c1", {"order": "B-7"})


def exchange(asked, given):
    return [("gen_ai.content.prompt", {"gen_ai.prompt": text(asked)})] + [
        ("gen_ai.content.completion", {"gen_ai.completion": text([one])}) for one in given
    ]


def test_calls_stand_in_the_place_of_the_content() -> None:
    told = [{"role": "user", "content": "The fee?"}, [{"id": "", "type": ""}]]
    told.append({"role": "tool", "tool_call_id": "c1", "content": "3 EUR"})
    events = exchange(told, [{"role": "assistant", "content": [CALL]}])
    usage = {"gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 7, "gen_ai.usage.cached_tokens": 8}
    found = facts(span(events=events)({**LLM, **usage}))
    assert (found.kind, found.dialect, found.usage) == ("model", "langtrace", Usage(20, 7, 8, 0))
    assert found.input == (Message("user", "The fee?"), Message("tool", "", (), (Answer("c1", "3 EUR"),)))
    assert found.output == (Message("assistant", "", (ASKED,)),)
    words = facts(span(events=exchange(told, [{"role": "assistant", "content": "3 EUR."}]))(LLM))
    assert words.output == (Message("assistant", "3 EUR."),)


def test_a_request_of_which_no_response_was_seen_is_told_elsewhere() -> None:
    assert facts(span(events=exchange([{"role": "user", "content": "a"}], []))(LLM)).kind == "other"
    broken = facts(failed("", LLM, "APIError", "no"))
    assert (broken.kind, broken.error) == ("model", ToolError("APIError", "no", "exception"))


def test_invoke_tells_history_reply_and_thread() -> None:
    asked = [{"content": "Be brief.", "type": "system"}, {"content": "The fee?", "type": "human"}]
    reply = {
        "type": "ai",
        "tool_calls": [{"name": "get_fee", "args": {"order": "B-7"}, "id": "c1", "type": "tool_call"}],
        "response_metadata": {"model_name": "m-1", "id": "r1", "finish_reason": "tool_calls"},
    }
    at = {
        **FRAMEWORK,
        "langchain.inputs": text([asked, {"configurable": {"thread_id": "t1"}}]),
        "langchain.outputs": text(reply),
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 7,
    }
    found = facts(span()(at))
    assert (found.kind, found.input) == ("model", (Message("system", "Be brief."), Message("user", "The fee?")))
    assert found.output == (Message("assistant", "", (ASKED,)),)
    assert (found.response_id, found.response_model, found.finish) == ("r1", "m-1", "tool_calls")
    assert (found.usage, found.conversation) == (Usage(20, 7, 0, 0), ("t1", "langchain.inputs.thread_id"))
    waiting = facts(span()({**at, "langchain.outputs": text("<coroutine object ainvoke at 0x1>")}))
    assert (waiting.kind, len(waiting.input), waiting.output) == ("model", 2, None)


@pytest.mark.parametrize(
    "inputs", [None, [], [[[{"content": "a", "type": "human"}]]], [[{"messages": []}]], "[[", {"a": 1}, [7]]
)
def test_all_other_methods_are_no_calls_of_a_model(inputs) -> None:
    at = FRAMEWORK if inputs is None else {**FRAMEWORK, "langchain.inputs": text(inputs)}
    assert facts(span()(at)).kind == "other"
    node = {"langtrace.service.type": "framework", "langgraph.task.name": "add_node"}
    assert facts(span()(node)).kind == "other"
