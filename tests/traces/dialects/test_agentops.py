"""AgentOps: decorated functions, named by their kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall, Message

GIVEN = text({"args": [], "kwargs": {"order": "B-7"}})


def kind(name: str, **more: Any) -> dict[str, Any]:
    return {"agentops.span.kind": name, "operation.name": "desk", **more}


def test_a_decorated_tool_has_its_arguments_and_its_result():
    at = kind("tool", **{"agentops.tool.input": GIVEN, "agentops.tool.output": '{"fee": 3}'})
    found = facts(span("agentops")(at))
    assert (found.kind, found.dialect, found.tool) == ("tool", "agentops", AskedCall("desk", None, {"order": "B-7"}))
    assert found.result == {"fee": 3}


def test_a_tool_that_raised_has_no_result():
    at = kind("tool", **{"agentops.tool.input": GIVEN})
    found = facts(failed("agentops", at, "FeeError", "no fee", "FeeError: no fee"))
    assert found.error == ToolError("FeeError", "no fee", "exception")
    assert not found.has_result


@pytest.mark.parametrize(
    ("name", "given", "agent"),
    [("session", "entity", None), ("workflow", "workflow", None), ("agent", "agent", "desk")],
)
def test_sessions_workflows_and_agents_are_runs(name: str, given: str, agent: str | None):
    told = {f"agentops.{given}.input": text({"args": ["Hi"], "kwargs": {}}), f"agentops.{given}.output": "Hello!"}
    found = facts(span("agentops")(kind(name, **told)))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", agent, "Hi", "Hello!")


def test_other_functions_are_nothing_of_their_own():
    assert facts(span("agentops")(kind("task"))).kind == "other"


def test_a_model_call_is_told_by_its_own_attributes():
    at = kind("llm", **{"gen_ai.request.model": "m-1", "gen_ai.usage.prompt_tokens": 9})
    at["gen_ai.request.streaming"] = True
    told = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi"}
    found = facts(span("openai")(at))
    assert (found.model, found.streamed) == ("m-1", True)
    assert facts(span("openai")({**at, **told})).input == (Message("user", "Hi"),)
