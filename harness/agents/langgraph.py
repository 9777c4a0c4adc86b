"""Agents that are compiled LangGraph graphs: each episode has a thread and a saver of its own."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Mapping
from typing import Any

from langchain_core.globals import get_llm_cache
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph
from langgraph.pregel import Pregel
from langgraph.pregel.remote import RemoteGraph
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command

from harness.agents.answers import tool_message
from harness.agents.chat_spans import ChatSpans
from harness.agents.held import Held
from harness.agents.outside import as_json, call_outside
from harness.agents.past import past
from harness.agents.problem import AgentError, AgentProblem
from harness.agents.replies import message_text
from harness.model.agent import Agent, Interrupted, Reply, Session
from harness.model.episode import Message
from tools_sandbox.call import CallError, Json

_MESSAGES = "messages"
_INTERRUPT = "__interrupt__"
_BREAKPOINT = "breakpoint"
"""Pause id of a graph that was compiled to stop before or after some node."""

Graph = Pregel[Any, Any, Any, Any]


def graph_kind(target: Any, name: str) -> GraphKind | None:
    """How to get agents from a compiled graph; None if `target` has nothing to do with LangGraph.

    Raises AgentProblem for a graph that can't be talked to.
    """
    if isinstance(target, StateGraph):
        raise AgentProblem(f"{name} is a StateGraph that is not compiled: name what its `.compile()` gives")
    if isinstance(target, RemoteGraph):
        raise AgentProblem(f"{name} is a remote graph: its tools run where it runs and can't be redirected")
    if not isinstance(target, Pregel):
        return None
    if _MESSAGES not in target.channels:
        raise AgentProblem(
            f"{name} is a graph whose state has no `{_MESSAGES}` (it has {', '.join(_state(target)) or 'nothing'}); "
            "put it in a function `async def agent(message, session)` that calls it and returns its answer"
        )
    return GraphKind(target)


def _state(graph: Graph) -> list[str]:
    return sorted(name for name in graph.channels if not name.startswith(("__", "branch:")))


class GraphKind:
    """A compiled graph, from which every episode gets a copy."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._held = Held(graph)
        self.notes = [*self._held.notes, *_shared_state(graph)]
        self.model = self._held.model
        self.parameters: Mapping[str, Json] = self._held.parameters
        self.tools = self._held.tools

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Raise AgentProblem for a tool that neither the sandbox has nor `passthrough` names."""
        self._held.check(tools, passthrough)

    async def open(self, session: Session) -> Agent:
        """The agent of one episode."""
        self.check([tool.name for tool in session.tools], session.passthrough)
        return GraphAgent(self._graph)


def _shared_state(graph: Graph) -> list[str]:
    notes = []
    if graph.store is not None and not isinstance(graph.store, InMemoryStore):
        notes.append(f"the graph's store ({type(graph.store).__name__}) is shared by all episodes")
    if get_llm_cache() is not None:
        notes.append("LangChain's cache of model answers is on: trials may repeat the same answer")
    return notes


class GraphAgent:
    """One conversation with a graph.

    A graph that was compiled with a saver remembers by its thread, as it would for one user. One without has no memory:
    each turn it is given all messages so far, its own calls and their results included, and keeps nothing else.
    """

    def __init__(self, graph: Graph) -> None:
        self._remembers = bool(graph.checkpointer)
        self._stops = bool(graph.interrupt_before_nodes or graph.interrupt_after_nodes)
        self._graph = graph.copy(update={"checkpointer": InMemorySaver(), "store": _own_store(graph), "cache": None})
        self._config = RunnableConfig(callbacks=[ChatSpans()], configurable={"thread_id": uuid.uuid4().hex})
        self._messages: list[BaseMessage] = []
        self._asked = ""

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message. Raises Interrupted where the graph pauses for a person, AgentError where it says
        nothing, and what its nodes raise.
        """
        human = HumanMessage(message, id=uuid.uuid4().hex)
        self._asked = human.id or ""
        earlier = self._messages if self._messages else _primed(session)
        if self._remembers:
            earlier = [] if self._messages else earlier
        else:
            self._config["configurable"]["thread_id"] = uuid.uuid4().hex
        return await self._run({_MESSAGES: [*earlier, human]}, session)

    async def resume(self, answers: Mapping[str, Json], session: Session) -> Reply:
        """Go on after a pause; each answer goes to the pause of its id. Raises as `reply` does."""
        return await self._run(None if _BREAKPOINT in answers else Command(resume=dict(answers)), session)

    async def _run(self, given: Any, session: Session) -> Reply:
        # Asking for the messages alone also gets them from a graph whose output leaves them out.
        result = await self._graph.ainvoke(given, self._config, output_keys=[_MESSAGES])
        if interrupts := result.get(_INTERRUPT):
            raise Interrupted({each.id: as_json(each.value) for each in interrupts})
        if self._stops and (waiting := (await self._graph.aget_state(self._config)).next):
            raise Interrupted({_BREAKPOINT: {"next": list(waiting)}})
        messages = convert_to_messages(result.get(_MESSAGES) or [])
        new = _since(messages, self._asked, self._messages)
        self._messages = messages
        for each in new:
            _record_unreadable(each, session)
        return Reply(_said(new))


def _primed(session: Session) -> list[BaseMessage]:
    """The messages of a conversation that others had before, as the graph would have them from its own."""
    messages: list[BaseMessage] = []
    for step in past(session):
        if isinstance(step, Message):
            messages.append(HumanMessage(step.text) if step.role == "user" else AIMessage(step.text))
            continue
        asked = [ToolCall(name=call.tool, args=call.arguments or {}, id=call.id) for call in step]
        messages.append(AIMessage("", tool_calls=asked))
        messages += [tool_message(call, call.id) for call in step]
    return messages


def _since(messages: list[BaseMessage], asked: str, before: list[BaseMessage]) -> list[BaseMessage]:
    """The messages of this turn: those after the user's, or, if the graph dropped that one, those not there before."""
    for position in range(len(messages) - 1, -1, -1):
        if messages[position].id == asked:
            return messages[position + 1 :]
    known = {message.id for message in before}
    return [message for message in messages if message.id is None or message.id not in known]


def _said(new: list[BaseMessage]) -> tuple[str, ...]:
    """What the user reads: the AI messages that have text. If there are none but the turn ended with a tool's result,
    as it does with a tool that returns directly, that is the answer.
    """
    said = tuple(text for each in new if isinstance(each, AIMessage) and (text := message_text(each.content)).strip())
    if not said and new and isinstance(new[-1], ToolMessage):
        said = (message_text(new[-1].content),)
    if not any(text.strip() for text in said):
        raise AgentError("the graph ended the turn without an AI message that has text")
    return said


def _record_unreadable(message: BaseMessage, session: Session) -> None:
    """Tool calls whose arguments LangChain could not read never reach a tool: they are recorded as they stand."""
    for broken in message.invalid_tool_calls if isinstance(message, AIMessage) else ():
        call = call_outside(session, broken["name"] or "", broken["id"], "span", raw=broken["args"])
        call.error = CallError("bad_arguments", broken["error"] or "the arguments are no JSON object")
        call.ended = call.started
        session.record(call)


def _own_store(graph: Graph) -> BaseStore | None:
    """The graph's store; one in memory is copied as it was when the graph was named, so that trials don't share it."""
    if not isinstance(graph.store, InMemoryStore):
        return graph.store
    store = copy.copy(graph.store)
    store._data = copy.deepcopy(graph.store._data)
    store._vectors = copy.deepcopy(graph.store._vectors)
    return store
