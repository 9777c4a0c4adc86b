"""Google ADK: schema 1 (`gcp.vertex.agent.*`), message records, and schema 2 (the GenAI conventions)."""

from __future__ import annotations

from tests.traces.dialects.made import facts, failed, log, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "gcp.vertex.agent"
CONTENTS = [
    {"role": "user", "parts": [{"text": "The fee of B-7?"}]},
    {"role": "model", "parts": [{"function_call": {"id": "a1", "name": "get_fee", "args": {"order": "B-7"}}}]},
    {
        "role": "user",
        "parts": [{"function_response": {"id": "a1", "name": "get_fee", "response": {"result": "3 EUR"}}}],
    },
]
READ = (
    Message("user", "The fee of B-7?"),
    Message("assistant", "", (AskedCall("get_fee", "a1", {"order": "B-7"}),)),
    Message("tool", "", (), (Answer("a1", {"result": "3 EUR"}, "get_fee"),)),
)


def call_llm(**more):
    request = {"model": "gemini-2", "config": {"system_instruction": "Be brief."}, "contents": CONTENTS}
    answer = {
        "content": {"role": "model", "parts": [{"text": "Let me think.", "thought": True}, {"text": "3 EUR."}]},
        "finish_reason": "STOP",
        "usage_metadata": {
            "prompt_token_count": 20,
            "candidates_token_count": 5,
            "thoughts_token_count": 2,
            "cached_content_token_count": 8,
            "total_token_count": 27,
        },
    }
    return {
        "gen_ai.system": "gcp.vertex.agent",
        "gen_ai.request.model": "gemini-2",
        "gcp.vertex.agent.session_id": "conv-1",
        "gcp.vertex.agent.llm_request": text(request),
        "gcp.vertex.agent.llm_response": text(answer),
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 5,
        **more,
    }


def test_schema_1_holds_request_and_response_of_gemini():
    found = facts(span(SCOPE)(call_llm()))
    assert found.kind == "model"
    assert found.dialect == "google-adk"
    assert found.model == "gemini-2"
    assert found.conversation == ("conv-1", "gcp.vertex.agent.session_id")
    assert found.input == (Message("system", "Be brief."), *READ)
    assert found.output == (Message("assistant", "3 EUR."),)
    assert found.finish == "STOP"
    assert found.usage == Usage(20, 7, 8, 2)


def test_content_that_was_left_out_is_not_empty():
    left_out = {"gcp.vertex.agent.llm_request": "{}", "gcp.vertex.agent.llm_response": "{}"}
    found = facts(span(SCOPE)(call_llm(**left_out)))
    assert found.kind == "model"
    assert found.input is None
    assert found.output is None
    assert found.usage == Usage(20, 5)


def tool(**more):
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_fee",
        "gen_ai.tool.call.id": "a1",
        "gcp.vertex.agent.llm_request": "{}",
        "gcp.vertex.agent.llm_response": "{}",
        **more,
    }


def test_a_tool_of_schema_1_has_its_result_unwrapped():
    at = {"gcp.vertex.agent.tool_call_args": '{"order": "B-7"}', "gcp.vertex.agent.tool_response": '{"result": 3}'}
    found = facts(span(SCOPE)(tool(**at)))
    assert found.tool == AskedCall("get_fee", "a1", {"order": "B-7"})
    assert found.has_result
    assert found.result == 3


def test_a_tool_of_schema_2_has_its_result_unwrapped_unless_it_is_an_object():
    at = {"gen_ai.tool.call.arguments": '{"order": "B-7"}', "gen_ai.tool.call.result": '{"result": "3 EUR"}'}
    assert facts(span(SCOPE)(tool(**at))).result == "3 EUR"
    own = '{"result": 3, "unit": "EUR"}'
    assert facts(span(SCOPE)(tool(**{**at, "gen_ai.tool.call.result": own}))).result == {"result": 3, "unit": "EUR"}


def test_a_tool_without_captured_content_has_no_result():
    at = {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": "{}"}
    assert not facts(span(SCOPE)(tool(**at))).has_result
    found = facts(span(SCOPE)(tool(**{"gen_ai.tool.call.id": "<not specified>"})))
    assert found.tool
    assert found.tool.id is None
    unsaid = {
        "gcp.vertex.agent.tool_call_args": "{}",
        "gcp.vertex.agent.tool_response": '{"result": "<not specified>"}',
    }
    assert not facts(span(SCOPE)(tool(**unsaid))).has_result


def test_the_result_says_how_the_tool_failed_where_the_status_does_not():
    at = tool(
        **{"error.type": "TOOL_ERROR", "gen_ai.tool.call.result": '{"error": "FeeError: no fee for B-7"}'},
    )
    found = facts(span(SCOPE, status="error", status_text="TOOL_ERROR")(at))
    assert found.error == ToolError("FeeError", "no fee for B-7", "status")
    assert not found.has_result


def test_an_exception_of_schema_1_stays():
    found = facts(failed(SCOPE, tool(**{"gcp.vertex.agent.tool_call_args": "{}"}), "desk.FeeError", "no fee"))
    assert found.error == ToolError("FeeError", "no fee", "exception")


def test_merged_tools_are_no_call():
    merged = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "(merged tools)",
        "gcp.vertex.agent.tool_call_args": "N/A",
    }
    assert facts(span(SCOPE)(merged)).kind == "other"
    response = {"gen_ai.operation.name": "execute_tool", "gcp.vertex.agent.tool_response": '{"fee": 3}'}
    assert facts(span(SCOPE)(response)).kind == "other"  # Java's second span of a call


def test_message_records_hold_whole_contents_of_gemini():
    at = {"gen_ai.operation.name": "generate_content", "gen_ai.request.model": "gemini-2", "gen_ai.system": "gemini"}
    records = [
        log("gen_ai.system.message", {"content": "Be brief."}, 1),
        *(log("gen_ai.user.message", {"content": content}, 2 + at_) for at_, content in enumerate(CONTENTS)),
        log("gen_ai.choice", {"content": {"role": "model", "parts": [{"text": "3 EUR."}]}, "index": 0}, 9),
    ]
    found = facts(span(SCOPE)(at), records)
    assert found.dialect == "google-adk"
    assert found.input == (Message("system", "Be brief."), *READ)
    assert found.output == (Message("assistant", "3 EUR."),)


def test_records_with_their_content_left_out_say_so():
    at = {"gen_ai.operation.name": "generate_content", "gen_ai.request.model": "gemini-2"}
    records = [
        log("gen_ai.user.message", {"content": "<elided>"}, 1),
        log("gen_ai.choice", {"content": "<elided>", "index": 0}, 2),
    ]
    found = facts(span(SCOPE)(at), records)
    assert found.input is None
    assert found.output is None


def test_the_spans_around_are_agents():
    at = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk", "gen_ai.conversation.id": "conv-1"}
    found = facts(span(SCOPE)(at))
    assert (found.kind, found.agent, found.conversation) == ("agent", "desk", ("conv-1", "gen_ai.conversation.id"))
    assert facts(span(SCOPE, "invocation")({})).kind == "other"


def test_what_the_kit_adds_to_instructions_and_names_is_taken_off():
    identity = 'You are an agent. Your internal name is "desk". The description about you is "helps".'
    rules = [{"type": "text", "content": f"Be brief.\n\n{identity}"}]
    at = {
        "gen_ai.operation.name": "generate_content",
        "gen_ai.request.model": "openai/m-1",
        "gen_ai.system_instructions": text(rules),
    }
    found = facts(span(SCOPE)(at), [log("gen_ai.client.inference.operation.details", None, 1, **{"user.id": "u1"})])
    assert (found.system, found.model, found.user_id) == ("Be brief.", "m-1", "u1")
    path = "projects/p/locations/l/models/m-1"
    assert facts(span(SCOPE)({**at, "gen_ai.request.model": path})).model == path


def test_spans_of_schema_1_without_attributes_are_told_by_their_names():
    assert (facts(span(SCOPE, "agent_run [desk]")({})).kind, facts(span(SCOPE, "agent_run [desk]")({})).agent) == (
        "agent",
        "desk",
    )
    exception = ("exception", {"exception.type": "FeeError", "exception.message": "no fee"})
    found = facts(span(SCOPE, "execute_tool get_fee", events=[exception], status="error")({}))
    assert (found.kind, found.tool) == ("tool", AskedCall("get_fee"))
    assert found.error == ToolError("FeeError", "no fee", "exception")


def test_what_another_agent_said_is_not_said_by_the_user_and_what_it_did_is_told_elsewhere():
    quoted = "[desk] said:\n<<<BEGIN_QUOTED_AGENT_CONTENT>>>\nAsk\nme.\n<<<END_QUOTED_AGENT_CONTENT>>>"
    contents = [
        {"role": "user", "parts": [{"text": "The fee of B-7?"}]},
        {
            "role": "user",
            "parts": [{"text": "For context:"}, {"text": "[desk] said: Ask."}, {"text": "[desk] called tool `x`"}],
        },
        {"role": "user", "parts": [{"text": "For context: quoted.\nIt is data."}, {"text": quoted}]},
        {"role": "user", "parts": [{"text": "For context:"}, {"text": "[desk] `x` tool returned result: 3"}]},
        {"role": "user", "parts": [{"text": "For context: I am in a hurry."}]},
    ]
    request = text({"model": "gemini-2", "contents": contents})
    found = facts(span(SCOPE)(call_llm(**{"gcp.vertex.agent.llm_request": request})))
    assert found.input == (
        Message("user", "The fee of B-7?"),
        Message("assistant", "Ask."),
        Message("assistant", "Ask\nme."),
        Message("user", "For context: I am in a hurry."),
    )


def test_the_pieces_of_a_stream_are_one_message():
    def output(finish):
        pieces = [("3 E", finish), ("UR.", "stop")]
        return text(
            [{"role": "assistant", "parts": [{"type": "text", "content": t}], "finish_reason": f} for t, f in pieces]
        )

    at = {"gen_ai.operation.name": "generate_content", "gen_ai.request.model": "gemini-2"}
    assert facts(span(SCOPE)({**at, "gen_ai.output.messages": output("")})).output == (Message("assistant", "3 EUR."),)
    two = facts(span(SCOPE)({**at, "gen_ai.output.messages": output("stop")})).output
    assert two == (Message("assistant", "3 E"), Message("assistant", "UR."))


def test_by_way_of_openinference_the_whole_history_and_only_new_calls_are_read() -> None:
    told = {
        "config": {"system_instruction": 'Be brief.\n\nYou are an agent. Your internal name is "desk".'},
        "contents": [
            {"role": "user", "parts": [{"text": "The fee?"}]},
            {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "get_fee", "args": {"order": "B-7"}}}]},
            {"role": "user", "parts": [{"function_response": {"id": "c1", "name": "get_fee", "response": {"fee": 3}}}]},
        ],
    }
    row = "llm.output_messages.0.message."
    at = {
        "openinference.span.kind": "LLM",
        "gen_ai.operation.name": "generate_content",
        "gen_ai.agent.name": "desk",
        "input.value": text(told),
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "The fee?",
        row + "role": "model",
        row + "tool_calls.0.tool_call.id": "c1",
        row + "tool_calls.0.tool_call.function.name": "get_fee",
        row + "contents.0.message_content.type": "text",
        row + "contents.0.message_content.text": "3 EUR.",
    }
    found = facts(span("gcp.vertex.agent")(at))
    asked = AskedCall("get_fee", "c1", {"order": "B-7"})
    assert (found.kind, found.agent) == ("model", "desk")
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee?"),
        Message("assistant", "", (asked,)),
        Message("tool", "", (), (Answer("c1", {"fee": 3}, "get_fee"),)),
    )
    assert found.output == (Message("assistant", "3 EUR."),)
    scope = "openinference.instrumentation.google_adk"
    given = {"id": "c1", "name": "get_fee", "response": {"result": "3 EUR"}}
    at = {"openinference.span.kind": "TOOL", "tool.name": "get_fee", "tool.id": "c1", "output.value": text(given)}
    assert (facts(span(scope)(at)).tool.id, facts(span(scope)(at)).result) == ("c1", "3 EUR")
    merged = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)"}
    assert facts(span(scope)(merged)).kind == "other"
