"""The reference agent: one LangGraph graph, on the offline planner or on a real chat model.

`build` is today's version, `build_earlier` an earlier one with faults that such agents really have, `build_on_model`
the same graph on a model of your choice. The planner is a fixture: it shows turngate at work without key or network.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from harness import Session, langchain_tools

from .offline_model import OfflinePlanner
from .planner import EARLIER, TODAY

HERE = Path(__file__).parent
SYSTEM_PROMPT = """You are the help desk of an online shop. Keep to the policy below. Verify the customer before you \
change anything or tell personal details, ask before you act, and answer in the customer's language.

"""


def build(session: Session) -> Any:
    """Today's version."""
    return _graph(OfflinePlanner(habits=TODAY), session)


def build_earlier(session: Session) -> Any:
    """An earlier version, with its faults."""
    return _graph(OfflinePlanner(habits=EARLIER), session)


def build_on_model(session: Session) -> Any:
    """The same graph on a real chat model: OPENAI_MODEL, with OPENAI_API_KEY and OPENAI_BASE_URL as usual.

    Needs the extra `model` (langchain-openai).
    """
    from langchain_openai import ChatOpenAI

    return _graph(ChatOpenAI(model=os.environ["OPENAI_MODEL"], temperature=0, seed=session.seed % 2**31), session)


def _graph(model: BaseChatModel, session: Session) -> Any:
    tools = langchain_tools(session)
    policy = "\n\n".join(file.read_text(encoding="utf-8") for file in sorted((HERE / "policy").glob("*.md")))
    prompt = SystemMessage(f"{SYSTEM_PROMPT}Today is {session.clock.date()}.\n\n{policy}")
    answering = model.bind_tools(tools)

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [answering.invoke([prompt, *state["messages"]])]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "answer")
    graph.add_conditional_edges("answer", tools_condition)
    graph.add_edge("tools", "answer")
    return graph.compile()
