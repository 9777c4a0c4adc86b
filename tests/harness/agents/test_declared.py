"""What can be told of an agent's tools before there is a conversation."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from harness.agents.declared import declared_tools
from harness.agents.problem import AgentProblem
from tools_sandbox.schema import ANY, FieldType

AGENT = """
    import warnings
    from datetime import date
    from decimal import Decimal
    from typing import Annotated, Literal

    from langchain_core.tools import tool
    from langgraph.prebuilt import InjectedState, ToolNode
    from langgraph.graph import MessagesState, StateGraph
    from pydantic import BaseModel

    class Line(BaseModel):
        sku: str
        qty: int = 1

    @tool
    def issue_refund(
        order_id: str, amount: Decimal, why: Literal["broken", "late"], on: date | None = None,
        lines: list[Line] = [], note: str | float = "", extra: dict = {}, state: Annotated[dict, InjectedState] = None,
    ) -> str:
        "Refund money for an order."
        raise AssertionError("really ran")

    @tool
    def get_order(order_id: str) -> str:
        "Look an order up."
        raise AssertionError("really ran")

    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode([issue_refund, get_order]))
    builder.set_entry_point("tools")
    graph = builder.compile()

    def build():
        return graph

    def agent(message, session):
        return get_order.invoke({"order_id": message})

    def plain(message):
        return "ok"

    def broken(session):
        raise KeyError("no key")

    def hasty(session):
        return session.call_tool("get_order", {}, None)
    """


@pytest.fixture
def folder(tmp_path, monkeypatch):
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "agent.py").write_text(dedent(AGENT))
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("turngate_bundle"):
            del sys.modules[name]


def test_tools_of_a_graph_and_of_what_a_factory_makes(folder):
    for name in ("graph", "build"):
        lookup, refund = declared_tools(f"agent.py:{name}", folder)
        assert (lookup.name, lookup.description, lookup.arguments) == (
            "get_order",
            "Look an order up.",
            {"order_id": FieldType("text")},
        )
        assert refund.parameters["required"] == ["order_id", "amount", "why"]
        assert refund.arguments == {
            "order_id": FieldType("text"),
            "amount": FieldType("decimal"),
            "why": FieldType("text", choices=("broken", "late")),
            "on": FieldType("date", nullable=True),
            "lines": FieldType(
                "list", of=FieldType("record", fields={"sku": FieldType("text"), "qty": FieldType("integer")})
            ),
            "note": ANY,
            "extra": FieldType("map", of=ANY),
        }


def test_tools_in_a_functions_code_and_none_at_all(folder):
    assert [tool.name for tool in declared_tools("agent.py:agent", folder)] == ["get_order"]
    assert declared_tools("agent.py:plain", folder) == []


def test_a_factory_that_can_not_be_called_yet(folder):
    with pytest.raises(AgentProblem, match=r"agent `agent.py:broken` can't be made: KeyError: 'no key'"):
        declared_tools("agent.py:broken", folder)
    with pytest.raises(AgentProblem, match="get_order was called before there is a conversation"):
        declared_tools("agent.py:hasty", folder)
    with pytest.raises(AgentProblem, match="no such file"):
        declared_tools("agnet.py:build", folder)
