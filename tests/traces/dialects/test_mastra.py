"""Mastra's exporter: steps that hold what was said, around calls that count tokens."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import AskedCall, Message

SCOPE = "@mastra/otel-exporter"
CALL = {"toolCallId": "c1", "toolName": "get_fee", "args": {"order": "B-7"}}


def step(**more):
    at = {"gen_ai.operation.name": "agent_step", "mastra.span.type": "model_step", "mastra.metadata.sessionId": "s1"}
    return facts(span(SCOPE)({**at, **{f"mastra.model_step.{name}": text(value) for name, value in more.items()}}))


def test_a_step_holds_history_and_reply_without_what_stands_for_tools() -> None:
    asked = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "The fee?"},
        {"role": "assistant", "content": "Well.[tool: get_fee][tool: get_fee]"},
        {"role": "tool", "content": "[tool-result: get_fee][tool-result: get_fee]"},
        {"role": "assistant", "content": "[tool: get_fee]"},
        {"role": "user", "content": "And of [tool: hammer]"},
    ]
    found = step(input=asked, output={"text": "", "toolCalls": [CALL]})
    assert (found.kind, found.dialect) == ("model", "mastra")
    assert found.conversation == ("s1", "mastra.metadata.sessionId")
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee?"),
        Message("assistant", "Well."),
        Message("user", "And of [tool: hammer]"),
    )
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)
    assert step(output={"text": "3 EUR.", "toolCalls": []}).output == (Message("assistant", "3 EUR."),)
    assert (step().input, step().output) == (None, None)


def test_a_call_that_asks_for_tools_tells_no_more_than_the_text() -> None:
    at = {
        "gen_ai.operation.name": "chat",
        "mastra.span.type": "model_inference",
        "gen_ai.output.messages": text([{"role": "assistant", "parts": [{"type": "text", "content": "Well."}]}]),
    }
    assert facts(span(SCOPE)(at)).output == (Message("assistant", "Well."),)
    assert facts(span(SCOPE)({**at, "gen_ai.response.finish_reasons": '["tool-calls"]'})).output is None


def test_a_run_tells_what_was_said() -> None:
    at = {
        "gen_ai.operation.name": "invoke_agent",
        "mastra.span.type": "agent_run",
        "mastra.agent_run.input": text([{"role": "user", "content": "The fee?"}]),
        "mastra.agent_run.output": text({"text": "3 EUR.", "files": []}),
        "mastra.metadata.userId": "u1",
    }
    found = facts(span(SCOPE)(at))
    assert (found.kind, found.said, found.replied, found.user_id) == ("agent", "The fee?", "3 EUR.", "u1")
    bare = facts(span(SCOPE)({name: value for name, value in at.items() if "put" not in name}))
    assert (bare.kind, bare.said, bare.replied) == ("agent", None, None)


def test_sums_and_chunks_are_no_calls() -> None:
    for kind in ("model_generation", "model_chunk"):
        at = {"gen_ai.operation.name": kind, "mastra.span.type": kind, f"mastra.{kind}.output": text({"text": "a"})}
        assert facts(span(SCOPE)(at)).kind == "other"
