"""The Langfuse SDKs."""

from __future__ import annotations

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "langfuse-sdk"


def observation(kind, **more):
    at = {"langfuse.observation.type": kind, "session.id": "conv-1"}
    return {**at, **{f"langfuse.observation.{name}": value for name, value in more.items()}}


def test_a_generation_holds_request_reply_and_usage():
    call = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
    asked = {"tools": [], "messages": [{"role": "user", "content": "The fee of B-7?"}]}
    given = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "total_tokens": 13,
        "prompt_tokens_details": {"cached_tokens": 2},
    }
    found = facts(
        span(SCOPE)(observation("generation", input=text(asked), output=text(given), usage_details=text(usage)))
    )
    assert (found.kind, found.dialect, found.conversation) == ("model", "langfuse", ("conv-1", "session.id"))
    assert found.input == (Message("user", "The fee of B-7?"),)
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)
    assert found.usage == Usage(9, 4, 2)


def test_a_reply_of_the_responses_api_is_one_message():
    items = [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "get_fee", "arguments": '{"order": "B-7"}'},
        {"type": "function_call", "call_id": "c2", "name": "get_fee", "arguments": '{"order": "B-8"}'},
    ]
    asked = {"instructions": "Be brief.", "input": "The fees?"}
    found = facts(span(SCOPE)(observation("generation", input=text(asked), output=text(items))))
    assert found.input == (Message("system", "Be brief."), Message("user", "The fees?"))
    assert found.output is not None
    assert [call.id for call in found.output[0].calls] == ["c1", "c2"]


def test_plain_texts_are_a_question_and_an_answer():
    found = facts(span(SCOPE)(observation("generation", input="Hi", output="Hello!")))
    assert found.input == (Message("user", "Hi"),)
    assert found.output == (Message("assistant", "Hello!"),)


def test_content_that_was_not_captured_is_not_empty():
    found = facts(span(SCOPE)(observation("generation")))
    assert found.input is None
    assert found.output is None


def test_the_handler_for_langchain_leaves_details_out_of_input_and_output():
    usage = {"input": 7, "output": 2, "total": 13, "input_cache_read": 2, "output_reasoning": 2}
    found = facts(span(SCOPE)(observation("generation", usage_details=text(usage))))
    assert found.usage == Usage(9, 4, 2, 2)


def test_a_tool_is_a_function_with_its_arguments():
    given = {"args": [], "kwargs": {"order": "B-7"}}
    found = facts(span(SCOPE, "get_fee")(observation("tool", input=text(given), output=text({"fee": 3}))))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == {"fee": 3}


def test_a_level_tells_that_a_tool_failed():
    at = observation("tool", input="{}", level="ERROR", status_message="no fee for B-7")
    found = facts(span(SCOPE, "get_fee")(at))
    assert found.error == ToolError(None, "no fee for B-7", "status")
    assert not found.has_result
    assert facts(failed(SCOPE, at, "FeeError", "no fee")).error == ToolError("FeeError", "no fee", "exception")


def test_an_agent_and_a_span_around_it_tell_what_was_said():
    at = observation("agent", input=text({"args": ["Hi"], "kwargs": {}}), output="Hello!")
    found = facts(span(SCOPE, "desk")(at))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "Hi", "Hello!")
    outer = facts(span(SCOPE, "turn")(observation("span", input="Hi", output="Hello!")))
    assert (outer.kind, outer.agent, outer.said) == ("other", None, "Hi")


def test_a_retriever_has_a_query_and_documents():
    docs = [{"page_content": "Fees are 3 EUR.", "metadata": {"source": "fees.md"}, "id": "d1"}]
    found = facts(span(SCOPE)(observation("retriever", input="fees", output=text(docs))))
    assert found.query == "fees"
    assert found.documents == (Document("d1", "Fees are 3 EUR.", None, {"source": "fees.md"}),)


def test_a_hint_for_langfuse_on_another_span_does_not_make_it_one():
    at = {"langfuse.observation.type": "span", "gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1"}
    assert facts(span("other")(at)).dialect == "otel-genai"


def test_definitions_of_tools_behind_the_messages_are_no_answers():
    definition = {"role": "tool", "content": {"type": "function", "function": {"name": "get_fee", "parameters": {}}}}
    told = {"role": "tool", "content": '{"fee": 3}', "tool_call_id": "c1"}
    found = facts(
        span(SCOPE)(observation("generation", input=text([{"role": "user", "content": "Hi"}, told, definition])))
    )
    assert found.input == (Message("user", "Hi"), Message("tool", "", (), (Answer("c1", '{"fee": 3}'),)))


def test_the_chain_without_a_parent_is_the_turn():
    at = observation("chain", input=text({"messages": [{"role": "user", "content": "Hi"}]}), output=text("Hello!"))
    found = facts(span(SCOPE, "desk")(at))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "Hi", "Hello!")
    assert facts(span(SCOPE, "model", parent="00f067aa0ba902b7")(at)).kind == "other"


def test_a_reply_of_nothing_but_a_call_stands_for_itself():
    call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_fee", "arguments": '{"order": "B-7"}'}
    found = facts(span(SCOPE)(observation("generation", output=text(call))))
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)


def test_the_thread_of_langgraph_is_the_conversation_unless_there_is_a_session():
    at = {**observation("generation"), "langfuse.observation.metadata.thread_id": '"t1"'}
    assert facts(span(SCOPE)(at)).conversation == ("conv-1", "session.id")
    del at["session.id"]
    assert facts(span(SCOPE)(at)).conversation == ("t1", "langfuse.observation.metadata.thread_id")


def test_a_tool_of_langchain_s_handler_that_waits_for_a_human_is_paused() -> None:
    at = {
        "langfuse.observation.type": "tool",
        "langfuse.observation.input": text({"order": "B-7"}),
        "langfuse.observation.metadata.tool_call_id": '"c1"',
        "langfuse.observation.status_message": "(Interrupt(value='Sure?', id='1'),)",
    }
    found = facts(span("langfuse-sdk", "pay")(at))
    assert (found.paused, found.error, found.tool) == (True, None, AskedCall("pay", "c1", {"order": "B-7"}))
    failed = {**at, "langfuse.observation.status_message": "no B-7", "langfuse.observation.level": "ERROR"}
    assert facts(span("langfuse-sdk", "pay")(failed)).error == ToolError(None, "no B-7", "status")
