"""Haystack's own tracer, whose spans carry the application's scope."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, span, text
from traces.conversation import Document, ToolError
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

CALL = {"tool_name": "get_fee", "arguments": {"order": "B-7"}, "id": "c1", "extra": None}
USAGE = {
    "prompt_tokens": 20,
    "completion_tokens": 7,
    "total_tokens": 27,
    "prompt_tokens_details": {"cached_tokens": 8},
    "completion_tokens_details": {"reasoning_tokens": 2},
}


def said(role, *parts, **meta):
    return {"role": role, "meta": meta, "name": None, "content": list(parts)}


HISTORY = [
    said("system", {"text": "Be brief."}),
    said("user", {"text": "The fee of B-7?"}),
    said("assistant", {"tool_call": CALL}),
    said("tool", {"tool_call_result": {"result": "no fee", "origin": CALL, "error": True}}),
]
REPLY = said("assistant", {"text": "None."}, model="m-1", finish_reason="stop", usage=USAGE)


@pytest.mark.parametrize(
    ("name", "begins", "more"),
    [
        ("haystack.agent.step.llm", "haystack.agent.step.llm", {}),
        ("haystack.component.run", "haystack.component", {"haystack.component.type": "OpenAIChatGenerator"}),
    ],
)
def test_a_model_call_holds_history_reply_and_usage(name, begins, more):
    at = {f"{begins}.input": text({"messages": HISTORY}), f"{begins}.output": text({"replies": [REPLY]}), **more}
    found = facts(span("desk", name)(at))
    assert (found.kind, found.dialect) == ("model", "haystack")
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee of B-7?"),
        Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "no fee", "get_fee", True),)),
    )
    assert found.output == (Message("assistant", "None."),)
    assert (found.response_model, found.finish, found.usage) == ("m-1", "stop", Usage(20, 7, 8, 2))


def test_a_generator_of_plain_text_keeps_its_usage_beside_the_replies():
    at = {
        "haystack.component.type": "OpenAIGenerator",
        "haystack.component.input": text({"prompt": "The fee of B-7?"}),
        "haystack.component.output": text({"replies": ["None."], "meta": [{"model": "m-1", "usage": USAGE}]}),
    }
    found = facts(span("desk", "haystack.component.run")(at))
    assert (found.input, found.output) == ((Message("user", "The fee of B-7?"),), (Message("assistant", "None."),))
    assert found.usage == Usage(20, 7, 8, 2)


def test_a_tool_and_how_it_failed():
    at = {
        "haystack.tool.name": "get_fee",
        "haystack.agent.step.tool.input": text({"order": "B-7"}),
        "haystack.agent.step.tool.output": text({"fee": 3}),
    }
    found = facts(span("desk", "haystack.agent.step.tool")(at))
    assert (found.tool, found.result) == (AskedCall("get_fee", None, {"order": "B-7"}), {"fee": 3})
    words = "Failed to invoke Tool `get_fee` with parameters {'order': 'B-7'}. Error: no fee"
    at |= {"haystack.tool.error": True, "haystack.agent.step.tool.output": text({"error": words})}
    failed = facts(span("desk", "haystack.agent.step.tool")(at))
    assert failed.error == ToolError(None, "no fee", "result")
    assert not failed.has_result


def test_a_retriever_has_a_query_and_documents():
    at = {
        "haystack.component.type": "InMemoryBM25Retriever",
        "haystack.component.input": text({"query": "fees", "top_k": None}),
        "haystack.component.output": text({"documents": [{"id": "d1", "content": "3 EUR.", "score": 0.5, "page": 3}]}),
    }
    found = facts(span("desk", "haystack.component.run")(at))
    assert (found.kind, found.query, found.documents) == (
        "retrieval",
        "fees",
        (Document("d1", "3 EUR.", 0.5, {"page": 3}),),
    )


def test_an_agent_and_a_pipeline_tell_what_was_said():
    at = {
        "haystack.agent.input": text({"messages": HISTORY[1:2]}),
        "haystack.agent.output": text({"messages": [*HISTORY, REPLY]}),
    }
    agent = facts(span("desk", "haystack.agent.run")(at))
    assert (agent.kind, agent.said, agent.replied) == ("agent", "The fee of B-7?", "None.")
    inputs = {"retriever": {"query": "fees"}, "builder": {"question": "fees"}}
    at = {
        "haystack.pipeline.input_data": text(inputs),
        "haystack.pipeline.output_data": text({"llm": {"replies": [REPLY]}, "retriever": {}}),
    }
    pipeline = facts(span("desk", "haystack.pipeline.run")(at))
    assert (pipeline.kind, pipeline.said, pipeline.replied) == ("agent", "fees", "None.")
    at["haystack.pipeline.input_data"] = text({**inputs, "guard": {"rule": "be kind"}})
    assert facts(span("desk", "haystack.pipeline.run")(at)).said is None


def test_without_content_there_are_the_kinds_and_names():
    assert facts(span("desk", "haystack.agent.run")({"haystack.agent.max_steps": 9})).said is None
    found = facts(span("desk", "haystack.agent.step.tool")({"haystack.tool.name": "get_fee"}))
    assert (found.kind, found.tool, found.has_result) == ("tool", AskedCall("get_fee"), False)
    model = facts(span("desk", "haystack.component.run")({"haystack.component.type": "OpenAIChatGenerator"}))
    assert (model.kind, model.input, model.output) == ("model", None, None)
    assert facts(span("desk", "haystack.component.run")({"haystack.component.type": "ToolInvoker"})).kind == "other"
