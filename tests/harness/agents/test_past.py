"""Agents that go on with a conversation of others: what they are told of it."""

import asyncio
import json
from dataclasses import replace

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from harness.agents.http_agent import HttpConversation
from harness.agents.http_answer import Answer
from harness.agents.http_request import BODY
from harness.agents.langgraph import GraphAgent
from harness.agents.past import past
from harness.agents.tool_loop import ToolLoop
from harness.llm.messages import Answer as ModelAnswer
from harness.llm.messages import assistant, text_part
from harness.model.episode import Message
from tests.harness.agents.desk import Desk
from tools_sandbox.call import Call, CallError

HISTORY = [
    Message("user", "Where is O-1?", 1),
    Message("agent", "Let me look.", 1, after=0),
    Message("agent", "It is shipped.", 1, after=2),
    Message("user", "Cancel it.", 2),
    Message("agent", "I can't.", 2, after=1),
]
LOOKED = Call("c-1", 1, "get_order", '{"id": "O-1"}', {"id": "O-1"}, "reads", result={"status": "shipped"})
ALSO = Call("c-2", 1, "get_order", None, {"id": "O-2"}, "reads", result="none")
FAILED = Call("c-3", 2, "cancel_order", None, {"id": "O-1"}, "writes", error=CallError("refused", "too late"))


def session():
    return replace(Desk().session(history=HISTORY), earlier=(LOOKED, ALSO, FAILED))


def test_calls_stand_where_they_were_made():
    assert list(past(session())) == [
        HISTORY[0], HISTORY[1], (LOOKED, ALSO), HISTORY[2], HISTORY[3], (FAILED,), HISTORY[4],
    ]  # fmt: skip


def test_calls_after_the_last_words_are_not_lost():
    told = replace(session(), history=HISTORY[:2], earlier=(LOOKED, FAILED))
    assert list(past(told)) == [HISTORY[0], HISTORY[1], (LOOKED,), (FAILED,)]


def heard_by(saver):
    heard = []

    def answer(state):
        heard.extend(state["messages"])
        return {"messages": [AIMessage("Yes?")]}

    graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer").compile(checkpointer=saver)
    asyncio.run(GraphAgent(graph).reply("And now?", session()))
    return heard


def test_a_graph_has_the_calls_and_their_results_whether_or_not_it_remembers():
    for saver in (None, InMemorySaver()):
        heard = heard_by(saver)
        assert [type(each) for each in heard] == [
            HumanMessage, AIMessage, AIMessage, ToolMessage, ToolMessage, AIMessage,
            HumanMessage, AIMessage, ToolMessage, AIMessage, HumanMessage,
        ]  # fmt: skip
        assert [(call["name"], call["args"], call["id"]) for call in heard[2].tool_calls] == [
            ("get_order", {"id": "O-1"}, "c-1"),
            ("get_order", {"id": "O-2"}, "c-2"),
        ]
        assert (heard[3].tool_call_id, json.loads(heard[3].text), heard[3].status) == (
            "c-1", {"status": "shipped"}, "success",
        )  # fmt: skip
        assert (heard[8].tool_call_id, heard[8].text, heard[8].status) == ("c-3", "too late", "error")


def test_a_model_has_them_too():
    asked = []

    class Client:
        async def ask(self, asking, messages, seed):
            asked.extend(messages)
            return ModelAnswer(assistant([text_part("Yes?")]), "stop")

    asyncio.run(ToolLoop(Client(), None, 1, print).reply("And now?", session()))
    assert [message["role"] for message in asked] == [
        "user", "assistant", "assistant", "tool", "tool", "assistant", "user", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    assert asked[2]["parts"] == [
        {"type": "tool_call", "id": "c-1", "name": "get_order", "arguments": '{"id": "O-1"}'},
        {"type": "tool_call", "id": "c-2", "name": "get_order", "arguments": '{"id": "O-2"}'},
    ]
    assert asked[3]["parts"] == [{"type": "tool_call_response", "id": "c-1", "response": '{"status": "shipped"}'}]
    assert asked[8]["parts"] == [{"type": "tool_call_response", "id": "c-3", "response": "too late"}]


def test_and_so_has_a_service():
    asked = []

    class Service:
        place = "http://agent"

        async def ask(self, body, headers):
            asked.append(json.loads(body))
            return Answer(messages=("Yes?",))

    asyncio.run(HttpConversation(Service(), BODY).reply("And now?", session()))
    history = asked[0]["history"]
    assert [entry["role"] for entry in history] == [
        "user", "agent", "agent", "tool", "tool", "agent", "user", "agent", "tool", "agent",
    ]  # fmt: skip
    assert history[2]["tool_calls"][1] == {"id": "c-2", "name": "get_order", "arguments": {"id": "O-2"}}
    assert history[3] == {"role": "tool", "id": "c-1", "name": "get_order", "result": {"status": "shipped"}}
    assert history[8] == {"role": "tool", "id": "c-3", "name": "cancel_order", "error": "too late"}
    assert asked[0]["turn"] == 3
