"""The hooks stand before an agent's code runs, and cost an agent without LangChain nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[3]


def run(code):
    """What a process of its own prints, in which nothing has been imported yet."""
    head = """
    import sys
    from pathlib import Path
    from harness.agents.resolve import resolve
    from tests.harness.agents.desk import Desk, talk

    def loaded():
        return [name for name in ("langchain_core", "langgraph") if name in sys.modules]

    desk = Desk({"get_order": lambda order_id: "shipped"})
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(head) + dedent(code)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_an_agent_without_langchain_does_not_get_it():
    assert run(
        """
        def agent(message, session):
            return session.call_tool("get_order", {"order_id": "O-1"}, None).result

        print(*talk(resolve(agent, Path()), desk)[0].messages, loaded())
        """
    ) == ["shipped []"]


def test_langchain_that_is_first_imported_in_a_turn():
    assert run(
        """
        def agent(message):
            from langchain_core.tools import tool

            @tool
            def get_order(order_id: str) -> str:
                "Look."
                raise AssertionError("really ran")

            return get_order.invoke({"order_id": "O-1"})

        print(*talk(resolve(agent, Path()), desk)[0].messages, loaded(), desk.made)
        """
    ) == ["shipped ['langchain_core'] [('get_order', {'order_id': 'O-1'}, 'sandbox', None)]"]


def test_langgraph_that_is_first_imported_in_a_turn():
    """With arguments that the real tool would refuse, so that only the tool node's own hook lets them pass."""
    assert run(
        """
        def agent(message):
            from langchain_core.messages import AIMessage
            from langgraph.graph import START, MessagesState, StateGraph
            from langgraph.prebuilt import ToolNode

            def get_order(order_id: str) -> str:
                "Look."
                raise AssertionError("really ran")

            builder = StateGraph(MessagesState)
            builder.add_node("tools", ToolNode([get_order]))
            builder.add_edge(START, "tools")
            asked = {"name": "get_order", "args": {"id": 7}, "id": "c-1", "type": "tool_call"}
            return builder.compile().invoke({"messages": [AIMessage("", tool_calls=[asked])]})["messages"][-1].content

        desk.tools["get_order"] = lambda **arguments: arguments
        print(*talk(resolve(agent, Path()), desk)[0].messages)
        """
    ) == ['{"id": 7}']


def test_the_sandboxs_own_tools_imported_first():
    """Their class derives from the one whose import sets the hooks off."""
    assert run(
        """
        def build(session):
            from harness.agents.langchain_tools import langchain_tools

            held = langchain_tools(session)[0]
            return lambda message: held.invoke({"order_id": "O-1"})

        print(*talk(resolve(build, Path()), desk)[0].messages)
        """
    ) == ["shipped"]


def test_a_hooked_module_keeps_its_source():
    assert run(
        """
        import inspect
        from harness.agents.hooks import install

        install()
        import langchain_core.tools.base as base

        print(inspect.getsource(base).startswith('\"\"\"'), base.__spec__.loader.is_package(base.__name__))
        print(inspect.signature(base.BaseTool.run).parameters.keys() >= {"tool_input", "tool_call_id"})
        """
    ) == ["True False", "True"]
