"""A real tool never runs by accident: every tool here raises if it really runs."""

from __future__ import annotations

import asyncio
import contextvars
import json
import random
import threading
import time
import warnings
from collections import deque
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Annotated

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, StructuredTool, tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolNode, tools_condition
from langgraph.types import Command, interrupt
from opentelemetry import trace

from harness.agents.current import EPISODES
from harness.agents.problem import AgentError, AgentProblem
from harness.agents.resolve import resolve
from harness.model.agent import Interrupted
from tests.harness.agents.desk import Desk, spec, talk
from tests.harness.agents.graphs import ScriptedModel, call, cancel_order, get_order, looks_up_then_tells, texts
from traces.capture import Tracing

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langgraph.prebuilt import create_react_agent

HERE = Path(__file__).parent


def react(script, tools, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return create_react_agent(ScriptedModel(script=script), tools, **options)


def with_tool_node(script, node):
    """The graph of the tutorials: a model node, a tool node, and an edge that decides between them."""
    model = ScriptedModel(script=script)

    def chat(state):
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("chat", chat)
    builder.add_node("tools", node)
    builder.add_edge(START, "chat")
    builder.add_conditional_edges("chat", tools_condition)
    builder.add_edge("tools", "chat")
    return builder.compile()


def one_round(*calls):
    """A script that makes the calls at once and then tells what came back."""

    def script(messages):
        back = [message for message in messages if isinstance(message, ToolMessage)]
        if not back:
            return AIMessage("", tool_calls=list(calls))
        return AIMessage("; ".join(f"{message.tool_call_id} {message.status}: {message.content}" for message in back))

    return script


@pytest.fixture
def desk():
    def look(order_id):
        if order_id != "O-1":
            raise LookupError(f"no order {order_id}")
        return {"status": "shipped"}

    return Desk({"get_order": look, "cancel_order": lambda order_id: {"ok": True}})


def test_a_tool_node_goes_to_the_sandbox(desk):
    graph = with_tool_node(looks_up_then_tells, ToolNode([get_order, cancel_order]))
    (reply,) = talk(resolve(graph, HERE), desk, "O-1")
    assert reply.messages == ('success: {"status": "shipped"}',)
    assert desk.made == [("get_order", {"order_id": "O-1"}, "sandbox", None)]


def test_a_prebuilt_agent_both_versions(desk):
    for version in ("v1", "v2"):
        (reply,) = talk(resolve(react(looks_up_then_tells, [get_order], version=version), HERE), desk, "O-1")
        assert reply.messages == ('success: {"status": "shipped"}',)


def test_a_tools_no_reaches_the_model_as_an_error_message(desk):
    (reply,) = talk(resolve(react(looks_up_then_tells, [get_order]), HERE), desk, "O-9")
    assert reply.messages == ("error: no order O-9",)
    assert desk.made == [("get_order", {"order_id": "O-9"}, "sandbox", "refused")]


def test_parallel_calls_get_their_own_results_whatever_ends_first():
    def slow(order_id):
        time.sleep(random.uniform(0, 0.02))
        return {"order": order_id}

    desk = Desk({"get_order": slow})
    calls = [call("get_order", f"c-{n}", order_id=f"O-{n}") for n in range(9)]
    (reply,) = talk(resolve(react(one_round(*calls), [get_order]), HERE), desk)
    assert reply.messages[0].split("; ") == [f'c-{n} success: {{"order": "O-{n}"}}' for n in range(9)]
    assert {each.id: each.arguments["order_id"] for each in desk.calls} == {f"c-{n}": f"O-{n}" for n in range(9)}


def test_arguments_arrive_as_the_model_gave_them(desk):
    """It is the sandbox that says what is wrong with them, so that a bad call is on record and not just turned down."""
    seen = []
    desk.tools["get_order"] = lambda **arguments: seen.append(arguments) or "ok"
    graph = react(one_round(call("get_order", "c-1", order=7, extra={"a": [1, None]})), [get_order])
    talk(resolve(graph, HERE), desk)
    assert seen == [{"order": 7, "extra": {"a": [1, None]}}]


def test_arguments_that_the_framework_fills_in_stay_out(desk):
    @tool
    def look(order_id: str, state: Annotated[dict, InjectedState], call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Look."""
        raise AssertionError("really ran")

    desk.tools["look"] = lambda **arguments: sorted(arguments)
    graph = react(one_round(call("look", "c-1", order_id="O-1")), [look])
    (reply,) = talk(resolve(graph, HERE), desk)
    assert reply.messages == ('c-1 success: ["order_id"]',)


def test_a_tool_that_returns_directly_is_the_answer(desk):
    @tool(return_direct=True)
    def get_order(order_id: str) -> str:
        """Look."""
        raise AssertionError("really ran")

    (reply,) = talk(resolve(react(looks_up_then_tells, [get_order]), HERE), desk, "O-1")
    assert reply.messages == ('{"status": "shipped"}',)


def test_a_made_up_tool_is_on_record_and_the_conversation_goes_on(desk):
    graph = react(one_round(call('get_report" />', "c-1"), call("get_order", "c-2", order_id="O-1")), [get_order])
    (reply,) = talk(resolve(graph, HERE), desk)
    assert 'c-1 error: Error: get_report" /> is not a valid tool' in reply.messages[0]
    assert 'c-2 success: {"status": "shipped"}' in reply.messages[0]
    assert sorted((name, kind) for name, _, _, kind in desk.made if kind) == [('get_report" />', "unknown_tool")]


def test_a_tool_of_another_agents_is_turned_down_as_in_production(desk):
    """The sandbox has cancel_order, but this agent was not given it."""
    (reply,) = talk(resolve(react(one_round(call("cancel_order", "c-1", order_id="O-1")), [get_order]), HERE), desk)
    assert "cancel_order is not a valid tool" in reply.messages[0]
    assert [(name, origin, kind) for name, _, origin, kind in desk.made] == [("cancel_order", "span", "unknown_tool")]


def test_subgraphs_as_nodes_in_nodes_and_in_tools(desk):
    inner = react(looks_up_then_tells, [get_order])
    as_node = StateGraph(MessagesState)
    as_node.add_node("inner", inner)
    as_node.add_edge(START, "inner")
    called = StateGraph(MessagesState)
    called.add_node("outer", lambda state: {"messages": inner.invoke(state)["messages"][-1:]})
    called.add_edge(START, "outer")
    for graph in (as_node.compile(), called.compile()):
        (reply,) = talk(resolve(graph, HERE), desk, "O-1")
        assert reply.messages == ('success: {"status": "shipped"}',)
    assert [name for name, *_ in desk.made] == ["get_order", "get_order"]


TOOLS = {each.name: each for each in (get_order, cancel_order)}


def _by_hand(state):
    """A tool node written by hand, with the tools in a global."""
    done = []
    for each in state["messages"][-1].tool_calls:
        done.append(ToolMessage(str(TOOLS[each["name"]].invoke(each["args"])), tool_call_id=each["id"]))
    return {"messages": done}


def test_tools_called_by_the_code_of_a_node(desk):
    graph = with_tool_node(one_round(call("get_order", "c-1", order_id="O-1")), _by_hand)
    source = resolve(graph, HERE)
    (reply,) = talk(source, desk)
    assert reply.messages == ("c-1 success: {'status': 'shipped'}",)
    assert source.notes == ["the code in node chat, tools runs as it is: only LangChain tools in it are redirected"]


def test_tools_held_in_closures_partials_and_objects(desk):
    class Node:
        def __init__(self, tools):
            self.tools = tools

        async def __call__(self, state):
            found = await self.tools[0].ainvoke({"order_id": "O-1"})
            return {"messages": [AIMessage(found["status"])]}

    def maker(held):
        def node(state):
            return {"messages": [AIMessage(held.invoke(call("get_order", "c-1", order_id="O-1")).content)]}

        return node

    for node in (Node([get_order]), maker(get_order)):
        builder = StateGraph(MessagesState)
        builder.add_node("node", node)
        builder.add_edge(START, "node")
        (reply,) = talk(resolve(builder.compile(), HERE), desk)
        assert "shipped" in reply.messages[0]


def test_a_function_that_calls_a_graph(desk):
    graph = react(looks_up_then_tells, [get_order])

    async def agent(message):
        result = await graph.ainvoke({"messages": [HumanMessage(message)]})
        return result["messages"][-1]

    class Agent:
        def __init__(self):
            self.graph = graph

        def reply(self, message):
            return self.graph.invoke({"messages": [HumanMessage(message)]})["messages"][-1]

    for each in (agent, Agent()):
        (reply,) = talk(resolve(each, HERE), desk, "O-1")
        assert reply.messages == ('success: {"status": "shipped"}',)


def test_a_factory_of_graphs_is_redirected_too(desk):
    def build():
        return react(looks_up_then_tells, [get_order])

    source = resolve(build, HERE)
    for _ in range(2):
        assert talk(source, desk, "O-1")[0].messages == ('success: {"status": "shipped"}',)


def test_a_tool_class_of_ones_own(desk):
    class GetOrder(BaseTool):
        name: str = "get_order"
        description: str = "Look an order up."

        def _run(self, order_id: str) -> str:
            raise AssertionError("really ran")

    (reply,) = talk(resolve(react(looks_up_then_tells, [GetOrder()]), HERE), desk, "O-1")
    assert reply.messages == ('success: {"status": "shipped"}',)


def test_many_conversations_at_once_over_one_graph():
    source = resolve(react(looks_up_then_tells, [get_order]), HERE)

    async def one(number):
        desk = Desk({"get_order": lambda order_id: f"{order_id} for {number}"})
        session = desk.session()
        agent = await source.open(session)
        replies = [(await agent.reply(f"O-{turn}", session)).messages for turn in range(3)]
        return desk, replies

    async def many():
        return await asyncio.gather(*(one(number) for number in range(30)))

    for number, (desk, replies) in enumerate(asyncio.run(many())):
        assert replies == [(f"success: O-{turn} for {number}",) for turn in range(3)]
        assert [arguments["order_id"] for _, arguments, _, _ in desk.made] == ["O-0", "O-1", "O-2"]


def test_a_tool_that_the_sandbox_lacks_is_refused_before_the_first_turn(desk):
    @tool
    def cancel_ordre(order_id: str) -> str:
        """Cancel."""
        raise AssertionError("really ran")

    graph = react(looks_up_then_tells, [get_order, cancel_ordre])
    source = resolve(graph, HERE)
    with pytest.raises(AgentProblem) as caught:
        source.check(desk.tools)
    assert str(caught.value) == (
        "the sandbox lacks 1 tool(s) of the agent: cancel_ordre (is it cancel_order?). "
        "Add them to the sandbox (without Python: under `tools:` in workflow.yaml), or name under `passthrough:` "
        "there those that may really run"
    )
    source.check(desk.tools, ["cancel_ordre"])
    with pytest.raises(AgentProblem, match="lacks 1 tool"):
        talk(source, desk, "O-1")
    with pytest.raises(AgentProblem, match="lacks 1 tool"):
        talk(resolve(lambda: graph, HERE), desk, "O-1")
    assert desk.calls == []


def test_outside_an_episode_a_tool_is_refused_while_one_is_open_and_else_the_users_own_affair():
    @tool
    def price(item: str) -> str:
        """The price."""
        return f"{item} costs 5"

    graph = react(one_round(call("price", "c-1", item="tea")), [price])
    resolve(graph, HERE)
    with EPISODES:
        with pytest.raises(AgentError, match="price was called outside an episode"):
            price.invoke({"item": "tea"})
        with pytest.raises(AgentError, match="price was called outside an episode"):
            graph.invoke({"messages": [HumanMessage("tea")]})
    assert price.invoke({"item": "tea"}) == "tea costs 5"
    assert asyncio.run(price.ainvoke({"item": "tea"})) == "tea costs 5"
    assert graph.invoke({"messages": [HumanMessage("tea")]})["messages"][-1].content == "c-1 success: tea costs 5"


def test_a_thread_that_an_episode_left_behind_does_not_reach_the_real_tool():
    over, caught = threading.Event(), []

    def work():
        over.wait(60)
        try:
            get_order.invoke({"order_id": "O-1"})
        except AgentError as error:
            caught.append(str(error))

    with EPISODES:
        thread = threading.Thread(target=work)
        thread.start()
    over.set()
    thread.join()
    assert "get_order was called outside an episode" in caught[0]


def test_a_thread_without_the_context_does_not_reach_the_real_tool(desk):
    caught = []

    def node(state):
        def work():
            try:
                get_order.invoke({"order_id": "O-1"})
            except AgentError as error:
                caught.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return {"messages": [AIMessage("done")]}

    builder = StateGraph(MessagesState)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    talk(resolve(builder.compile(), HERE), desk)
    assert "hand them its context" in caught[0]


def let_through(graph, session, *messages):
    tracing = Tracing()

    async def run():
        with tracing.episode() as episode:
            agent = await resolve(graph, HERE).open(session)
            replies = []
            for number, message in enumerate(messages, 1):
                with episode.turn(number):
                    replies.append((await agent.reply(message, session)).messages)
        return replies, episode.finish()[0]

    return asyncio.run(run())


def test_passthrough_really_runs_and_is_on_record_with_a_span(desk):
    ran = []

    def real(order_id: str) -> dict:
        """Look."""
        ran.append(order_id)
        with trace.get_tracer("shop").start_as_current_span("query"):
            return {"real": order_id}

    for real_tool in (
        StructuredTool.from_function(real, name="get_order"),
        StructuredTool.from_function(coroutine=_async(real), name="get_order", description="Look."),
    ):
        desk.calls.clear()
        session = desk.session(spec("get_order", "writes", order_id="string"), passthrough=["get_order"])
        replies, spans = let_through(react(looks_up_then_tells, [real_tool]), session, "O-1")
        assert replies == [('success: {"real": "O-1"}',)]
        (made,) = desk.calls
        assert (made.tool, made.arguments, made.result, made.origin, made.kind, made.error) == (
            "get_order",
            {"order_id": "O-1"},
            {"real": "O-1"},
            "passthrough",
            "writes",
            None,
        )
        assert made.ended >= made.started > 0
        (span,) = [span for span in spans if span.span_id == made.span_id]
        assert span.name == "execute_tool get_order"
        assert span.attributes["gen_ai.tool.call.arguments"] == '{"order_id":"O-1"}'
        assert span.attributes["gen_ai.tool.call.result"] == '{"real":"O-1"}'
        (query,) = [span for span in spans if span.name == "query"]
        assert query.parent_id == span.span_id
    assert ran == ["O-1", "O-1"]


def _async(function):
    async def run(order_id: str):
        return function(order_id)

    return run


def test_a_real_tool_that_raises_is_on_record(desk):
    @tool
    def get_order(order_id: str) -> str:
        """Look."""
        raise TimeoutError("the shop is down")

    session = desk.session(passthrough=["get_order"])
    with pytest.raises(TimeoutError, match="the shop is down"):
        let_through(react(looks_up_then_tells, [get_order]), session, "O-1")
    (made,) = desk.calls
    assert (made.error.kind, made.error.text) == ("passthrough", "TimeoutError: the shop is down")


def test_a_hand_over_between_agents_passes_through(desk):
    @tool
    def to_billing() -> Command:
        """Hand over."""
        return Command(goto="billing", graph=Command.PARENT, update={"messages": []})

    billing = react(lambda messages: AIMessage("billing here"), [])
    builder = StateGraph(MessagesState)
    builder.add_node("front", react(one_round(call("to_billing", "c-1")), [to_billing]), destinations=("billing",))
    builder.add_node("billing", billing)
    builder.add_edge(START, "front")
    builder.add_edge("billing", END)
    replies, _ = let_through(builder.compile(), desk.session(passthrough=["to_billing"]), "hi")
    assert replies == [("billing here",)]
    assert [(name, origin) for name, _, origin, _ in desk.made] == [("to_billing", "passthrough")]


def test_a_real_tool_that_asks_a_person_is_recorded_once_it_is_done(desk):
    @tool
    def ask_human(question: str) -> str:
        """Ask."""
        return f"they said {interrupt({'question': question})}"

    graph = react(one_round(call("ask_human", "c-1", question="refund?")), [ask_human])

    async def run():
        session = desk.session(passthrough=["ask_human"])
        agent = await resolve(graph, HERE).open(session)
        with pytest.raises(Interrupted) as pause:
            await agent.reply("hi", session)
        assert list(pause.value.payloads.values()) == [{"question": "refund?"}]
        return await agent.resume(dict.fromkeys(pause.value.payloads, "yes"), session)

    assert asyncio.run(run()).messages == ("c-1 success: they said yes",)
    assert [(made.tool, made.result) for made in desk.calls] == [("ask_human", "they said yes")]


def test_what_can_not_be_redirected_is_said():
    from langgraph.pregel.remote import RemoteGraph

    def fetch(state):
        return {}

    builder = StateGraph(MessagesState)
    builder.add_node("fetch", fetch)
    builder.add_node("far", RemoteGraph("billing", url="http://localhost:1"))
    builder.add_node("tools", ToolNode([get_order]))
    builder.add_edge(START, "fetch")
    source = resolve(builder.compile(), HERE)
    asyncio.run(source.open(Desk({"get_order": None}).session()))
    assert source.notes == [
        "the code in node fetch runs as it is: only LangChain tools in it are redirected",
        "the remote graph billing calls its own tools: nothing there is redirected",
    ]
    with pytest.raises(AgentProblem, match="its tools run where it runs"):
        resolve(RemoteGraph("billing", url="http://localhost:1"), HERE)


def test_the_messages_around_a_call_are_whole(desk):
    """A call without its result, or one of two, would make every later turn fail."""
    seen = []

    def script(messages):
        seen.append(texts(messages))
        return looks_up_then_tells(messages)

    talk(resolve(react(script, [get_order]), HERE), desk, "O-1", "O-9")
    assert seen[-1] == [
        ("human", "O-1"),
        ("ai", ""),
        ("tool", '{"status": "shipped"}'),
        ("ai", 'success: {"status": "shipped"}'),
        ("human", "O-9"),
        ("ai", ""),
        ("tool", "no order O-9"),
    ]


def test_a_function_that_reaches_tools_is_told_to_run_as_it_is():
    def agent(message):
        return get_order.func(message)

    def talks(message):
        return "Hello."

    (note,) = [note for note in resolve(agent, Path()).notes if "as it is" in note]
    assert note == "the code in agent runs as it is: a call of a LangChain tool's own `.func` really runs it"
    assert not [note for note in resolve(talks, Path()).notes if "as it is" in note]


PACKAGE = ModuleType("shop")
PACKAGE.tools = ModuleType("shop.tools")
PACKAGE.tools.get_order = get_order


class Attribute:
    held = get_order


class Methods:
    @staticmethod
    def by_static():
        return Attribute.held.invoke({"order_id": "O-1"})

    @classmethod
    def by_class(cls):
        return cls.by_static()

    @property
    def by_property(self):
        return self.by_static()


class Slots:
    __slots__ = ("held",)

    def __init__(self):
        self.held = get_order


@lru_cache
def cached():
    return {"held": get_order}


def keyword(*, held=get_order):
    return held.invoke({"order_id": "O-1"})


def marked():
    return marked.held.invoke({"order_id": "O-1"})


marked.held = get_order


def imported():
    from tests.harness.agents.graphs import get_order as late

    return late.invoke({"order_id": "O-1"})


def made_now():
    new = StructuredTool.from_function(get_order.func, name="get_order", description="Look.")
    return new.invoke({"order_id": "O-1"})


def in_a_thread():
    result = []
    run = contextvars.copy_context().run
    thread = threading.Thread(target=run, args=(lambda: result.append(get_order.invoke({"order_id": "O-1"})),))
    thread.start()
    thread.join()
    return result[0]


def overriding():
    """A class that comes into being within a turn, and brings ways to run of its own."""

    class Own(BaseTool):
        name: str = "get_order"
        description: str = "Look."

        def run(self, *_, **__):
            raise AssertionError("really ran")

        def invoke(self, *_, **__):
            raise AssertionError("really ran")

        def _run(self, order_id: str) -> str:
            raise AssertionError("really ran")

    return [Own().invoke({"order_id": "O-1"}), Own().run({"order_id": "O-1"}), Own()._run("O-1")][-1]


WAYS = {
    "nested module": lambda: PACKAGE.tools.get_order.invoke({"order_id": "O-1"}),
    "class attribute": Methods.by_static,
    "class method": Methods.by_class,
    "property": lambda: Methods().by_property,
    "slots": lambda: Slots().held.invoke({"order_id": "O-1"}),
    "cached function": lambda: cached()["held"].invoke({"order_id": "O-1"}),
    "keyword default": keyword,
    "function attribute": marked,
    "import in a function": imported,
    "namespace": lambda: SimpleNamespace(held=get_order).held.invoke({"order_id": "O-1"}),
    "deque": lambda: deque([get_order])[0].invoke({"order_id": "O-1"}),
    "made in a turn": made_now,
    "thread with the context": in_a_thread,
    "class of its own": overriding,
    "run": lambda: get_order.run({"order_id": "O-1"}),
    "bare run": lambda: get_order._run(order_id="O-1", config={}),
    "by position": lambda: get_order._run("O-1", config={}),
    "text alone": lambda: get_order.invoke("O-1"),
    "tool call": lambda: json.loads(get_order.invoke(call("get_order", "c-1", order_id="O-1")).content),
    "batch": lambda: get_order.batch([{"order_id": "O-1"}])[0],
    "stream": lambda: next(iter(get_order.stream({"order_id": "O-1"}))),
    "bound": lambda: get_order.with_config(tags=["x"]).invoke({"order_id": "O-1"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_however_code_comes_by_a_tool(way, desk):
    (reply,) = talk(resolve(lambda message: WAYS[way]()["status"], HERE), desk)
    assert reply.messages == ("shipped",)
    assert {(name, str(arguments)) for name, arguments, _, _ in desk.made} == {("get_order", "{'order_id': 'O-1'}")}


@pytest.mark.parametrize("held", [get_order, cancel_order], ids=["sync", "async"])
@pytest.mark.parametrize("run", ["ainvoke", "arun", "_arun"])
def test_however_async_code_comes_by_a_tool(run, held, desk):
    hidden = SimpleNamespace(held=held)

    async def agent(message):
        given = {"order_id": "O-1"}
        made = hidden.held._arun(**given, config={}) if run == "_arun" else getattr(hidden.held, run)(given)
        return str(await made)

    (reply,) = talk(resolve(agent, HERE), desk)
    assert "shipped" in reply.messages[0] or "True" in reply.messages[0]
    assert desk.made == [(held.name, {"order_id": "O-1"}, "sandbox", None)]


def test_a_tool_node_that_is_made_in_a_turn(desk):
    def agent(message):
        node = ToolNode([Attribute.held])
        asked = AIMessage("", tool_calls=[call("get_order", "c-1", order="O-1")])
        return with_tool_node(lambda _: AIMessage("done"), node) and ask(node, asked)

    def ask(node, asked):
        builder = StateGraph(MessagesState)
        builder.add_node("tools", node)
        builder.add_edge(START, "tools")
        return builder.compile().invoke({"messages": [asked]})["messages"][-1].content

    desk.tools["get_order"] = lambda **arguments: arguments
    (reply,) = talk(resolve(agent, HERE), desk)
    assert reply.messages == ('{"order": "O-1"}',)


def test_a_real_tool_that_is_hidden_and_let_through_is_recorded_once(desk):
    ran = []

    @tool
    def look(order_id: str) -> str:
        """Look."""
        ran.append(order_id)
        return "found"

    hidden = SimpleNamespace(held=look)

    async def agent(message):
        return hidden.held.invoke({"order_id": "O-1"}) + await hidden.held.ainvoke({"order_id": "O-2"})

    (reply,) = talk(resolve(agent, HERE), session=desk.session(passthrough=["look"]))
    assert reply.messages == ("foundfound",)
    assert ran == ["O-1", "O-2"]
    assert [(made.tool, made.arguments, made.result) for made in desk.calls] == [
        ("look", {"order_id": "O-1"}, "found"),
        ("look", {"order_id": "O-2"}, "found"),
    ]


def test_a_hidden_tool_that_nothing_simulates_is_the_users_mistake(desk):
    @tool
    def cancel_ordre(order_id: str) -> str:
        """Cancel."""
        raise AssertionError("really ran")

    hidden, failed = SimpleNamespace(held=cancel_ordre), []
    session = desk.session()
    session.fail = failed.append

    def agent(message):
        with suppress(Exception):
            hidden.held.invoke({"order_id": "O-1"})
        return "Done."

    talk(resolve(agent, HERE), session=session)
    assert str(failed[0]).startswith(
        "the sandbox lacks 1 tool(s) of the agent: cancel_ordre (is it cancel_order?). Add"
    )
    assert isinstance(failed[0], AgentProblem)
    assert desk.calls == []
