"""Compiled graphs: own thread and saver, only this turn's messages, pauses answered one by one."""

from __future__ import annotations

import asyncio
import operator
import warnings
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt

from harness.agents.problem import AgentError, AgentProblem
from harness.agents.resolve import resolve
from harness.model.agent import Interrupted
from harness.model.episode import Message
from tests.harness.agents.desk import Desk, talk
from tests.harness.agents.graphs import ScriptedModel, get_order, looks_up_then_tells, texts
from traces.capture import Tracing
from traces.genai import Usage, model_calls

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langgraph.prebuilt import create_react_agent

HERE = __import__("pathlib").Path(__file__).parent


def graph_of(*nodes, state=MessagesState, **options):
    """A graph that runs the nodes one after the other."""
    builder = StateGraph(state)
    previous = START
    for node in nodes:
        builder.add_node(node.__name__, node)
        builder.add_edge(previous, node.__name__)
        previous = node.__name__
    builder.add_edge(previous, END)
    return builder.compile(**options)


def said(graph, *messages):
    return [reply.messages for reply in talk(resolve(graph, HERE), None, *messages)]


def count(state):
    return {"messages": [AIMessage(f"{len(state['messages'])} so far")]}


async def count_async(state):
    return count(state)


def test_only_this_turns_messages_are_the_reply():
    for node in (count, count_async):
        for saver in (None, InMemorySaver()):
            # Each turn adds the user's message and the agent's.
            assert said(graph_of(node, checkpointer=saver), "a", "b", "c") == [
                ("1 so far",),
                ("3 so far",),
                ("5 so far",),
            ]


def test_a_saver_kept_between_trials_is_left_alone():
    saver = InMemorySaver()
    graph = graph_of(count, checkpointer=saver).with_config({"configurable": {"thread_id": "always the same"}})
    source = resolve(graph, HERE)
    for _ in range(3):
        assert [reply.messages for reply in talk(source, None, "a", "b")] == [("1 so far",), ("3 so far",)]
    assert list(saver.list(None)) == []


def test_concurrent_conversations_do_not_mix():
    async def slow(state):
        await asyncio.sleep(0.001)
        return {"messages": [AIMessage(" ".join(m.content for m in state["messages"] if m.type == "human"))]}

    source = resolve(graph_of(slow, checkpointer=InMemorySaver()), HERE)

    async def one(number):
        session = Desk().session()
        agent = await source.open(session)
        return [(await agent.reply(f"{number}-{turn}", session)).messages[0] for turn in range(3)]

    async def many():
        return await asyncio.gather(*(one(number) for number in range(20)))

    for number, replies in enumerate(asyncio.run(many())):
        assert replies[-1] == f"{number}-0 {number}-1 {number}-2"


class Counting(MessagesState):
    turns: int


def remember(state):
    turns = state.get("turns", 0) + 1
    return {"turns": turns, "messages": [AIMessage(f"turn {turns}")]}


def test_only_a_graph_with_a_saver_keeps_the_rest_of_its_state():
    assert said(graph_of(remember, state=Counting, checkpointer=InMemorySaver()), "a", "b") == [
        ("turn 1",),
        ("turn 2",),
    ]
    assert said(graph_of(remember, state=Counting), "a", "b") == [("turn 1",), ("turn 1",)]


class Replaced(TypedDict):
    messages: list[AnyMessage]


def test_a_graph_that_gives_only_its_new_messages_is_given_what_it_gave():
    def answer(state):
        return {"messages": [AIMessage(f"heard {len(state['messages'])}")]}

    # Its state is replaced, not added to, so the user's message is gone from what comes back.
    assert said(graph_of(answer, state=Replaced), "a", "b") == [("heard 1",), ("heard 2",)]


class Added(TypedDict):
    messages: Annotated[list[Any], operator.add]


def test_messages_may_be_plain_dicts_and_pairs():
    def answer(state):
        return {"messages": [{"role": "assistant", "content": "one"}, ("ai", "two")]}

    assert said(graph_of(answer, state=Added), "a", "b") == [("one", "two"), ("one", "two")]


class Narrow(TypedDict):
    done: bool


def test_an_output_schema_without_messages_hides_nothing():
    class Wide(MessagesState):
        done: bool

    builder = StateGraph(Wide, output_schema=Narrow)
    builder.add_node("count", count)
    builder.add_edge(START, "count")
    assert said(builder.compile(), "a") == [("1 so far",)]


def test_several_messages_lists_of_parts_and_empty_ones():
    def answer(state):
        return {
            "messages": [
                AIMessage("one"),
                AIMessage(""),
                AIMessage([{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "two"}]),
            ]
        }

    assert said(graph_of(answer)) == [("one", "two")]


def test_an_agent_with_memory_is_primed_from_the_history():
    def tell(state):
        return {"messages": [AIMessage(str(texts(state["messages"])))]}

    history = [Message("user", "hello", 1), Message("agent", "yes?", 1)]
    for saver in (None, InMemorySaver()):
        source = resolve(graph_of(tell, checkpointer=saver), HERE)
        (first, second) = talk(source, None, "a", "b", session=Desk().session(history=history))
        assert first.messages == ("[('human', 'hello'), ('ai', 'yes?'), ('human', 'a')]",)
        assert second.messages[0].count("hello") == 2  # once as such, once in what it said before


def test_the_history_may_be_trimmed_by_the_graph():
    from langchain_core.messages import RemoveMessage
    from langgraph.graph.message import REMOVE_ALL_MESSAGES

    def forget(state):
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), AIMessage(f"heard {state['messages'][-1].content}")]}

    assert said(graph_of(forget, checkpointer=InMemorySaver()), "a", "b") == [("heard a",), ("heard b",)]


def test_nothing_said_is_an_error_and_exceptions_are_as_they_are():
    def silent(state):
        return {"messages": []}

    def broken(state):
        raise KeyError("no such order")

    def again(state):
        return Command(goto="again")

    with pytest.raises(AgentError, match="without an AI message that has text"):
        said(graph_of(silent))
    with pytest.raises(KeyError, match="no such order"):
        said(graph_of(broken))
    with pytest.raises(GraphRecursionError):
        said(graph_of(again).with_config(recursion_limit=10))


def test_stores_in_memory_are_copied_and_caches_are_off():
    store = InMemoryStore()
    store.put(("seen",), "before", {"n": 1})

    def note(state, *, store):
        store.put(("seen",), state["messages"][-1].content, {"n": 2})
        return {"messages": [AIMessage(str(len(store.search(("seen",)))))]}

    source = resolve(graph_of(note, store=store), HERE)
    for _ in range(2):
        assert [reply.messages for reply in talk(source, None, "a", "b")] == [("2",), ("3",)]
    assert [item.key for item in store.search(("seen",))] == ["before"]


def test_what_is_no_conversation_is_refused():
    class Other(TypedDict):
        question: str

    with pytest.raises(AgentProblem, match=r"whose state has no `messages` \(it has question\); put it in a function"):
        resolve(graph_of(lambda_node, state=Other), HERE)
    with pytest.raises(AgentProblem, match="StateGraph that is not compiled"):
        resolve(StateGraph(MessagesState), HERE)


def lambda_node(state):
    return {}


def paused(graph, answers, *, rounds=1, desk=None):
    """The payloads of each pause by what they ask, and the reply once all are answered."""

    async def run():
        session = (desk or Desk()).session()
        agent = await resolve(graph, HERE).open(session)
        pauses = []
        turn = agent.reply("go", session)
        while True:
            try:
                return pauses, (await turn).messages
            except Interrupted as pause:
                pauses.append(sorted(str(payload) for payload in pause.payloads.values()))
                assert len(pauses) <= rounds
                turn = agent.resume({name: answers(payload) for name, payload in pause.payloads.items()}, session)

    return asyncio.run(run())


def test_two_pauses_at_once_get_their_own_answers():
    def refund(state):
        return {"messages": [AIMessage(f"refund: {interrupt({'act': 'refund', 'amount': 40})}")]}

    def cancel(state):
        return {"messages": [AIMessage(f"cancel: {interrupt({'act': 'cancel'})}")]}

    builder = StateGraph(MessagesState)
    for node in (refund, cancel):
        builder.add_node(node.__name__, node)
        builder.add_edge(START, node.__name__)
    for saver in (None, InMemorySaver()):
        pauses, messages = paused(
            builder.compile(checkpointer=saver), lambda payload: "yes" if payload["act"] == "cancel" else "no"
        )
        assert pauses == [["{'act': 'cancel'}", "{'act': 'refund', 'amount': 40}"]]
        assert sorted(messages) == ["cancel: yes", "refund: no"]


def test_two_pauses_in_a_row_and_a_conversation_that_goes_on():
    def ask(state):
        first = interrupt("first?")
        return {"messages": [AIMessage(f"{first} then {interrupt('second?')}")]}

    pauses, messages = paused(graph_of(ask, checkpointer=InMemorySaver()), lambda p: p.upper(), rounds=2)
    assert pauses == [["first?"], ["second?"]]
    assert messages == ("FIRST? then SECOND?",)


def test_a_pause_in_a_subgraph():
    def ask(state):
        return {"messages": [AIMessage(f"got {interrupt({'q': 1})}")]}

    outer = StateGraph(MessagesState)
    outer.add_node("inner", graph_of(ask, checkpointer=InMemorySaver()))
    outer.add_edge(START, "inner")
    assert paused(outer.compile(), lambda payload: payload["q"] + 1) == ([["{'q': 1}"]], ("got 2",))


def test_resuming_runs_the_node_again_and_every_call_is_on_record():
    """That is how LangGraph works: a write before the pause happens twice, and the record says so."""
    desk = Desk({"get_order": lambda order_id: "shipped"})

    def look_then_ask(state):
        found = get_order.invoke({"order_id": "O-1"})
        return {"messages": [AIMessage(f"{found}, {interrupt('go on?')}")]}

    pauses, messages = paused(graph_of(look_then_ask, checkpointer=InMemorySaver()), lambda payload: "yes", desk=desk)
    assert (pauses, messages) == ([["go on?"]], ("shipped, yes",))
    assert desk.made == [("get_order", {"order_id": "O-1"}, "sandbox", None)] * 2


def test_a_graph_that_stops_before_a_node_pauses():
    def first(state):
        return {"messages": [AIMessage("thinking")]}

    graph = graph_of(first, count, checkpointer=InMemorySaver(), interrupt_before=["count"])
    pauses, messages = paused(graph, lambda payload: "go on")
    assert pauses == [["{'next': ['count']}"]]
    assert messages == ("thinking", "2 so far")


def test_a_pause_is_no_error_span():
    tracing = Tracing()

    def ask(state):
        return {"messages": [AIMessage(f"got {interrupt('?')}")]}

    async def run():
        session = Desk().session()
        with tracing.episode() as episode:
            agent = await resolve(graph_of(ask), HERE).open(session)
            with episode.turn(1):
                try:
                    await agent.reply("go", session)
                except Interrupted as pause:
                    await agent.resume(dict.fromkeys(pause.payloads, "yes"), session)
        return episode.finish()[0]

    assert {span.status for span in asyncio.run(run())} == {"unset"}


def test_the_next_turn_after_a_pause_is_an_ordinary_one():
    def ask(state):
        if state["messages"][-1].content == "pay":
            return {"messages": [AIMessage(f"paid: {interrupt('sure?')}")]}
        return {"messages": [AIMessage(str(texts(state["messages"])))]}

    async def run():
        session = Desk().session()
        agent = await resolve(graph_of(ask, checkpointer=InMemorySaver()), HERE).open(session)
        try:
            await agent.reply("pay", session)
        except Interrupted as pause:
            paid = await agent.resume(dict.fromkeys(pause.payloads, "yes"), session)
        return paid, await agent.reply("and now?", session)

    paid, then = asyncio.run(run())
    assert paid.messages == ("paid: yes",)
    assert then.messages == ("[('human', 'pay'), ('ai', 'paid: yes'), ('human', 'and now?')]",)


def test_a_prebuilt_agent_and_its_tokens():
    usage = {"input_tokens": 20, "output_tokens": 5, "total_tokens": 25, "input_token_details": {"cache_read": 8}}

    def script(messages):
        answer = looks_up_then_tells(messages)
        answer.usage_metadata = usage
        answer.response_metadata = {"model_name": "scripted-1"}
        return answer

    tracing = Tracing()
    desk = Desk({"get_order": lambda order_id: {"status": "shipped"}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = create_react_agent(ScriptedModel(script=script), [get_order], prompt="Help.")

    async def run():
        session = desk.session()
        with tracing.episode() as episode:
            agent = await resolve(graph, HERE).open(session)
            with episode.turn(1):
                first = await agent.reply("O-1", session)
            with episode.turn(2):
                second = await agent.reply("O-2", session)
        return (first, second), *episode.finish()

    replies, spans, missing = asyncio.run(run())
    assert [reply.messages for reply in replies] == [('success: {"status": "shipped"}',)] * 2
    assert missing is None
    calls = model_calls(spans)
    assert [(call.turn, call.model, call.tokens) for call in calls] == [
        (turn, "scripted-1", Usage(20, 5, 8)) for turn in (1, 1, 2, 2)
    ]
    turns = {span.attributes["turngate.turn"]: span.span_id for span in spans if span.name == "turn"}
    assert {span.parent_id for span in spans if span.name.startswith("chat")} == set(turns.values())


def test_the_system_prompt_reaches_every_turn():
    seen = []

    def script(messages):
        seen.append([message.type for message in messages])
        return AIMessage("ok")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = create_react_agent(ScriptedModel(script=script), [], prompt="Help.", checkpointer=InMemorySaver())
    said(graph, "a", "b")
    assert seen == [["system", "human"], ["system", "human", "ai", "human"]]


def test_a_model_that_fails_leaves_an_error_span_and_its_exception():
    def script(messages):
        raise ConnectionError("no provider")

    def answer(state):
        return {"messages": [ScriptedModel(script=script).invoke(state["messages"])]}

    tracing = Tracing()

    async def run():
        session = Desk().session()
        with tracing.episode() as episode:
            agent = await resolve(graph_of(answer), HERE).open(session)
            with pytest.raises(ConnectionError):
                await agent.reply("hi", session)
        return episode.finish()[0]

    (chat,) = [span for span in asyncio.run(run()) if span.name.startswith("chat")]
    assert (chat.status, chat.status_text, chat.attributes["error.type"]) == ("error", "no provider", "ConnectionError")


def test_calls_that_langchain_could_not_read_are_on_record():
    def script(messages):
        if len(messages) > 1:
            return AIMessage("sorry")
        broken = {
            "name": "get_order",
            "args": '{"order_id": "O-1",}',
            "id": "c-1",
            "error": None,
            "type": "invalid_tool_call",
        }
        return AIMessage("one moment", invalid_tool_calls=[broken])

    desk = Desk({"get_order": lambda order_id: "shipped"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = create_react_agent(ScriptedModel(script=script), [get_order])
    (reply,) = talk(resolve(graph, HERE), desk)
    assert reply.messages == ("one moment",)
    (call,) = desk.calls
    assert (call.raw, call.arguments, call.error.kind, call.origin, call.kind) == (
        '{"order_id": "O-1",}',
        None,
        "bad_arguments",
        "span",
        "reads",
    )
