"""What an instrumentation or a collector hid is not captured: it is no text, no argument, no result."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, answer, assistant, user
from traces.reading import conversation, conversations


@pytest.mark.parametrize("mark", ["[REDACTED]", "__REDACTED__", "<REDACTED>", "[Scrubbed due to 'session']"])
def test_hidden_attributes_are_not_captured(mark: str) -> None:
    trace = Trace()
    run = trace.run()
    hidden = {"gen_ai.input.messages": mark, "gen_ai.output.messages": mark}
    trace.model(run, None, None, extra=hidden)
    span = trace.tool(run, "get", None, mark, "1")
    span.attributes["gen_ai.tool.call.arguments"] = mark
    found = conversation(trace.spans)
    (turn,) = found.turns
    (call,) = turn.tool_calls
    assert (turn.user, turn.assistant) == (None, None)
    assert (call.arguments, call.raw, call.result, call.told) == (None, None, None, None)
    assert call.missing == {"arguments", "result", "told"}
    assert found.warnings[0].startswith("texts were not captured on 1 of 1 model calls")
    assert found.warnings[0].kind == "content"


@pytest.mark.parametrize("mark", ["[REDACTED]", "__REDACTED__", "<REDACTED>", "[Scrubbed due to 'session']"])
def test_hidden_texts_within_messages_are_not_captured(mark: str) -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant(mark, ("get", "1", mark))
    trace.model(run, [user(mark)], [asks])
    trace.model(run, [user(mark), asks, answer("1", mark)], [assistant(mark)])
    found = conversation(trace.spans)
    (turn,) = found.turns
    (call,) = turn.tool_calls
    assert (turn.user, turn.assistant, len(turn.model_calls)) == (None, None, 2)
    assert (call.name, call.arguments, call.raw, call.result, call.told) == ("get", None, None, None, None)
    assert {"arguments", "result", "told"} <= call.missing


def test_names_and_ids_of_calls_are_no_content() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", "1", None))
    trace.model(run, [user("")], [asks])
    trace.model(run, [user(""), asks, answer("1", None)], [])
    found = conversation(trace.spans)
    assert [call.name for call in found.turns[0].tool_calls] == ["get"]
    assert found.warnings[0].startswith("texts were not captured on 2 of 2 model calls")


def test_a_text_that_speaks_of_it_is_a_text() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("Why does it say [REDACTED]?")], [assistant("b")])
    assert conversation(trace.spans).turns[0].user == "Why does it say [REDACTED]?"


@pytest.mark.parametrize("name", ["gen_ai.conversation.id", "session.id", "metadata"])
def test_a_hidden_id_joins_nothing(name: str) -> None:
    value = "[Scrubbed due to 'session']" if name != "metadata" else '{"thread_id": "[REDACTED]"}'
    one, two = Trace(1), Trace(2)
    for trace, text in ((one, "a"), (two, "b")):
        trace.model(trace.run(conversation=None), [user(text)], [assistant("c")], extra={name: value})
    found = conversations([*one.spans, *two.spans])
    assert [(each.id, each.joined, len(each.turns)) for each in found] == [(None, "trace", 1)] * 2


def test_what_openinference_hides_is_not_captured() -> None:
    trace = Trace()
    hidden = "__REDACTED__"
    trace.add(
        {
            "openinference.span.kind": "LLM",
            "llm.model_name": "m",
            "llm.token_count.prompt": 10,
            "llm.token_count.completion": 5,
            "input.value": hidden,
            "output.value": hidden,
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": hidden,
        }
    )
    trace.add({"openinference.span.kind": "TOOL", "tool.name": "get", "input.value": hidden, "output.value": hidden})
    found = conversation(trace.spans)
    (turn,) = found.turns
    assert (turn.user, turn.assistant) == (None, None)
    assert [(call.name, call.arguments, call.result) for call in turn.tool_calls] == [("get", None, None)]
    assert any("OPENINFERENCE_HIDE_INPUTS" in warning for warning in found.warnings)
