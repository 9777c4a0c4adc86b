"""Runs that tell the messages in them, where no model call is told of: CrewAI's and AutoGen's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.traces.reading.made import Trace, assistant, spans_of, streamed, user
from traces.conversation import Conversation, ToolCall
from traces.reading import conversations

ASKED = [("call_1", "Bern"), ("call_2", "Rom")]
MESSAGES = [
    {"role": "user", "content": "Current Task: The weather in Bern and Rom?"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": name, "function": {"name": "get", "arguments": json.dumps({"city": city})}} for name, city in ASKED
        ],
    },
    *({"role": "tool", "tool_call_id": name, "content": f"rain in {city}"} for name, city in ASKED),
    {"role": "assistant", "content": "It rains."},
]
SHOWN = f"[TaskOutput(description='d', raw='It rains.', output_format=<OutputFormat.RAW: 'raw'>, messages={MESSAGES})]"
OPENLLMETRY: dict[str, Any] = {
    "gen_ai.operation.name": "invoke_agent",
    "crewai.crew.tasks": '[{"description": "The weather in Bern and Rom?"}]',
    "crewai.crew.result": "It rains.",
    "crewai.crew.tasks_output": SHOWN,
}
OPENINFERENCE: dict[str, Any] = {
    "openinference.span.kind": "CHAIN",
    "crew_tasks": OPENLLMETRY["crewai.crew.tasks"],
    "output.value": json.dumps({"raw": "It rains.", "tasks_output": [{"messages": MESSAGES}]}),
}


def calls(found: Conversation) -> list[ToolCall]:
    return [call for turn in found.turns for call in turn.tool_calls]


@pytest.mark.parametrize(
    ("kickoff", "scope"), [(OPENLLMETRY, "test"), (OPENINFERENCE, "openinference.instrumentation.crewai")]
)
@pytest.mark.parametrize("ran", [False, True])
def test_the_tools_that_a_crew_called_stand_in_its_messages(kickoff: dict[str, Any], scope: str, ran: bool) -> None:
    trace = Trace()
    crew = trace.add(dict(kickoff), scope=scope, lasting=100)
    for _, city in ASKED if ran else ():
        trace.tool(crew, "get", {"city": city}, f"rain in {city}")
    (found,) = conversations(trace.spans)
    assert [(turn.user, turn.assistant) for turn in found.turns] == [("The weather in Bern and Rom?", "It rains.")]
    assert [(call.id, call.arguments, call.result) for call in calls(found)] == [
        (name, {"city": city}, f"rain in {city}") for name, city in ASKED
    ]
    assert [call.group for call in calls(found)] == [0, 0]
    assert [call.started is not None for call in calls(found)] == [ran, ran]


def test_where_model_calls_are_told_of_they_tell_the_tools() -> None:
    trace = Trace()
    crew = trace.add(dict(OPENLLMETRY), lasting=100)
    trace.model(crew, [user("a")], [assistant("It rains.")])
    (found,) = conversations(trace.spans)
    assert not calls(found)


TEAM = "493720c3-5c3c-4b87-bb86-bb68c7b60b09"


def handed_on(number: int, message: dict[str, Any]) -> Trace:
    trace = Trace(number, number * 10)
    manager = {
        "recipient_agent_type": f"SwarmGroupChatManager_{TEAM}",
        "recipient_agent_class": "SwarmGroupChatManager",
        "message": json.dumps(message),
    }
    trace.add(manager, scope="autogen SingleThreadedAgentRuntime")
    return trace


def ran(number: int, agent: str, tool: str, call_id: str) -> Trace:
    trace = Trace(number, number * 10)
    own = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent, "gen_ai.system": "autogen"}
    run = trace.add({**own, "gen_ai.agent.id": f"{agent}_{TEAM}/{TEAM}"}, scope="autogen-core")
    trace.tool(run, tool, call_id=call_id, scope="autogen-core")
    return trace


def response(tool: str, call_id: str, given: str, last: dict[str, Any]) -> dict[str, Any]:
    asks = {"type": "ToolCallRequestEvent", "content": [{"id": call_id, "name": tool, "arguments": "{}"}]}
    gave = {"type": "ToolCallExecutionEvent", "content": [{"call_id": call_id, "name": tool, "content": given}]}
    return {"response": {"inner_messages": [asks, gave], "chat_message": last}}


def test_a_team_s_messages_tell_its_turns_and_its_tools() -> None:
    over = {"type": "HandoffMessage", "content": "over", "target": "till"}
    (found,) = streamed(
        spans_of(
            handed_on(1, {"messages": [{"source": "user", "content": "a"}]}),
            ran(2, "desk", "transfer_to_till", "call_1"),
            handed_on(3, response("transfer_to_till", "call_1", "over", over)),
            ran(4, "till", "get", "call_2"),
            handed_on(5, response("get", "call_2", "x", {"type": "TextMessage", "content": "b"})),
            handed_on(6, {"messages": [{"source": "user", "content": "c"}]}),
            handed_on(7, {"response": {"inner_messages": [], "chat_message": {"content": "d"}}}),
        )
    )
    assert found.id == TEAM
    assert [(turn.user, turn.assistant) for turn in found.turns] == [("a", "b"), ("c", "d")]
    assert [(call.id, call.result, call.agent) for call in found.turns[0].tool_calls] == [
        ("call_1", "over", "desk"),
        ("call_2", "x", "till"),
    ]
    assert any("no model calls are in it" in warning for warning in found.warnings)
