"""smolagents as OpenInference shows it."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import Answer, AskedCall, Message
from traces.genai import Usage

SCOPE = "openinference.instrumentation.smolagents"


def model(*told, **more):
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", **more}
    for index, (role, words) in enumerate(told):
        at[f"llm.input_messages.{index}.message.role"] = role
        at[f"llm.input_messages.{index}.message.contents.0.message_content.type"] = "text"
        at[f"llm.input_messages.{index}.message.contents.0.message_content.text"] = words
    return facts(span(SCOPE)(at))


def calls(*names):
    made = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": {}}}
        for at, name in enumerate(names)
    ]
    return f"Calling tools:\n{made}"


def test_texts_are_read_as_the_calls_and_answers_they_tell_of():
    found = model(
        ("system", "Be brief."),
        ("user", "New task:\nThe fee of B-7?"),
        ("assistant", "Let me see."),
        ("tool-call", calls("get_fee")),
        ("tool-response", "Observation:\n3 EUR"),
        **{"llm.token_count.prompt": 9, "llm.token_count.completion": 4},
    )
    assert (found.kind, found.dialect, found.usage) == ("model", "smolagents", Usage(9, 4))
    assert found.input == (
        Message("system", "Be brief."),
        Message("user", "The fee of B-7?"),
        Message("assistant", "Let me see.", (AskedCall("get_fee", "c0", {}),)),
        Message("tool", "", (), (Answer("c0", "3 EUR"),)),
    )


def test_an_error_is_an_answer_that_failed():
    found = model(("tool-call", calls("get_fee")), ("tool-response", "Error:\nFeeError: no fee\nNow let's retry"))
    assert found.input is not None
    assert found.input[1].answers == (Answer("c0", "FeeError: no fee\nNow let's retry", None, True),)


def test_an_error_whose_call_is_left_out_of_the_history_is_no_answer_of_an_earlier_one():
    found = model(
        ("tool-call", calls("get_fee")),
        ("tool-response", "Observation:\n3 EUR"),
        ("tool-response", "Error:\nFeeError: no fee"),
    )
    assert found.input is not None
    assert [one.answers for one in found.input[1:]] == [
        (Answer("c0", "3 EUR"),),
        (Answer(None, "FeeError: no fee", None, True),),
    ]


def test_what_several_calls_gave_is_no_answer_of_any():
    found = model(("tool-call", calls("get_fee", "get_date")), ("tool-response", "Observation:\n3 EUR\n2026-03-04"))
    assert found.input is not None
    assert found.input[1] == Message("tool")


def test_what_the_agent_says_in_the_users_name_is_no_message_of_the_user():
    found = model(
        ("system", "Be brief."),
        ("user", "New task:\nThe fee of B-7?"),
        ("assistant", "Facts and plan."),
        ("user", "Now proceed and carry out this plan."),
        ("tool-call", calls("get_fee")),
        ("tool-response", "Observation:\n3 EUR"),
        ("user", "Based on the above, please provide an answer to the following user task:\nThe fee of B-7?"),
    )
    assert found.input is not None
    assert [(one.role, one.text) for one in found.input if one.role == "user"] == [("user", "The fee of B-7?")]
    assert [answer.content for one in found.input for answer in one.answers] == ["3 EUR"]


def test_without_a_task_the_users_words_are_what_they_are():
    found = model(("user", "Plan how to find the fee of B-7."))
    assert found.input == (Message("user", "Plan how to find the fee of B-7."),)


def test_a_tool_has_its_arguments_out_of_the_envelope():
    given = text({"args": [], "sanitize_inputs_outputs": True, "kwargs": {"order": "B-7"}})
    at = {"openinference.span.kind": "TOOL", "tool.name": "get_fee", "input.value": given, "output.value": '{"fee": 3}'}
    found = facts(span(SCOPE, "SimpleTool")(at))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == {"fee": 3}


def test_an_agent_has_its_task_and_its_name_and_a_sum_of_tokens():
    at = {
        "openinference.span.kind": "AGENT",
        "input.value": text({"task": "The fee of B-7?", "stream": False, "reset": True, "images": None}),
        "output.value": "3 EUR",
        "llm.token_count.prompt": 90,
        "llm.token_count.completion": 40,
    }
    found = facts(span(SCOPE, "desk.run")(at))
    assert (found.agent, found.said, found.replied, found.counted) == ("desk", "The fee of B-7?", "3 EUR", False)


CODE = AskedCall("python_interpreter", None, 'print(get_fee("B-7"))')


def test_code_is_a_call_of_the_interpreter_when_it_is_written_and_when_it_is_told_again():
    written = 'I look it up.\n<code>\nprint(get_fee("B-7"))\n'
    asked = [{"id": "call_1", "type": "function", "function": {"name": CODE.name, "arguments": CODE.arguments}}]
    reply = Message("assistant", "I look it up.", (CODE,))
    for given in (written, written + "</code>", 'I look it up.\n```py\nprint(get_fee("B-7"))\n```'):
        told = {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": given}
        assert model(**told).output == (reply,)
    found = model(
        ("user", "New task:\nThe fee of B-7?"),
        ("assistant", written + "</code>"),
        ("tool-call", f"Calling tools:\n{asked}"),
        ("tool-response", "Observation:\n3 EUR"),
    )
    assert found.input[1:] == (reply, Message("tool", "", (), (Answer(None, "3 EUR"),)))


def test_what_the_response_says_of_itself_is_read_from_its_repr():
    raw = (
        "ChatCompletion(id='chatcmpl-1', choices=[Choice(message=Message(content=\"model='x', cached_tokens=7\"))], "
        "created=17, model='m-1-2026', usage=CompletionUsage(completion_tokens=4, prompt_tokens=9, "
        "completion_tokens_details=Details(reasoning_tokens=2), prompt_tokens_details=Details(cached_tokens=3)))"
    )
    counts = {"llm.token_count.prompt": 9, "llm.token_count.completion": 4}
    found = model(**counts, **{"output.value": text({"role": "assistant", "content": "3 EUR.", "raw": raw})})
    assert (found.response_id, found.response_model) == ("chatcmpl-1", "m-1-2026")
    assert found.usage == Usage(9, 4, 3, 2)
    plain = model(**counts, **{"output.value": text({"role": "assistant", "content": "3 EUR.", "raw": None})})
    assert (plain.response_model, plain.usage) == ("m-1", Usage(9, 4))


def test_arguments_without_names_get_those_of_the_tools_parameters():
    given = text({"args": ["B-7"], "sanitize_inputs_outputs": False, "kwargs": {"day": 3}})
    names = text({"order": {"type": "string"}, "day": {"type": "integer"}})
    at = {"openinference.span.kind": "TOOL", "tool.name": "get_fee", "input.value": given}
    assert facts(span(SCOPE)({**at, "tool.parameters": names})).tool == AskedCall(
        "get_fee", None, {"order": "B-7", "day": 3}
    )
