"""The GenAI conventions, current and earlier, OpenInference and Traceloop: spans by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.effort import no_hang
from tests.traces.dialects.made import facts, failed, log, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Facts, Message
from traces.genai import Usage
from traces.log_record import LogRecord

USER = [{"role": "user", "parts": [{"type": "text", "content": "a"}]}]
REPLY = [{"role": "assistant", "parts": [{"type": "text", "content": "b"}], "finish_reason": "stop"}]


def test_a_model_call_of_the_conventions() -> None:
    found = facts(
        span()(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": "m",
                "gen_ai.response.model": "m-1",
                "gen_ai.response.id": "r",
                "gen_ai.system_instructions": text([{"type": "text", "content": "be kind"}]),
                "gen_ai.input.messages": USER,
                "gen_ai.output.messages": text(REPLY),
                "gen_ai.usage.input_tokens": 10,
                "gen_ai.usage.output_tokens": 5,
                "gen_ai.usage.cache_read_input_tokens": 4,
                "gen_ai.usage.reasoning_tokens": 2,
            }
        )
    )
    assert (found.kind, found.dialect) == ("model", "otel-genai")
    assert (found.model, found.response_model, found.response_id, found.finish) == ("m", "m-1", "r", "stop")
    assert (found.input, found.output) == ((Message("user", "a"),), (Message("assistant", "b"),))
    assert found.system == "be kind"
    assert found.usage == Usage(10, 5, 4, 2)


@pytest.mark.parametrize("when", ["gen_ai.response.time_to_first_chunk", "gen_ai.client.operation.time_to_first_chunk"])
def test_an_answer_whose_first_chunk_came_at_some_time_was_streamed(when: str) -> None:
    at = {"gen_ai.operation.name": "chat"}
    assert facts(span()({**at, when: 0.2})).streamed is True
    assert facts(span()({**at, "gen_ai.request.stream": False, when: 0.2})).streamed is False
    assert facts(span()(at)).streamed is None


def test_content_on_the_details_record_is_the_spans() -> None:
    details = LogRecord(
        "t", "s", 1, "gen_ai.client.inference.operation.details", None, {"gen_ai.input.messages": USER, "user.id": "u"}
    )
    found = facts(span()({"gen_ai.operation.name": "chat"}), [details])
    assert found.input == (Message("user", "a"),)
    assert found.user_id == "u"


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("generate_content", "model"),
        ("execute_tool", "tool"),
        ("invoke_workflow", "agent"),
        ("fetch_response", "other"),
        ("chain", "other"),
    ],
)
def test_the_operation_tells_the_kind(operation: str, kind: str) -> None:
    assert facts(span()({"gen_ai.operation.name": operation, "gen_ai.request.model": "m"})).kind == kind


def test_a_call_that_an_mcp_server_got_from_nowhere_is_no_run_of_a_tool() -> None:
    at = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get"}
    got = span()(at)
    assert facts(replace(got, kind="server")).kind == "other"
    for known in (replace(got, kind="server", parent_id="2" * 16), replace(got, kind="client")):
        assert (facts(known).kind, facts(known).tool) == ("tool", AskedCall("get"))


def test_a_result_in_blocks_of_text_is_what_they_hold() -> None:
    blocks = [{"type": "text", "text": '{"fee": 3}'}]
    at = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "gen_ai.tool.call.result": text(blocks)}
    found = facts(span()(at))
    assert (found.result, found.told) == ({"fee": 3}, '{"fee": 3}')


def test_a_retrieval_of_the_conventions() -> None:
    found = facts(
        span()(
            {
                "gen_ai.operation.name": "retrieval",
                "gen_ai.retrieval.query.text": "q",
                "gen_ai.retrieval.documents": text([{"id": "d", "score": 0.5, "title": "t"}]),
            }
        )
    )
    assert (found.query, found.documents) == ("q", (Document("d", None, 0.5, {"title": "t"}),))


def test_a_tool_that_failed_tells_how() -> None:
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "error.type": "app.GetError"}
    assert facts(failed("app", tool, "app.GetError", "no seats")).error == ToolError(
        "GetError", "no seats", "exception"
    )


def test_messages_in_log_records_stand_in_the_order_of_their_times() -> None:
    call = {"id": "1", "function": {"name": "get", "arguments": '{"k": 1}'}}
    told = [
        log("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "b"}}, 9),
        log("gen_ai.tool.message", {"content": "x", "id": "1"}, 4),
        log("gen_ai.user.message", {"content": "a"}, 2),
        log("gen_ai.assistant.message", {"tool_calls": [call]}, 3),
        log("", text({"content": "be kind"}), 1, **{"event.name": "gen_ai.system.message"}),
    ]
    found = facts(span()({"gen_ai.operation.name": "chat", "gen_ai.system": "openai"}), told)
    assert found.dialect == "otel-genai-events"
    assert found.input == (
        Message("system", "be kind"),
        Message("user", "a"),
        Message("assistant", "", (AskedCall("get", "1", {"k": 1}),)),
        Message("tool", "", (), (Answer("1", "x"),)),
    )
    assert (found.output, found.finish) == ((Message("assistant", "b"),), "stop")


def test_messages_in_span_events_of_the_oldest_form() -> None:
    events = [
        ("gen_ai.content.prompt", {"gen_ai.prompt": text([{"role": "user", "content": "a"}])}),
        ("gen_ai.content.completion", {"gen_ai.completion": text([{"role": "assistant", "content": "b"}])}),
    ]
    found = facts(span(events=events)({"gen_ai.operation.name": "chat"}))
    assert (found.input, found.output) == ((Message("user", "a"),), (Message("assistant", "b"),))


OPENINFERENCE = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "m-1",
    "llm.invocation_parameters": text({"model": "m"}),
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "a",
    "llm.input_messages.10.message.role": "tool",
    "llm.input_messages.10.message.content": "x",
    "llm.input_messages.10.message.tool_call_id": "1",
    "llm.input_messages.2.message.role": "assistant",
    "llm.input_messages.2.message.tool_calls.0.tool_call.id": "1",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "get",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"k": 1}',
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "b",
    "llm.token_count.prompt": 10,
    "llm.token_count.completion": 5,
    "llm.token_count.prompt_details.cache_read": 4,
    "session.id": "c",
}


def test_a_model_call_of_openinference() -> None:
    found = facts(span()(OPENINFERENCE))
    assert (found.kind, found.model, found.response_model, found.usage) == ("model", "m", "m-1", Usage(10, 5, 4))
    assert found.input == (
        Message("user", "a"),
        Message("assistant", "", (AskedCall("get", "1", {"k": 1}),)),
        Message("tool", "", (), (Answer("1", "x"),)),
    )
    assert (found.output, found.conversation) == ((Message("assistant", "b"),), ("c", "session.id"))


def test_where_a_limit_dropped_attributes_the_whole_input_is_read() -> None:
    attributes: dict[str, Any] = {key: value for key, value in OPENINFERENCE.items() if ".10." not in key}
    attributes["input.value"] = text(
        {"messages": [{"role": role, "content": role} for role in ("system", "user", "user")]}
    )
    found = facts(span(dropped=3)(attributes))
    assert found.input == (Message("system", "system"), Message("user", "user"), Message("user", "user"))


def test_tools_of_langchain_hold_their_call_only_in_the_result() -> None:
    message = {"type": "tool", "data": {"content": '{"v": 1}', "tool_call_id": "1", "status": "success"}}
    found = facts(
        span()(
            {
                "openinference.span.kind": "TOOL",
                "tool.name": "get",
                "input.value": "Zürich",
                "output.value": text(message),
            }
        )
    )
    assert found.tool == AskedCall("get", "1", "Zürich")
    assert (found.result, found.told, found.error) == ({"v": 1}, '{"v": 1}', None)


def test_an_agent_and_a_retriever_of_openinference() -> None:
    agent = facts(
        span("", "Agent")(
            {
                "openinference.span.kind": "AGENT",
                "input.value": text({"messages": [{"role": "user", "content": "a"}]}),
                "output.value": text({"messages": [{"type": "ai", "data": {"content": "b"}}]}),
            }
        )
    )
    assert (agent.kind, agent.agent, agent.said, agent.replied) == ("agent", "Agent", "a", "b")
    retriever = facts(
        span()(
            {
                "openinference.span.kind": "RETRIEVER",
                "input.value": "q",
                "retrieval.documents.0.document.id": "d",
                "retrieval.documents.0.document.content": "text",
                "retrieval.documents.0.document.score": 0.5,
                "retrieval.documents.0.document.metadata": text({"page": 2}),
            }
        )
    )
    assert (retriever.query, retriever.documents) == ("q", (Document("d", "text", 0.5, {"page": 2}),))


def test_feedback_on_a_span_of_openinference() -> None:
    found = facts(
        span()(
            {
                "openinference.span.kind": "LLM",
                "annotations.0.annotation.name": "thumb",
                "annotations.0.annotation.score": 1,
                "annotations.0.annotation.label": "up",
            }
        )
    )
    assert [(one.name, one.value, one.label) for one in found.feedback] == [("thumb", 1.0, "up")]


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        (text({"args": [], "kwargs": {"k": 1}}), {"k": 1}),
        (text({"args": [{"k": 1}], "kwargs": {}}), {"k": 1}),
        (text({"args": ["a"], "kwargs": {}}), "a"),
        (text({"input_str": "{'k': 1, 'flag': True}", "tags": []}), {"k": 1, "flag": True}),
        (text({"k": 1}), {"k": 1}),
    ],
)
def test_a_tool_of_traceloop_in_its_envelopes(given: str, arguments: object) -> None:
    found = facts(
        span()(
            {
                "traceloop.span.kind": "tool",
                "traceloop.entity.name": "get",
                "traceloop.entity.input": given,
                "traceloop.entity.output": '"x"',
            }
        )
    )
    assert (found.kind, found.tool and found.tool.name, found.tool and found.tool.arguments) == (
        "tool",
        "get",
        arguments,
    )
    assert (found.has_result, found.result) == (True, "x")


def test_a_tool_of_traceloop_s_javascript_is_named_by_its_message_alone() -> None:
    message = {"lc": 1, "type": "constructor", "id": ["ToolMessage"]}
    kwargs = {"status": "success", "content": "x", "tool_call_id": "c1", "name": "get"}
    at = {
        "gen_ai.operation.name": "execute_tool",
        "traceloop.span.kind": "task",
        "traceloop.entity.name": "DynamicStructuredTool",
        "traceloop.entity.input": text({"args": ['{"k":1}']}),
    }
    made = span("@traceloop/instrumentation-langchain")
    found = facts(made({**at, "traceloop.entity.output": text({**message, "kwargs": kwargs})}))
    assert (found.tool, found.result) == (AskedCall("get", "c1", {"k": 1}), "x")
    found = facts(made({**at, "traceloop.entity.output": '"x"'}))
    assert (found.tool, found.result) == (AskedCall("DynamicStructuredTool", None, {"k": 1}), "x")


def test_a_failure_that_only_the_tool_message_of_traceloop_tells() -> None:
    kwargs = {"content": "GetError: no seats", "tool_call_id": "1", "status": "error"}
    message = {"lc": 1, "type": "constructor", "id": ["langchain", "ToolMessage"], "kwargs": kwargs}
    found = facts(
        span()(
            {
                "traceloop.span.kind": "tool",
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "get",
                "gen_ai.tool.call.arguments": text({"input_str": "{}"}),
                "gen_ai.tool.call.result": text({"output": message, "kwargs": {}}),
            }
        )
    )
    assert found.error == ToolError("GetError", "no seats", "message")
    assert (found.told, found.has_result, found.tool and found.tool.id) == ("GetError: no seats", False, "1")


def shown(result: str) -> Facts:
    return facts(
        span()(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "get",
                "gen_ai.tool.call.result": result,
            }
        )
    )


def test_a_tool_message_as_python_shows_it() -> None:
    found = shown("""content='{"v": "it\\'s\\\\n"}' name='get' id='m1' tool_call_id='1'""")
    assert (found.result, found.told, found.tool) == ({"v": "it's\n"}, '{"v": "it\'s\\n"}', AskedCall("get", "1"))
    failed = shown("""content="GetError: it's gone" name='get' tool_call_id='1' status='error'""")
    assert (failed.error, failed.has_result) == (ToolError("GetError", "it's gone", "message"), False)
    for other in ("content='x' name='get'", "content='x", "content=x tool_call_id='1'", "content=[1] tool_call_id='1'"):
        assert shown(other).result == other


def test_workflows_of_traceloop_are_runs() -> None:
    found = facts(
        span()(
            {
                "traceloop.span.kind": "workflow",
                "traceloop.entity.input": text({"args": ["a"], "kwargs": {}}),
                "traceloop.entity.output": '"b"',
                "traceloop.association.properties.session_id": "c",
            }
        )
    )
    assert (found.kind, found.said, found.replied) == ("agent", "a", "b")
    assert found.conversation == ("c", "traceloop.association.properties.session_id")


def test_agno_by_way_of_traceloop() -> None:
    run = {"traceloop.span.kind": "agent", "gen_ai.agent.name": "desk", "gen_ai.request.model": "m"}
    found = facts(span()({**run, "traceloop.entity.input": "The fee?", "traceloop.entity.output": "3 EUR."}))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "The fee?", "3 EUR.")
    tool = {"traceloop.span.kind": "tool", "gen_ai.tool.name": "get", "traceloop.entity.input": '{"k": 1}'}
    rest = "updated_session_state=None images=None"
    given = f"status='success' result={{'note': \"it's error=None\"}} error=None {rest}"
    found = facts(span()({**tool, "traceloop.entity.output": given}))
    assert (found.tool, found.result, found.error) == (
        AskedCall("get", None, {"k": 1}),
        {"note": "it's error=None"},
        None,
    )
    given = f"status='failure' result=None error='no B-7' {rest}"
    found = facts(span()({**tool, "traceloop.entity.output": given}))
    assert (found.has_result, found.error) == (False, ToolError(None, "no B-7", "result"))
    given = f"status='failure' result=None error='isn\\'t there: error=\"B-7\"' {rest}"
    found = facts(span()({**tool, "traceloop.entity.output": given}))
    assert found.error == ToolError(None, 'isn\'t there: error="B-7"', "result")


def test_what_repeats_agno_s_words_of_an_error_is_looked_through_once() -> None:
    given = "status='success' result=" + " error='a' u" * 100_000
    tool = {"traceloop.span.kind": "tool", "gen_ai.tool.name": "get", "traceloop.entity.output": given}
    with no_hang():
        assert facts(span()(tool)).result == given


def test_the_older_model_calls_of_traceloop() -> None:
    found = facts(
        span()(
            {
                "llm.request.type": "chat",
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": text([{"type": "text", "text": "a"}]),
                "gen_ai.prompt.1.role": "assistant",
                "gen_ai.prompt.1.tool_calls.0.id": "1",
                "gen_ai.prompt.1.tool_calls.0.name": "get",
                "gen_ai.prompt.1.tool_calls.0.arguments": '{"k": 1}',
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": "b",
                "gen_ai.completion.0.finish_reason": "stop",
                "gen_ai.usage.prompt_tokens": 10,
                "gen_ai.usage.completion_tokens": 5,
            }
        )
    )
    assert (found.dialect, found.usage, found.finish) == ("traceloop-indexed", Usage(10, 5), "stop")
    assert found.input == (Message("user", "a"), Message("assistant", "", (AskedCall("get", "1", {"k": 1}),)))
    assert found.output == (Message("assistant", "b"),)


def test_content_of_several_parts_is_json_in_the_older_model_calls_of_traceloop() -> None:
    parts = [{"thinking": None, "text": "b", "type": "text"}, {"annotations": [], "text": "c", "type": "output_text"}]
    rows = [{"id": 7, "text": "x", "type": "text"}]
    at = {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": '[{"order": "B-7", "type": "refund"}]',
        "gen_ai.prompt.1.role": "tool",
        "gen_ai.prompt.1.content": text(rows),
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": text(parts),
    }
    found = facts(span()(at))
    assert found.output == (Message("assistant", "b\nc"),)
    assert found.input == (
        Message("user", '[{"order": "B-7", "type": "refund"}]'),
        Message("tool", "", (), (Answer(None, text(rows)),)),
    )


def test_a_reply_that_is_a_list_in_json_is_told_as_it_is() -> None:
    said = text([{"text": "Buy milk", "done": False}])
    at = {"llm.request.type": "chat", "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": said}
    assert facts(span()(at)).output == (Message("assistant", said),)


def test_what_early_versions_of_traceloop_leave_out_of_langchain() -> None:
    at = {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "a",
        "gen_ai.prompt.1.role": "unknown",
        "gen_ai.prompt.1.content": "x",
        "gen_ai.completion.0.role": "unknown",
        "gen_ai.completion.0.tool_calls.0.name": "get",
    }
    found = facts(span()(at))
    assert found.input == (Message("user", "a"), Message("tool", "", (), (Answer(None, "x"),)))
    assert found.output == (Message("assistant", "", (AskedCall("get"),)),)
    run = {"traceloop.span.kind": "workflow", "traceloop.entity.name": "LangGraph"}
    given = {"inputs": {"messages": []}, "tags": [], "metadata": {"user": "u1", "thread_id": "c"}, "kwargs": {}}
    found = facts(span()({**run, "traceloop.entity.input": text(given)}))
    assert found.conversation == ("c", "metadata.thread_id")
    assert facts(span()({**run, "traceloop.entity.input": text({"thread_id": "c"})})).conversation is None


def test_items_of_the_responses_api_that_traceloop_s_javascript_wrote_as_a_user_s_words() -> None:
    items = [
        {"role": "user", "content": "The fee?"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_fee", "arguments": '{"order": "B-7"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "3 EUR"},
    ]
    said = [{"role": "user", "parts": [{"type": "text", "content": text(items)}]}]
    at = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": text(said)}
    asked = AskedCall("get_fee", "c1", {"order": "B-7"})
    found = facts(span("@traceloop/instrumentation-openai")(at)).input
    assert [message for message in found if message.text or message.calls or message.answers] == [
        Message("user", "The fee?"),
        Message("assistant", "", (asked,)),
        Message("tool", "", (), (Answer("c1", "3 EUR"),)),
    ]
    assert facts(span("other")(at)).input == (Message("user", text(items)),)


@pytest.mark.parametrize("asked", ["[null]", "[[]]", "[]", "[{}]"])
def test_an_input_of_no_words_hides_nothing_else_of_a_call(asked: str) -> None:
    at = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": asked, "gen_ai.output.messages": "It is 3 EUR."}
    found = facts(span("@traceloop/instrumentation-openai")(at))
    assert (found.kind, found.output) == ("model", (Message("assistant", "It is 3 EUR."),))


def test_of_records_and_attributes_the_fuller_are_read_and_it_is_told() -> None:
    history = [*USER, {"role": "assistant", "parts": [{"type": "text", "content": "b"}]}, *USER]
    call = span()(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.system_instructions": text([{"type": "text", "content": "be kind"}]),
            "gen_ai.input.messages": text(history),
            "gen_ai.output.messages": text(REPLY),
        }
    )
    found = facts(call, [log("gen_ai.user.message", {"content": "stray"})])
    assert [message.text for message in found.input or ()] == ["a", "b", "a"]
    assert [message.text for message in found.output or ()] == ["b"]
    assert found.system == "be kind"
    assert found.notes == [
        "log records or events of the span `span` tell 1 of the 3 messages that its attributes hold:"
        " the attributes are read"
    ]
