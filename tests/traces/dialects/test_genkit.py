"""Genkit's own spans, by hand after its documentation."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

make = span("genkit-tracer")


def action(subtype: str, name: str, given: Any, output: Any, **more: Any) -> Any:
    return facts(
        make(
            {
                "genkit:type": "action",
                "genkit:metadata:subtype": subtype,
                "genkit:name": name,
                "genkit:input": text(given),
                "genkit:output": text(output),
                **more,
            }
        )
    )


def test_what_the_api_gave_tells_more_of_the_response() -> None:
    raw = {
        "id": "r1",
        "model": "m-1-2026",
        "usage": {
            "prompt_tokens": 42,
            "completion_tokens": 17,
            "total_tokens": 59,
            "prompt_tokens_details": {"cached_tokens": 30},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    }
    output = {
        "message": {"role": "model", "content": [{"text": "Hi"}]},
        "usage": {"inputTokens": 42, "outputTokens": 17},
    }
    found = action("model", "oai/m-1", {"messages": []}, {**output, "raw": raw})
    assert (found.model, found.response_model, found.response_id) == ("m-1", "m-1-2026", "r1")
    assert found.usage == Usage(42, 17, 30, 5)
    other = {**output, "usage": {"inputTokens": 7, "outputTokens": 3}}
    assert action("model", "oai/m-1", {"messages": []}, {**other, "raw": raw}).usage == Usage(7, 3)


def test_a_model_call() -> None:
    found = action(
        "model",
        "googleai/gemini-2.5-flash",
        {
            "messages": [
                {"role": "system", "content": [{"text": "Be kind."}]},
                {"role": "user", "content": [{"text": "Where is O-1?"}]},
                {
                    "role": "model",
                    "content": [{"toolRequest": {"name": "get_order", "ref": "0", "input": {"id": "O-1"}}}],
                },
                {
                    "role": "tool",
                    "content": [{"toolResponse": {"name": "get_order", "ref": "0", "output": {"status": "sent"}}}],
                },
            ],
            "tools": [{"name": "get_order"}],
        },
        {
            "message": {"role": "model", "content": [{"text": "On its way."}]},
            "finishReason": "stop",
            "usage": {"inputTokens": 42, "outputTokens": 17, "totalTokens": 62, "thoughtsTokens": 3},
        },
        **{"genkit:sessionId": "s1"},
    )
    assert (found.kind, found.dialect, found.model, found.finish) == ("model", "genkit", "gemini-2.5-flash", "stop")
    assert found.conversation == ("s1", "genkit:sessionId")
    assert found.usage == Usage(42, 20, reasoning=3)
    assert found.input == (
        Message("system", "Be kind."),
        Message("user", "Where is O-1?"),
        Message("assistant", "", (AskedCall("get_order", "0", {"id": "O-1"}),)),
        Message("tool", "", (), (Answer("0", {"status": "sent"}, "get_order"),)),
    )
    assert found.output == (Message("assistant", "On its way."),)


def test_a_tool_and_one_that_failed() -> None:
    found = action("tool", "get_order", {"id": "O-1"}, {"status": "sent"})
    assert (found.kind, found.tool, found.result) == ("tool", AskedCall("get_order", None, {"id": "O-1"}), found.result)
    assert found.result == {"status": "sent"}
    failed = facts(make({"genkit:type": "action", "genkit:metadata:subtype": "tool.v2", "genkit:state": "error"}))
    assert (failed.kind, failed.error, failed.has_result) == ("tool", ToolError(None, None, "status"), False)


def test_a_flow_and_a_retriever() -> None:
    flow = action("flow", "support", "Where is O-1?", "On its way.")
    assert (flow.kind, flow.agent, flow.said, flow.replied) == ("agent", "support", "Where is O-1?", "On its way.")
    document = {"content": [{"text": "30 days"}], "metadata": {"source": "policy"}}
    found = action("retriever", "policies", {"query": {"content": [{"text": "returns"}]}}, {"documents": [document]})
    assert (found.kind, found.query) == ("retrieval", "returns")
    assert found.documents == (Document(None, "30 days", None, {"source": "policy"}),)


def test_what_is_broken_or_else_is_read_as_far_as_it_goes() -> None:
    assert facts(make({"genkit:type": "action", "genkit:metadata:subtype": "util"})).kind == "other"
    assert facts(make({"genkit:type": ["x"], "genkit:input": "{"})).kind == "other"
    broken = action("model", "m", {"messages": "x"}, {"message": 5, "usage": []})
    assert (broken.kind, broken.input, broken.output, broken.usage) == ("model", None, None, None)
    cut = facts(make({"genkit:type": "action", "genkit:metadata:subtype": "model", "genkit:input": '{"messages": [{'}))
    assert cut.notes == []
