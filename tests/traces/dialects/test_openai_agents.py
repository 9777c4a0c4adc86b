"""The Agents SDK as OpenTelemetry's first instrumentation of it shows it."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import AskedCall, Message

SCOPE = "opentelemetry.instrumentation.openai_agents"


def told(role: str, *words: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": word} for word in words]}


def model(history: list[Any], output: list[Any]) -> Any:
    at = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m-1",
        "gen_ai.agent.name": "OpenAI Agent",
        "gen_ai.agent.description": "OpenAI Agents instrumentation",
        "gen_ai.input.messages": text(history),
        "gen_ai.output.messages": text(output),
    }
    return facts(span(SCOPE)(at))


def test_items_that_stand_as_python_shows_them_are_calls_and_words():
    thought = "ResponseReasoningItem(id='rs_1', summary=[Summary(text='Hm.', type='summary_text')], type='reasoning')"
    words = (
        "ResponseOutputMessage(id='msg_1', content=[ResponseOutputText(annotations=[], text=\"I'll\\nlook.\", "
        "type='output_text')], role='assistant')"
    )
    call = "ResponseFunctionToolCall(arguments='{\"order\": \"B-7\"}', call_id='c1', name='get_fee', async_=None)"
    found = model([told("user", "The fee?")], [told("assistant", thought, words, call)])
    assert found.output == (Message("assistant", "I'll\nlook.", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),)


def test_a_reply_that_is_told_again_is_what_it_was():
    again = "{'annotations': [], 'text': \"It's 3 EUR.\", 'type': 'output_text', 'logprobs': []}"
    found = model([told("user", "The fee?"), told("assistant", again)], [told("assistant", "Response(s): none")])
    assert [message.text for message in found.input] == ["The fee?", "It's 3 EUR."]
    assert found.output[0].text == "Response(s): none"


def test_only_an_agents_span_names_the_agent():
    assert model([], []).agent is None
    at = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk", "gen_ai.agent.description": "an agent"}
    assert facts(span(SCOPE)(at)).agent == "desk"
