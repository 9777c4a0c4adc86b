"""VoltAgent's own telemetry: what a span is stands in `span.type`, whose agent it is in `entity.*`."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall, Message
from traces.genai import Usage

SCOPE = "@voltagent/core"
OF = {"entity.type": "agent", "entity.name": "desk", "conversation.id": "conv-1", "user.id": "u-7"}


def typed(kind: str, **more: Any) -> dict[str, Any]:
    return {**OF, "span.type": kind, **more}


def test_an_agent_is_what_has_no_type():
    at = {**OF, "input": "Hi", "output": "Hello!", "agent.instructions": "Be brief.", "usage.prompt_tokens": 90}
    found = facts(span(SCOPE)({**at, "usage.completion_tokens": 9, "usage.total_tokens": 99}))
    assert (found.kind, found.dialect, found.agent) == ("agent", "voltagent", "desk")
    assert (found.said, found.replied, found.system) == ("Hi", "Hello!", "Be brief.")
    assert (found.conversation, found.user_id) == (("conv-1", "conversation.id"), "u-7")
    assert (found.usage, found.counted) == (Usage(90, 9), False)


def test_a_model_call_has_its_history_and_its_tokens_and_not_what_came_of_it():
    said = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    usage = {"prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27, "cached_tokens": 8, "reasoning_tokens": 2}
    at = {f"llm.usage.{name}": count for name, count in usage.items()}
    at |= {"llm.model": "m-1", "llm.stream": True, "llm.finish_reason": "stop"}
    at |= {"llm.messages": text([{"role": "system", "content": "Be brief."}, said])}
    found = facts(span(SCOPE)(typed("llm", **at)))
    assert (found.kind, found.agent, found.model) == ("model", "desk", "m-1")
    assert (found.streamed, found.finish) == (True, "stop")
    assert found.input == (Message("system", "Be brief."), Message("user", "Hi"))
    assert found.output is None
    assert found.usage == Usage(20, 7, 8, 2)


def test_a_tool_has_its_call_and_its_result_or_how_it_failed():
    at = typed("tool", **{"tool.name": "get_fee", "tool.call.id": "c1", "input": '{"order": "B-7"}'})
    found = facts(span(SCOPE)({**at, "output": '{"fee": 3}'}))
    assert (found.tool, found.result) == (AskedCall("get_fee", "c1", {"order": "B-7"}), {"fee": 3})
    found = facts(failed(SCOPE, at, "VoltAgentError", "no fee", "no fee"))
    assert found.error == ToolError("VoltAgentError", "no fee", "exception")
    assert not found.has_result


def test_what_the_memory_does_is_nothing_of_the_conversation():
    assert facts(span(SCOPE)(typed("memory"))).kind == "other"
