"""Agents that act in words, as LlamaIndex tells of them by OpenInference."""

from __future__ import annotations

from typing import Any

from tests.traces.dialects.made import facts, span
from traces.dialects.facts import Answer, AskedCall, Message

RULES = "Answer in this form:\nThought: ...\nAction: tool name\nAction Input: {...}"
ASKS = "Thought: I look it up.\nAction: get_fee\nAction Input: {'order': 'B-7'}"
REPLY = "Thought: I can answer.\nAnswer: 3 EUR.\nThought: is a label too."


def model(output: str, *told: tuple[str, str]) -> Any:
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1"}
    for index, (role, words) in enumerate(told):
        at |= {f"llm.input_messages.{index}.message.{name}": one for name, one in (("role", role), ("content", words))}
    at |= {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": output}
    return facts(span("openinference.instrumentation.llama_index")(at))


CALL = Message("assistant", "I look it up.", (AskedCall("get_fee", None, {"order": "B-7"}),))
SEEN = Message("tool", "", (), (Answer(None, "3\nEUR"),))
SAID = Message("assistant", "3 EUR.\nThought: is a label too.")


def test_steps_are_calls_answers_and_the_reply_in_one_message_or_in_several() -> None:
    rules, user = ("system", RULES), ("user", "The fee?")
    asked = model(ASKS.replace("'", '"'), rules, user)
    assert asked.output == (CALL,)
    answered = model(REPLY, rules, user, ("assistant", ASKS), ("user", "Observation: 3\nEUR"))
    assert (answered.input[2:], answered.output) == ((CALL, SEEN), (SAID,))
    later = model("Fine.", rules, user, ("assistant", f"{ASKS}\nObservation: 3\nEUR\n{REPLY}"), ("user", "Thanks."))
    assert later.input[2:] == (CALL, SEEN, SAID, Message("user", "Thanks."))
    assert later.output == (Message("assistant", "Fine."),)


def test_where_nobody_is_told_to_act_so_labels_are_words() -> None:
    found = model(ASKS, ("system", "Be brief."), ("user", "Observation: it rains."))
    assert found.output == (Message("assistant", ASKS),)
    assert found.input[1] == Message("user", "Observation: it rains.")


def test_objects_that_stand_as_python_shows_them_are_arguments_like_others() -> None:
    pairs = "AttributedDict([('n', 2), ('of', AttributedDict([('sku', 'B-7')]))])"
    told = f"Thought: So.\nAction: quote\nAction Input: {{'items': [{pairs}, {{'n': 1}}]}}"
    (message,) = model("Fine.", ("system", RULES), ("assistant", told)).input[1:]
    assert message.calls[0].arguments == {"items": [{"n": 2, "of": {"sku": "B-7"}}, {"n": 1}]}
    odd = model("Fine.", ("system", RULES), ("assistant", told.replace("2)", "{2, 3})"))).input[1].calls[0]
    assert (odd.arguments, "{2, 3}" in odd.raw) == (None, True)  # a set is no JSON
    broken = model("Fine.", ("system", RULES), ("assistant", told.replace("[{'n': 1}]", "").replace("}]}", "")))
    assert broken.input[1].calls[0].name == "quote"
