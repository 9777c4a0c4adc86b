"""Haystack as OpenInference shows it."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import Answer, AskedCall, Message

SCOPE = "openinference.instrumentation.haystack"
USER = "ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text=\"B-7's fee?\")], _name=None, _meta={})"
ASKED = "ToolCall(tool_name='get_fee', arguments={'order': 'B-7'}, id='c1')"
CALLS = (
    f"ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[{ASKED}], _name=None, _meta={{'model': 'm-1'}})"
)
TOLD = f"ToolCallResult(result='no fee', origin={ASKED}, error=True)"
ANSWER = f"ChatMessage(_role=<ChatRole.TOOL: 'tool'>, _content=[{TOLD}], _name=None, _meta={{}})"


def model(asked, given, **more):
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", "input.value": text({"messages": asked})}
    return facts(span(SCOPE, "OpenAIChatGenerator.run")({**at, "output.value": text({"replies": given}), **more}))


def test_messages_are_read_from_what_python_makes_of_them():
    found = model([USER, CALLS, ANSWER], [CALLS])
    assert (found.kind, found.dialect) == ("model", "haystack")
    assert found.input == (
        Message("user", "B-7's fee?"),
        Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
        Message("tool", "", (), (Answer("c1", "no fee", "get_fee", True),)),
    )
    assert found.output == (Message("assistant", "", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)


def test_what_can_not_be_parsed_is_left_to_the_attributes():
    flat = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "The fee?"}
    found = model([USER[:-30]], ["ChatMessage(_role=<Nothing>)"], **flat)
    assert found.input == (Message("user", "The fee?"),)
    assert not any(message.calls for message in found.output or ())
