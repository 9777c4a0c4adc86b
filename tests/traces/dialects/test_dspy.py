"""DSPy as OpenInference shows it."""

from __future__ import annotations

import pytest

from tests.traces.dialects.made import facts, span, text
from traces.dialects.facts import AskedCall, Message
from traces.reading import conversation

SCOPE = "openinference.instrumentation.dspy"


def chain(given, answered, **more):
    at = {"openinference.span.kind": "CHAIN", "input.value": text(given), "output.value": text(answered)}
    return span(SCOPE, "ReAct.forward", **more)(at)


def test_a_module_was_asked_and_answered_by_its_fields():
    answered = {"trajectory": {"thought_0": "Hm."}, "reasoning": "Because.", "answer": "3 EUR"}
    found = facts(chain({"input_args": {"question": "The fee of B-7?"}}, answered))
    assert (found.kind, found.dialect, found.said, found.replied) == ("agent", "dspy", "The fee of B-7?", "3 EUR")


def test_several_texts_are_not_guessed_from():
    found = facts(chain({"question": "The fee?", "context": "Fees are 3 EUR."}, {"answer": "3", "source": "fees.md"}))
    assert (found.said, found.replied) == (None, None)


def test_a_tool_goes_by_its_function():
    at = {"openinference.span.kind": "TOOL", "input.value": '{"kwargs": {"order": "B-7"}}', "output.value": '"3 EUR"'}
    found = facts(span(SCOPE, "get_fee.__call__")(at))
    assert found.tool == AskedCall("get_fee", None, {"order": "B-7"})
    assert found.result == "3 EUR"


RULES = "\n\nRespond with the corresponding output fields, starting with the field `[[ ## answer ## ]]`."


def marked(role, **fields):
    return {"role": role, "content": "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in fields.items())}


def model(asked, given, scope=SCOPE):
    asked[-1]["content"] += RULES
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", "input.value": text({"messages": asked})}
    return facts(span(scope, "LM.__call__")({**at, "output.value": text([given])}))


@pytest.mark.parametrize("scope", [SCOPE, "openinference.instrumentation.litellm"])
def test_a_model_call_holds_what_was_said_without_the_marks_of_its_adapter(scope):
    before = [marked("user", question="Hi"), marked("assistant", reasoning="None", answer="Hello!")]
    thoughts = "[[ ## thought_0 ## ]]\nHm.\n\n[[ ## observation_0 ## ]]\n3"
    found = model(
        [*before, marked("user", question="The fee of B-7?", trajectory=thoughts)],
        marked("assistant", reasoning="So.", answer="3 EUR", completed="")["content"],
        scope,
    )
    assert found.input == (Message("user", "Hi"), Message("assistant", "Hello!"), Message("user", "The fee of B-7?"))
    assert found.output == (Message("assistant", "3 EUR"),)


def test_workings_are_no_answer_and_no_history():
    before = [marked("user", question="Hi"), marked("assistant", next_thought="None", next_tool_name="None")]
    given = marked("assistant", next_thought="Look.", next_tool_name="get_fee", next_tool_args="{}")["content"]
    found = model([*before, marked("user", question="The fee of B-7?")], given)
    assert found.input == (Message("user", "The fee of B-7?"),)
    assert found.output == (Message("assistant", ""),)
    as_json = model([marked("user", question="The fee?")], '{"reasoning": "So.", "answer": "3 EUR"}')
    assert as_json.output == (Message("assistant", "3 EUR"),)


def test_the_tool_that_ends_an_agent_s_loop_is_none():
    at = {"openinference.span.kind": "TOOL", "input.value": '{"kwargs": {}}', "output.value": "Completed."}
    assert facts(span(SCOPE, "finish.__call__")(at)).kind == "other"


def test_the_turn_is_what_the_module_was_asked_without_the_prompt_around_it():
    root = chain({"question": "The fee of B-7?"}, {"answer": "3 EUR"})
    asked = {"messages": [{"role": "user", "content": "[[ ## question ## ]]\nThe fee of B-7?\n\nAnswer in fields."}]}
    at = {"openinference.span.kind": "LLM", "llm.model_name": "m-1", "input.value": text(asked)}
    call = span(SCOPE, "LM.__call__", parent=root.span_id)({**at, "output.value": text(["[[ ## answer ## ]]\n3 EUR"])})
    call.span_id = "00f067aa0ba902b7"
    turns = conversation([root, call]).turns
    assert [(turn.user, turn.assistant) for turn in turns] == [("The fee of B-7?", "3 EUR")]


OFFICIAL = "opentelemetry.instrumentation.genai.dspy"


def said(role, content):
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def test_the_official_instrumentation_tells_the_same_fields_in_its_messages():
    asked = [said("system", "Be brief."), said("user", "[[ ## question ## ]]\nThe fee of B-7?" + RULES)]
    given = [said("assistant", "[[ ## answer ## ]]\n3 EUR\n\n[[ ## completed ## ]]")]
    at = {"gen_ai.input.messages": text(asked), "gen_ai.output.messages": text(given)}
    found = facts(span(OFFICIAL)({"gen_ai.operation.name": "chat", **at}))
    assert (found.kind, found.dialect) == ("model", "dspy")
    assert found.input == (Message("system", "Be brief."), Message("user", "The fee of B-7?"))
    assert found.output == (Message("assistant", "3 EUR"),)


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ("{'question': 'The fee of B-7?', 'history': None}", "The fee of B-7?"),
        ("{'question': 'The fee of B-7?', 'history': History(messages=[])}", None),
        ("The fee of B-7?", "The fee of B-7?"),
    ],
)
def test_an_agent_of_the_official_instrumentation_was_asked_by_its_fields(fields, asked):
    at = {"gen_ai.input.messages": text([said("user", fields)]), "gen_ai.output.messages": text([said("a", "3 EUR")])}
    found = facts(span(OFFICIAL)({"gen_ai.operation.name": "invoke_agent", **at}))
    assert (found.kind, found.said, found.replied) == ("agent", asked, "3 EUR")


def test_the_end_of_the_loop_is_no_tool_of_the_official_instrumentation_either():
    at = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "finish", "gen_ai.tool.call.arguments": "{}"}
    assert facts(span(OFFICIAL)(at)).kind == "other"
