"""AutoGen as OpenInference shows it, and by its own spans."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text

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
