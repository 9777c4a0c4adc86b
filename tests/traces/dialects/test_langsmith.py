"""LangSmith's OpenTelemetry export: runs of LangChain and of decorated functions."""

from __future__ import annotations

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage


def run(kind, prompt=None, completion=None, **more):
    at = {"langsmith.span.kind": kind, "langsmith.trace.name": "run", "langsmith.metadata.thread_id": "conv-1"}
    at |= {} if prompt is None else {"gen_ai.prompt": text(prompt)}
    at |= {} if completion is None else {"gen_ai.completion": text(completion)}
    return {**at, **more}


def lc(made, **kwargs):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", made], "kwargs": kwargs}


def test_a_model_call_of_langchain_is_made_of_constructors():
    asked = [
        lc("SystemMessage", content="Be brief.", type="system"),
        lc("HumanMessage", content="The fee?", type="human"),
        lc("AIMessage", content="", tool_calls=[{"name": "get_fee", "args": {"order": "B-7"}, "id": "c1"}], type="ai"),
        lc("ToolMessage", content="Error: no fee", tool_call_id="c1", name="get_fee", status="error", type="tool"),
    ]
    reply = lc(
        "AIMessage",
        content="I can't say.",
        type="ai",
        response_metadata={"model_name": "m-1-2026", "id": "r1", "finish_reason": "stop"},
        usage_metadata={
            "input_tokens": 9,
            "output_tokens": 4,
            "total_tokens": 13,
            "input_token_details": {"cache_read": 2},
            "output_token_details": {"reasoning": 1},
        },
    )
    given = {"generations": [[{"text": "I can't say.", "type": "ChatGeneration", "message": reply}]]}
    at = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1", "langsmith.metadata.lc_agent_name": "desk"}
    tokens = {"gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 4}
    found = facts(span("langsmith")(run("llm", {"messages": [asked]}, given, **at, **tokens)))
    assert (found.kind, found.dialect, found.agent) == ("model", "langsmith", "desk")
    assert found.conversation == ("conv-1", "langsmith.metadata.thread_id")
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee?"),
        Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "Error: no fee", "get_fee", True),)),
    )
    assert found.output == (Message("assistant", "I can't say."),)
    assert (found.model, found.response_model, found.response_id) == ("m-1", "m-1-2026", "r1")
    assert (found.finish, found.usage) == ("stop", Usage(9, 4, 2, 1))


def test_a_wrapped_client_has_the_request_and_reply_of_its_api():
    asked = {"model": "m-1", "messages": [{"role": "user", "content": "The fee?"}]}
    given = {"id": "r1", "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "3 EUR."}}]}
    found = facts(span("langsmith")(run("llm", asked, given, **{"langsmith.request.streaming": True})))
    assert found.input == (Message("user", "The fee?"),)
    assert found.output == (Message("assistant", "3 EUR."),)
    assert (found.response_id, found.finish, found.streamed) == ("r1", "stop", True)


def test_a_tool_has_its_inputs_and_its_message():
    message = {"content": '{"fee": 3}', "type": "tool", "name": "get_fee", "tool_call_id": "c1", "status": "success"}
    at = {"gen_ai.tool.name": "get_fee"}
    found = facts(span("langsmith")(run("tool", {"order": "B-7"}, {"output": message}, **at)))
    assert found.tool == AskedCall("get_fee", "c1", {"order": "B-7"})
    assert (found.result, found.told) == ({"fee": 3}, '{"fee": 3}')


def test_earlier_versions_gave_the_inputs_as_python_text_and_no_name():
    found = facts(span("langsmith", "get_fee")(run("tool", {"input": "{'order': 'B-7'}"}, {"output": "3 EUR"})))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == "3 EUR"


def test_an_error_is_a_repr_with_a_traceback_behind_it():
    words = "FeeError('no fee for B-7')Traceback (most recent call last):\n\n\n  File \"x.py\", line 1\n"
    found = facts(failed("langsmith", run("tool", {"order": "B-7"}, {}), "Exception", words))
    assert found.error == ToolError("FeeError", "no fee for B-7", "exception")
    assert not found.has_result


def test_a_run_that_was_sent_before_it_failed_stays_marked_as_right_and_has_failed_all_the_same():
    words = "FeeError('no fee for B-7')Traceback (most recent call last):\n"
    exception = ("exception", {"exception.type": "Exception", "exception.message": words})
    found = facts(span("langsmith", events=[exception], status="ok")(run("llm", {"messages": []}, {})))
    assert found.error == ToolError("FeeError", "no fee for B-7", "exception")


def test_the_chain_without_a_parent_is_the_turn():
    history = [
        {"type": "human", "content": "Hi"},
        {"type": "ai", "content": "Hello!"},
        {"type": "human", "content": "Fee?"},
    ]
    at = run(
        "chain",
        {"messages": [{"role": "user", "content": "Fee?"}]},
        {"messages": [*history, {"type": "ai", "content": "3"}]},
    )
    found = facts(span("langsmith", "desk")(at))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "Fee?", "3")
    assert facts(span("langsmith", "model", parent="00f067aa0ba902b7")(at)).kind == "other"


def test_a_decorated_function_tells_what_was_said():
    found = facts(span("langsmith", "desk")(run("chain", {"question": "Fee?"}, {"output": "3 EUR"})))
    assert (found.said, found.replied) == ("Fee?", "3 EUR")


def test_a_retriever_has_documents():
    docs = {"documents": [{"page_content": "Fees are 3 EUR.", "metadata": {"source": "fees.md"}, "type": "Document"}]}
    found = facts(span("langsmith")(run("retriever", {"query": "fees"}, docs)))
    assert found.query == "fees"
    assert found.documents == (Document(None, "Fees are 3 EUR.", None, {"source": "fees.md", "type": "Document"}),)


def test_the_project_is_no_conversation():
    at = {"langsmith.span.kind": "chain", "langsmith.trace.name": "run", "langsmith.trace.session_name": "project"}
    assert facts(span("langsmith")(at)).conversation is None


def test_what_it_was_told_to_hide_is_not_there_and_what_is_empty_is():
    hide = {"langsmith.metadata.LANGSMITH_HIDE_INPUTS": "true"}
    for hidden in (run("tool", {}, {}), run("tool", {}, {"output": 3}, **hide)):
        assert facts(span("langsmith", "get_fee")(hidden)).tool == AskedCall("get_fee")
    assert not facts(span("langsmith", "get_fee")(run("tool", {}, {}))).has_result
    shown = facts(span("langsmith", "get_fee")(run("tool", {}, {"output": {}})))
    assert (shown.tool, shown.has_result, shown.result) == (AskedCall("get_fee", None, {}), True, {})
