"""Strands Agents: span events, the details event, span attributes, and the attributes of its first versions."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "strands.telemetry.tracer"
CALL = {"toolUse": {"toolUseId": "t1", "name": "get_fee", "input": {"order": "B-7"}}}
RESULT = {"toolResult": {"toolUseId": "t1", "status": "error", "content": [{"text": "Error: no fee"}]}}
READ = (
    Message("user", "The fee of B-7?"),
    Message("assistant", "", (AskedCall("get_fee", "t1", {"order": "B-7"}),)),
    Message("tool", "", (), (Answer("t1", "Error: no fee", None, True),)),
)


def operation(name, **more):
    return {"gen_ai.operation.name": name, "gen_ai.system": "strands-agents", **more}


def test_messages_are_span_events_of_bedrock_blocks():
    events = [
        ("gen_ai.system.message", {"content": text([{"text": "Be brief."}])}),
        ("gen_ai.user.message", {"content": text([{"text": "The fee of B-7?"}])}),
        ("gen_ai.assistant.message", {"content": text([CALL])}),
        ("gen_ai.tool.message", {"content": text([RESULT])}),
        ("gen_ai.choice", {"message": text([{"text": "I can't say."}]), "finish_reason": "end_turn"}),
    ]
    tokens = {"gen_ai.usage.prompt_tokens": 9, "gen_ai.usage.completion_tokens": 4, "gen_ai.usage.input_tokens": 9}
    found = facts(span(SCOPE, events=events)(operation("chat", **tokens, **{"gen_ai.usage.output_tokens": 4})))
    assert found.dialect == "strands"
    assert found.input == (Message("system", "Be brief."), *READ)
    assert found.output == (Message("assistant", "I can't say."),)
    assert (found.finish, found.usage, found.counted) == ("end_turn", Usage(9, 4), True)


def test_the_latest_conventions_put_everything_into_details_events():
    asked = [
        {"role": "user", "parts": [{"type": "text", "content": "The fee of B-7?"}]},
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "name": "get_fee", "id": "t1", "arguments": {"order": "B-7"}}],
        },
        {"role": "user", "parts": [{"type": "tool_call_response", "id": "t1", "response": [{"text": "3 EUR"}]}]},
    ]
    given = [{"role": "assistant", "parts": [{"type": "text", "content": "3 EUR."}], "finish_reason": "end_turn"}]
    details = "gen_ai.client.inference.operation.details"
    rules = text([{"type": "text", "content": "Be brief."}])
    events = [
        (details, {"gen_ai.system_instructions": rules}),
        (details, {"gen_ai.input.messages": text(asked)}),
        (details, {"gen_ai.output.messages": text(given)}),
    ]
    at = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "strands-agents"}
    found = facts(span(SCOPE, events=events)(at))
    assert found.system == "Be brief."
    assert found.finish == "end_turn"
    assert found.input == (*READ[:2], Message("tool", "", (), (Answer("t1", "3 EUR"),)))
    assert found.output == (Message("assistant", "3 EUR."),)
    attributes = {"gen_ai.input.messages": text(asked), "gen_ai.output.messages": text(given)}
    same = facts(span(SCOPE)({**at, **attributes}))
    assert (same.input, same.output) == (found.input, found.output)


def test_a_tool_has_its_arguments_and_result_in_events():
    events = [
        ("gen_ai.tool.message", {"role": "tool", "content": text({"order": "B-7"}), "id": "t1"}),
        ("gen_ai.choice", {"message": text([{"text": '{"fee": 3}'}]), "id": "t1"}),
    ]
    at = operation("execute_tool", **{"gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "t1"})
    found = facts(span(SCOPE, events=events)({**at, "gen_ai.tool.status": "success"}))
    assert found.tool == AskedCall("get_fee", "t1", {"order": "B-7"})
    assert (found.has_result, found.result, found.told) == (True, {"fee": 3}, '{"fee": 3}')


def test_a_tool_that_says_it_failed_did_though_its_span_is_fine():
    events = [("gen_ai.choice", {"message": text([{"text": "Error: FeeError - no fee for B-7"}])})]
    at = operation("execute_tool", **{"gen_ai.tool.name": "get_fee", "gen_ai.tool.status": "error"})
    found = facts(span(SCOPE, events=events, status="ok")(at))
    assert found.error
    assert found.error.evidence == "result"
    assert "no fee for B-7" in (found.error.message or "")
    assert not found.has_result
    assert found.told == "Error: FeeError - no fee for B-7"


def test_a_tool_of_the_latest_conventions_has_attributes_or_details():
    call = [
        {"role": "tool", "parts": [{"type": "tool_call", "name": "get_fee", "id": "t1", "arguments": {"order": "B-7"}}]}
    ]
    answer = [{"role": "tool", "parts": [{"type": "tool_call_response", "id": "t1", "response": [{"text": "3 EUR"}]}]}]
    details = "gen_ai.client.inference.operation.details"
    events = [(details, {"gen_ai.input.messages": text(call)}), (details, {"gen_ai.output.messages": text(answer)})]
    at = operation("execute_tool", **{"gen_ai.tool.name": "get_fee", "gen_ai.tool.call.id": "t1"})
    found = facts(span(SCOPE, events=events)(at))
    assert found.tool == AskedCall("get_fee", "t1", {"order": "B-7"})
    assert found.result == "3 EUR"
    more = {"gen_ai.tool.call.arguments": '{"order": "B-7"}', "gen_ai.tool.call.result": text([{"json": {"fee": 3}}])}
    found = facts(span(SCOPE)({**at, **more}))
    assert found.tool == AskedCall("get_fee", "t1", {"order": "B-7"})
    assert found.result == {"fee": 3}


def test_the_usage_of_an_agent_is_that_of_its_life():
    events = [
        ("gen_ai.user.message", {"content": text([{"text": "Hi"}])}),
        ("gen_ai.user.message", {"content": text([{"text": "The fee?"}])}),
        ("gen_ai.choice", {"message": "3 EUR.\n", "finish_reason": "end_turn"}),
    ]
    usage = {"gen_ai.usage.input_tokens": 500, "gen_ai.usage.output_tokens": 40}
    found = facts(span(SCOPE, events=events)(operation("invoke_agent", **usage, **{"gen_ai.agent.name": "desk"})))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", "desk", "The fee?", "3 EUR.")
    assert found.counted is False
    assert found.usage == Usage(500, 40)


def test_the_loop_around_a_model_call_is_nothing_of_its_own():
    events = [("gen_ai.choice", {"message": text([CALL]), "tool.result": text([RESULT])})]
    assert facts(span(SCOPE, events=events)(operation("execute_event_loop_cycle"))).kind == "other"


def test_the_first_versions_put_json_into_prompt_and_completion():
    scope = "strands-agents"
    history = [{"role": "user", "content": [{"text": "The fee of B-7?"}]}]
    at = {"gen_ai.system": "strands-agents", "gen_ai.agent.name": "desk"}
    model = facts(span(scope)({**at, "gen_ai.prompt": text(history), "gen_ai.completion": text([CALL])}))
    assert model.kind == "model"
    assert model.input == READ[:1]
    assert model.output == READ[1:2]
    tool = facts(
        span(scope)(
            {
                "tool.name": "get_fee",
                "tool.id": "t1",
                "tool.parameters": text({"order": "B-7"}),
                "tool.result": text([{"text": "3 EUR"}]),
                "tool.status": "success",
                "gen_ai.prompt": text({"name": "get_fee", "toolUseId": "t1", "input": {"order": "B-7"}}),
            }
        )
    )
    assert tool.tool == AskedCall("get_fee", "t1", {"order": "B-7"})
    assert tool.result == "3 EUR"
    agent = facts(span(scope)({**at, "gen_ai.prompt": "The fee of B-7?", "gen_ai.completion": "3 EUR.\n"}))
    assert (agent.kind, agent.said, agent.replied) == ("agent", "The fee of B-7?", "3 EUR.")


def test_a_result_in_the_words_of_python_is_read():
    events = [("gen_ai.choice", {"message": text([{"text": "{'fee': 3, 'paid': None}"}])})]
    at = operation("execute_tool", **{"gen_ai.tool.name": "get_fee", "gen_ai.tool.status": "success"})
    assert facts(span(SCOPE, events=events)(at)).result == {"fee": 3, "paid": None}


def test_spans_that_were_rewritten_to_openinference_are_read_as_that():
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1"}
    assert facts(span(SCOPE)(at)).dialect == "openinference"


def test_spans_that_kept_their_operation_when_they_were_rewritten_tell_their_texts_in_the_new_attributes():
    at = {"openinference.span.kind": "TOOL", "tool.name": "get_fee", "input.value": '{"order": "B-7"}'}
    thrown = [("exception", {"exception.type": "FeeError", "exception.message": "no fee"})]
    found = facts(span(SCOPE, events=thrown, status="error")(operation("execute_tool", **at)))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.error == ToolError("FeeError", "no fee", "exception")
    at = {"openinference.span.kind": "AGENT", "graph.node.id": "strands_agent", "gen_ai.agent.name": "desk"}
    found = facts(span(SCOPE)(operation("invoke_agent", **at, **{"input.value": "Hi", "output.value": "Hello!"})))
    assert (found.agent, found.said, found.replied) == ("desk", "Hi", "Hello!")
    kept = [("gen_ai.user.message", {"content": text([{"text": "Hi"}])})]
    assert facts(span(SCOPE, events=kept)(operation("chat", **{"openinference.span.kind": "LLM"}))).dialect == "strands"


def test_an_exception_tells_more_than_the_text_for_the_model():
    events = [
        ("gen_ai.choice", {"message": text([{"text": "Error: FeeError - no fee"}])}),
        ("exception", {"exception.type": "desk.FeeError", "exception.message": "no fee"}),
    ]
    at = operation("execute_tool", **{"gen_ai.tool.name": "get_fee", "gen_ai.tool.status": "error"})
    found = facts(span(SCOPE, events=events, status="error")(at))
    assert found.error == ToolError("FeeError", "no fee", "exception")
