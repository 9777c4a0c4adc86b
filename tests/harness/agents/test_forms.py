"""The sandbox's tools in the forms that agents take them in, against a real sandbox."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool

from harness.agents.forms import http_tools, mcp_result, mcp_tools, openai_tools, result_text
from harness.agents.langchain_tools import langchain_tools
from harness.agents.resolve import resolve
from harness.model.agent import Session
from tests.harness.agents.desk import talk
from tests.harness.agents.graphs import ScriptedModel, call, looks_up_then_tells
from tests.tools_sandbox.shop import CLOCK, Shop
from tools_sandbox import StartState

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langgraph.prebuilt import create_react_agent

ROOT = Path(__file__).resolve().parents[3]
START = StartState.of(Shop)


@pytest.fixture
def session():
    shop = START.open({}, CLOCK)
    return Session(
        conversation_id="c-1",
        tools=START.tools,
        call_tool=lambda tool, arguments, call_id: shop.call(tool, arguments, turn=1, call_id=call_id),
        seed=1,
        clock=datetime(2026, 11, 20, tzinfo=UTC),
        traceparent="",
    )


def test_descriptions_in_each_form(session):
    specs = {tool.name: tool for tool in session.tools}
    tool = specs["get_order"]
    (openai,) = openai_tools([tool])
    assert openai["type"] == "function"
    assert (
        openai["function"]
        == http_tools([tool])[0]
        == {
            "name": "get_order",
            "description": "Look an order up.",
            "parameters": tool.parameters,
        }
    )
    assert tool.parameters["required"] == ["order_id"]
    (reads, writes) = mcp_tools([tool, specs["issue_refund"]])
    assert reads["inputSchema"] == tool.parameters
    assert [each["annotations"]["readOnlyHint"] for each in (reads, writes)] == [True, False]
    json.dumps([openai_tools(session.tools), mcp_tools(session.tools), http_tools(session.tools)])


def test_langchain_describes_the_tools_to_a_model_as_we_do(session):
    for tool, expected in zip(langchain_tools(session), openai_tools(session.tools), strict=True):
        shown = convert_to_openai_tool(tool)["function"]
        assert shown["name"] == expected["function"]["name"]
        assert shown["description"] == expected["function"]["description"]
        assert shown["parameters"]["properties"].keys() == expected["function"]["parameters"]["properties"].keys()
        assert shown["parameters"].get("required") == expected["function"]["parameters"].get("required")


def test_results_as_an_agent_reads_them(session):
    good = session.call_tool("get_order", '{"order_id": "O-1"}', None)
    bad = session.call_tool("get_order", {"order_id": "O-9"}, None)
    assert json.loads(result_text(good))["total"] == "49.90"
    assert result_text(bad) == "there is no order O-9"
    assert mcp_result(good) == {"content": [{"type": "text", "text": result_text(good)}], "isError": False}
    assert mcp_result(bad)["isError"] is True


def test_langchain_tools_by_tool_call_and_by_bare_arguments(session):
    tools = {tool.name: tool for tool in langchain_tools(session)}
    get_order = tools["get_order"]
    message = get_order.invoke(call("get_order", "c-7", order_id="O-1"))
    assert (message.tool_call_id, message.status, json.loads(message.content)["status"]) == (
        "c-7",
        "success",
        "delivered",
    )
    failed = asyncio.run(get_order.ainvoke(call("get_order", "c-8", order_id="O-9")))
    assert (failed.tool_call_id, failed.status, failed.content) == ("c-8", "error", "there is no order O-9")
    assert get_order.invoke({"order_id": "O-1"})["total"] == "49.90"
    assert get_order.invoke("O-1")["total"] == "49.90"
    assert get_order.invoke({"order_id": "O-9"}) == "there is no order O-9"
    wrong = get_order.invoke(call("get_order", "c-9", order="O-1"))
    assert wrong.status == "error"
    assert "order_id" in wrong.content


def test_a_factory_that_binds_the_sessions_tools(session):
    def build(session):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return create_react_agent(ScriptedModel(script=looks_up_then_tells), langchain_tools(session))

    replies = talk(resolve(build, ROOT), None, "O-2", "O-9", session=session)
    assert replies[0].messages[0].startswith('success: {"order_id": "O-2"')
    assert replies[1].messages == ("error: there is no order O-9",)


LIGHT = """
import sys
import harness.agents.resolve, harness.agents.forms, harness.agents.gold, traces.capture
print(sorted(name for name in sys.modules if name in ("langgraph", "langchain_core", "openai", "rich", "sqlalchemy")))
"""


def test_langchain_is_not_imported_for_those_who_do_not_use_it():
    run = subprocess.run([sys.executable, "-c", LIGHT], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr
