"""OpenInference: what its instrumentations leave out, and where it stands all the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

LANGCHAIN, LLAMA, AGENTS = (
    f"openinference.instrumentation.{library}" for library in ("langchain", "llama_index", "openai_agents")
)
CALL = {
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "list_fees",
}
ANSWER = {"llm.input_messages.0.message.role": "tool", "llm.input_messages.0.message.tool_call_id": "c1"}


def model(scope: str = LANGCHAIN, dropped: int = 0, events: Any = (), **at: Any) -> Any:
    return facts(span(scope, dropped=dropped, events=events)({"openinference.span.kind": "LLM", **at}))


def test_what_is_empty_is_left_out_and_still_known():
    found = model(**CALL, **ANSWER)
    assert found.output == (Message("assistant", "", (AskedCall("list_fees", "c1", {}),)),)
    assert [answer.content for answer in found.input[0].answers] == [""]


def test_what_may_have_been_dropped_or_hidden_is_not_empty():
    for found in (model(dropped=2, **CALL, **ANSWER), model(**CALL, **ANSWER, **{"input.value": "__REDACTED__"})):
        assert found.output[0].calls[0].arguments is None
        assert [answer.content for answer in found.input[0].answers] == [None]


def test_langchain_tells_the_model_that_answered_in_its_result_alone():
    told = {"llm.model_name": "m-1", "llm.invocation_parameters": text({"model": "m-1", "_type": "chat"})}
    message = {"content": "Hello!", "response_metadata": {"model_name": "m-1-2026", "id": "resp_1"}}
    found = model(**told, **{"output.value": text({"generations": [[{"message": {"kwargs": message}}]]})})
    assert (found.model, found.response_model) == ("m-1", "m-1-2026")
    other = model(**told, **{"output.value": text({"tool_calls": [{"args": {"model": "x-9"}}]})})
    assert other.response_model == "m-1"


@pytest.mark.parametrize(
    ("settings", "events", "streamed"),
    [
        ({"stream": True}, (), True),
        ({"stream": False}, (), False),
        ({"stream": False, "_type": "openai-chat"}, (), None),
        ({}, [("First Token Stream Event", {})], True),
    ],
)
def test_whether_it_streamed_is_told_by_the_request_and_not_by_langchains_defaults(settings, events, streamed):
    assert model(events=events, **{"llm.invocation_parameters": text(settings)}).streamed is streamed


def test_the_response_whose_history_the_server_remembers_is_named():
    assert model(**{"llm.invocation_parameters": text({"previous_response_id": "resp_1"})}).previous == "resp_1"


def test_a_search_within_a_search_is_none_of_its_own():
    at = {"openinference.span.kind": "RETRIEVER", "output.value": "[]"}
    assert facts(span(LLAMA)({**at, "input.value": "fees"})).query == "fees"
    assert facts(span(LLAMA)({**at, "input.value": text({"query_bundle": {"query_str": "fees"}})})).kind == "other"


def test_the_ids_of_documents_may_stand_in_the_result_alone():
    told = {
        "documents": [{"id": "d-1", "page_content": "Fees", "metadata": {}}, {"id": "d-2", "page_content": "Other"}]
    }
    rows = {f"retrieval.documents.{at}.document.content": text for at, text in enumerate(("Fees", "Days", "None"))}
    at = {"openinference.span.kind": "RETRIEVER", "input.value": "fees", "output.value": text(told), **rows}
    found = facts(span(LANGCHAIN)(at)).documents
    assert [(document.id, document.text) for document in found] == [("d-1", "Fees"), (None, "Days"), (None, "None")]


def test_what_only_prepares_a_model_call_is_none_though_it_is_hidden():
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", "output.value": "__REDACTED__"}
    assert facts(span(LLAMA)(at)).kind == "other"
    assert facts(span(LLAMA)({**at, "llm.finish_reason": "stop"})).kind == "model"
    assert facts(span(LLAMA, events=[("First Token Stream Event", {})])(at)).kind == "model"
    assert facts(span(LANGCHAIN)(at)).kind == "model"


def test_a_hand_off_is_told_by_the_call_that_asks_for_it():
    at = {"openinference.span.kind": "TOOL", "input.value": "triage", "output.value": "clerk"}
    assert facts(span(AGENTS, "handoff to clerk")(at)).kind == "other"
    at |= {"tool.name": "handoff_to_clerk", "input.value": text({"from_agent": "desk"})}
    assert facts(span("@arizeai/openinference-instrumentation-openai-agents", "handoff to clerk")(at)).kind == "other"
    assert facts(span("@arizeai/openinference-instrumentation-openai-agents", "handoff_to_clerk")(at)).kind == "tool"
    assert facts(span(AGENTS, "get_fee")({**at, "tool.name": "get_fee"})).kind == "tool"


def test_what_flattened_messages_leave_out_is_read_from_the_whole():
    def made(kind, **fields):
        return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", kind], "kwargs": fields}

    call = {"id": "c1", "name": "get_fee", "args": {"order": "B-7"}, "type": "tool_call"}
    asks = made("AIMessage", content="", tool_calls=[call])
    whole = [
        [
            made("SystemMessage", content=[{"type": "text", "text": "Be brief."}]),
            made("HumanMessage", content="Hi"),
            asks,
        ]
    ]
    asked = "message.tool_calls.0.tool_call.function"
    flat = {
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": "Hi",
        "llm.input_messages.2.message.role": "assistant",
        f"llm.input_messages.2.{asked}.name": "get_fee",
        f"llm.input_messages.2.{asked}.arguments": '{"order": "B-7"}',
        "llm.output_messages.0.message.role": "assistant",
        f"llm.output_messages.0.{asked}.name": "get_fee",
        f"llm.output_messages.0.{asked}.arguments": '{"order": "B-7"}',
    }
    values = {"input.value": text({"messages": whole}), "output.value": text({"generations": [[{"message": asks}]]})}
    found = model(**flat, **values)
    reply = Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),))
    assert found.input == (Message("system", "Be brief."), Message("user", "Hi"), reply)
    assert found.output == (reply,)
    other = text({"messages": [*whole[0], asks]})
    assert [
        call.id for message in model(**flat, **{**values, "input.value": other}).input for call in message.calls
    ] == [None]


def test_of_a_history_whose_oldest_attributes_were_dropped_the_whole_messages_are_left():
    """The kind goes first, for it is written first; and of the first message that is left only a part may be."""
    question = {"llm.input_messages.6.message.role": "user", "llm.input_messages.6.message.content": "And B-8?"}
    for part in ({}, {"llm.input_messages.5.message.content": "cut"}, {"llm.input_messages.5.message.role": "tool"}):
        found = facts(span(LANGCHAIN, dropped=9)({**part, **question, **CALL}))
        assert (found.kind, found.gaps) == ("model", True)
        assert found.input == (Message("user", "And B-8?"),)
    whole = model(dropped=1, **{name.replace("6", "0"): value for name, value in question.items()})
    assert not whole.gaps
    assert not model(**question).gaps  # nothing was dropped: the numbers may begin anywhere


def test_what_anthropic_s_server_ran_is_answered_in_the_message_that_asks() -> None:
    block = {"content": [{"title": "Fees"}], "tool_use_id": "s1", "type": "web_search_tool_result"}
    part = "llm.output_messages.0.message.contents.{}."
    at = {
        "openinference.span.kind": "LLM",
        "llm.output_messages.0.message.role": "assistant",
        part.format(0) + "message_content.type": "tool_use",
        part.format(0) + "tool_call.id": "s1",
        part.format(0) + "tool_call.function.name": "web_search",
        part.format(0) + "tool_call.function.arguments": '{"query": "fees"}',
        part.format(1) + "message_content.type": "web_search_tool_result",
        part.format(1) + "message_content.text": text(block),
        part.format(2) + "message_content.type": "text",
        part.format(2) + "message_content.text": "3 EUR.",
    }
    assert facts(span()(at)).output == (
        Message("assistant", "", (AskedCall("web_search", "s1", {"query": "fees"}),)),
        Message("tool", "", (), (Answer("s1", [{"title": "Fees"}]),)),
        Message("assistant", "3 EUR."),
    )


def test_the_mark_of_a_failure_without_an_id_is_no_mark_of_others_without() -> None:
    answers = [
        {"type": "tool_result", "content": "no fee", "is_error": True},
        {"type": "tool_result", "content": "3 EUR"},
    ]
    at = {"openinference.span.kind": "LLM", "input.value": text({"messages": [{"role": "user", "content": answers}]})}
    for number, given in enumerate(answers):
        at |= {f"llm.input_messages.{number}.message.role": "tool"}
        at |= {f"llm.input_messages.{number}.message.content": given["content"]}
    told = [answer.failed for message in facts(span()(at)).input or () for answer in message.answers]
    assert told == [None, None]


def test_the_mark_of_a_failure_stands_in_the_request_alone() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "c0", "content": "no fee", "is_error": False},
        {"type": "tool_result", "tool_use_id": "c1", "content": "no fee", "is_error": True},
    ]
    flat = {
        f"llm.input_messages.{at}.message.{name}": value
        for at, call in enumerate(["c0", "c1"])
        for name, value in (("role", "tool"), ("tool_call_id", call), ("content", "no fee"))
    }
    found = model(**flat, **{"input.value": text({"messages": [{"role": "user", "content": blocks}]})})
    answers = [answer for message in found.input for answer in message.answers]
    assert answers == [Answer("c0", "no fee"), Answer("c1", "no fee", failed=True)]


def test_a_stream_that_nobody_has_read_yet_is_no_reply() -> None:
    at = {"openinference.span.kind": "LLM", "output.value": "<groq.Stream object at 0x7f1818965a50>"}
    assert not facts(span()(at)).output
    assert facts(span()({**at, "output.value": "3 EUR"})).output == (Message("assistant", "3 EUR"),)


def test_the_parts_of_tokens_may_stand_in_the_response_alone() -> None:
    counts = {"llm.token_count.prompt": 20, "llm.token_count.completion": 7}
    usage = {
        "prompt_tokens": 20,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    told = {"id": "chatcmpl-1", "choices": [{"message": {"role": "assistant", "content": "Hi"}}], "usage": usage}
    assert model(**counts, **{"output.value": text(told)}).usage == Usage(20, 7, 8, 3)
    other = {**told, "usage": {**usage, "prompt_tokens": 99}}
    assert model(**counts, **{"output.value": text(other)}).usage == Usage(20, 7)
    given = {"llm.token_count.prompt_details.cache_read": 5}
    assert model(**counts, **given, **{"output.value": text(told)}).usage == Usage(20, 7, 5)


def test_a_streamed_response_of_mistral_is_within_an_event_of_the_stream() -> None:
    call = {"id": "c1", "function": {"name": "list_fees", "arguments": "{}"}, "index": 0}
    message = {"role": "assistant", "tool_calls": [call]}
    told = {"data": {"id": "cmpl-1", "choices": [{"message": message}], "usage": {"prompt_tokens": 9}}}
    flat = {name: value for name, value in CALL.items() if not name.endswith("tool_call.id")}
    found = model(**flat, **{"output.value": text(told)})
    assert found.output == (Message("assistant", "", (AskedCall("list_fees", "c1", {}),)),)
    assert found.response_id == "cmpl-1"
