"""Runs that tell the messages in them, where no model call is told of: CrewAI's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.traces.reading.made import Trace, assistant, user
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
