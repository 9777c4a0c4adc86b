"""What is missing or mended is told."""

from __future__ import annotations

import json

from tests.traces.reading.made import Trace, assistant, user
from traces.reading import conversation


def test_content_that_was_not_captured_is_said() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, None, None)
    trace.tool(run, "get", call_id="1")
    trace.model(run, None, None)
    found = conversation(trace.spans)
    (turn,) = found.turns
    assert (turn.user, turn.assistant) == (None, None)
    (call,) = turn.tool_calls
    assert (call.name, call.executed) == ("get", True)
    assert call.missing == {"arguments", "result", "told"}
    assert any("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in warning for warning in found.warnings)


def test_what_is_known_from_elsewhere_is_not_missing_on_model_calls() -> None:
    trace = Trace()
    told = {"gen_ai.input.messages": json.dumps([user("Hi")]), "gen_ai.output.messages": json.dumps([assistant("Ho")])}
    run = trace.add({"gen_ai.operation.name": "invoke_agent", **told}, lasting=9)
    trace.model(run, None, None)
    assert conversation(trace.spans).warnings == ()
    trace.tool(run, "get", None, None, "1")
    assert [warning.kind for warning in conversation(trace.spans).warnings] == ["content"]
