"""Teams of agents of which each step may be in a trace of its own: AutoGen's."""

from __future__ import annotations

import json
from typing import Any

from tests.traces.reading.made import Trace, assistant, spans_of, streamed, user

TEAM = "493720c3-5c3c-4b87-bb86-bb68c7b60b09"


def to_manager(number: int, message: dict[str, Any]) -> Trace:
    trace = Trace(number, number * 10)
    manager = {"recipient_agent_type": f"GroupChatManager_{TEAM}", "recipient_agent_class": "GroupChatManager"}
    trace.add({**manager, "message": json.dumps(message)}, scope="autogen SingleThreadedAgentRuntime")
    return trace


def of_agent(number: int, agent: str, history: list[Any], reply: str) -> Trace:
    trace = Trace(number, number * 10)
    own = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent, "gen_ai.system": "autogen"}
    run = trace.add({**own, "gen_ai.agent.id": f"{agent}_{TEAM}/{TEAM}"}, scope="autogen-core", lasting=5)
    trace.model(run, history, [assistant(reply)])
    return trace


def test_agents_of_a_team_that_are_told_each_other_s_words_as_the_user_s_handle_one_turn() -> None:
    last = {"response": {"inner_messages": [], "chat_message": {"content": "c"}}}
    traces = [
        to_manager(1, {"messages": [{"source": "user", "content": "a"}]}),
        of_agent(2, "one", [user("a")], "b"),
        of_agent(3, "two", [user("a"), user("b")], "c"),
        to_manager(4, last),
        to_manager(5, {"messages": [{"source": "user", "content": "d"}]}),
        of_agent(6, "one", [user("a"), assistant("b"), user("c"), user("d")], "e"),
        of_agent(7, "two", [user("a"), user("b"), assistant("c"), user("d"), user("e")], "f"),
        to_manager(8, {"response": {"chat_message": {"content": "f"}}}),
    ]
    (found,) = streamed(spans_of(*traces))
    assert [(turn.user, turn.assistant, len(turn.model_calls)) for turn in found.turns] == [
        ("a", "c", 2),
        ("d", "f", 2),
    ]
