"""LangWatch: what a span is stands in its type, what went in and out in an envelope that names its form."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall, Message
from traces.genai import Usage


def typed(kind: str, given: Any = None, gave: Any = None, **more: Any) -> dict[str, Any]:
    told = {"langwatch.input": given, "langwatch.output": gave}
    return {"langwatch.span.type": kind, **{name: text(value) for name, value in told.items() if value}, **more}


def form(kind: str, value: Any) -> dict[str, Any]:
    return {"type": kind, "value": value}


def test_a_model_call_has_its_messages_and_its_tokens():
    call = {"id": "c1", "type": "function", "function": {"name": "get_fee", "arguments": '{"order": "B-7"}'}}
    asked = form("chat_messages", [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}])
    given = form("chat_messages", [{"role": "assistant", "content": None, "tool_calls": [call]}])
    counts = {"gen_ai.usage.prompt_tokens": 20, "gen_ai.usage.completion_tokens": 7}
    metrics = text({"prompt_tokens": 20, "completion_tokens": 7, "reasoning_tokens": 3})
    at = typed("llm", asked, given, **counts, **{"gen_ai.request.model": "openai/m-1", "langwatch.metrics": metrics})
    found = facts(span("langwatch", parent="a" * 16)(at))
    assert (found.kind, found.dialect, found.model) == ("model", "langwatch", "openai/m-1")
    assert found.input == (Message("system", "Be brief."), Message("user", "Hi"))
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)
    assert found.usage == Usage(20, 7, 0, 3)


def test_a_tool_goes_by_the_name_of_its_span():
    at = typed("tool", form("json", {"order": "B-7"}), form("text", "3 EUR"))
    found = facts(span("langwatch", "get_fee", parent="a" * 16)(at))
    assert (found.kind, found.tool, found.result) == ("tool", AskedCall("get_fee", None, {"order": "B-7"}), "3 EUR")
    found = facts(failed("langwatch", typed("tool", form("json", {})), "FeeError", "no fee"))
    assert found.error == ToolError("FeeError", "no fee", "exception")


def test_the_uppermost_span_and_agents_are_runs():
    at = {"metadata": text({"thread_id": "conv-1", "user_id": "u-7"})}
    told = form("json", {"user": "Hi"}), form("text", "Hello!")
    found = facts(span("langwatch", "desk")(typed("span", *told, **at)))
    assert (found.kind, found.agent, found.said, found.replied) == ("agent", None, "Hi", "Hello!")
    assert (found.conversation, found.user_id) == (("conv-1", "metadata.thread_id"), "u-7")
    assert facts(span("langwatch", "desk", parent="a" * 16)(typed("agent", *told))).agent == "desk"
    assert facts(span("langwatch", "step", parent="a" * 16)(typed("span", *told))).kind == "other"
