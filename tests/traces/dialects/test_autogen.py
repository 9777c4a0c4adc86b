"""AutoGen as OpenInference shows it, and by its own spans."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import Answer, AskedCall, Message

SCOPE = "openinference.instrumentation.autogen_agentchat"


def test_of_all_that_a_team_said_to_each_other_the_last_is_the_reply():
    told = [
        {"source": "user", "type": "TextMessage", "content": "The fee of B-7?"},
        {"source": "desk", "type": "HandoffMessage", "content": "Over to the till.", "target": "till"},
        {"source": "till", "type": "TextMessage", "content": "3 EUR."},
        {"source": "till", "type": "ToolCallRequestEvent", "content": [{"id": "c1", "name": "get_fee"}]},
    ]
    at = {
        "openinference.span.kind": "CHAIN",
        "input.value": text({"task": "The fee of B-7?", "cancellation_token": None}),
        "output.value": text({"messages": told, "stop_reason": "Text message received from 'till'"}),
    }
    found = facts(span(SCOPE, "Swarm.run_stream")(at))
    assert (found.said, found.replied) == ("The fee of B-7?", "3 EUR.")


def test_a_team_is_a_conversation() -> None:
    team = "493720c3-5c3c-4b87-bb86-bb68c7b60b09"
    at = {"gen_ai.operation.name": "invoke_agent", "gen_ai.system": "autogen", "gen_ai.agent.name": "desk"}
    found = facts(span("autogen-core")({**at, "gen_ai.agent.id": f"the_desk_{team}/{team}"}))
    assert (found.kind, found.agent, found.dialect) == ("agent", "desk", "autogen")
    assert found.conversation == (team, "gen_ai.agent.id")
    for other in ("desk/default", f"desk_{team}/{team[::-1]}", f"desk_{team}"):
        assert facts(span("autogen-core")({**at, "gen_ai.agent.id": other})).conversation is None


TEAM = "493720c3-5c3c-4b87-bb86-bb68c7b60b09"


def handed_on(message, recipient="SwarmGroupChatManager"):
    at = {"messaging.operation": "process", "recipient_agent_class": recipient, "message": text(message)}
    return facts(span("autogen SingleThreadedAgentRuntime")({**at, "recipient_agent_type": f"{recipient}_{TEAM}"}))


def test_what_is_said_in_a_team_stands_in_the_messages_to_its_manager():
    start = {"messages": [{"source": "user", "type": "TextMessage", "content": "The fee of B-7?"}]}
    found = handed_on(start)
    assert (found.kind, found.conversation) == ("agent", (TEAM, "recipient_agent_type"))
    assert found.transcript() == (Message("user", "The fee of B-7?"),)
    asks = [{"id": "c1", "name": "get_fee", "arguments": '{"order": "B-7"}'}]
    gave = [{"call_id": "c1", "name": "get_fee", "content": "no fee", "is_error": True}]
    response = {
        "inner_messages": [
            {"type": "ToolCallRequestEvent", "content": asks},
            {"type": "ToolCallExecutionEvent", "content": gave},
            {"type": "ThoughtEvent", "content": "Hm."},
        ],
        "chat_message": {"type": "TextMessage", "source": "till", "content": "There is none."},
    }
    found = handed_on({"response": response, "name": "till"})
    told = (
        Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "no fee", "get_fee", failed=True),)),
    )
    assert (found.kind, found.transcript()) == ("other", (*told, Message("assistant", "There is none.")))
    response["chat_message"] = {"type": "HandoffMessage", "content": "Over to the till.", "target": "till"}
    assert handed_on({"response": response}).transcript() == told


def test_what_others_are_told_is_told_once():
    start = {"messages": [{"source": "user", "type": "TextMessage", "content": "The fee of B-7?"}]}
    found = handed_on(start, "ChatAgentContainer")
    assert (found.kind, found.transcript, found.conversation) == ("other", None, None)
    for message in ({"messages": "none"}, {"response": []}, {"messages": [None, {"content": 7}]}, "No Message"):
        assert not (read := handed_on(message).transcript) or read() == ()
