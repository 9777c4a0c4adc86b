"""Laminar: functions that were observed, by their type; model calls in the words of the conventions."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, failed, span, text
from traces.conversation import ToolError
from traces.dialects.facts import AskedCall, Message

OF = {"lmnr.association.properties.session_id": "conv-1", "lmnr.association.properties.user_id": "u-7"}


def typed(kind: str, *path: str, **more: Any) -> dict[str, Any]:
    return {"lmnr.span.type": kind, "lmnr.span.path": list(path), **OF, **more}


def test_a_tool_goes_by_the_end_of_its_path():
    at = typed("TOOL", "desk", "get_fee", **{"lmnr.span.input": '{"order":"B-7"}', "lmnr.span.output": '{"fee": 3}'})
    found = facts(span("lmnr.tracer", "named otherwise", parent="a" * 16)(at))
    assert (found.kind, found.dialect, found.tool) == ("tool", "laminar", AskedCall("get_fee", None, {"order": "B-7"}))
    assert found.result == {"fee": 3}
    del at["lmnr.span.output"]
    assert facts(failed("lmnr.tracer", at, "FeeError", "no fee")).error == ToolError("FeeError", "no fee", "exception")


def test_the_uppermost_function_is_the_run_and_those_below_are_nothing_of_their_own():
    at = typed("DEFAULT", "desk", **{"lmnr.span.input": '{"user":"Hi"}', "lmnr.span.output": '"Hello!"'})
    found = facts(span("lmnr.tracer")(at))
    assert (found.kind, found.said, found.replied) == ("agent", "Hi", "Hello!")
    assert found.conversation == ("conv-1", "lmnr.association.properties.session_id")
    assert found.user_id == "u-7"
    assert facts(span("lmnr.tracer", parent="a" * 16)(at)).kind == "other"


def test_a_model_call_follows_the_conventions():
    at = typed(
        "LLM", **{"gen_ai.request.model": "m-1", "gen_ai.input.messages": text([{"role": "user", "content": "Hi"}])}
    )
    found = facts(span("lmnr.tracer", parent="a" * 16)(at))
    assert (found.kind, found.model, found.input) == ("model", "m-1", (Message("user", "Hi"),))
