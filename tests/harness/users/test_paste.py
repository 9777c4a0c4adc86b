"""The line to paste really makes the scenario answer what it left open."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from harness.model.episode import Ask, AskKind, Message
from harness.users.paste import gaps, line_for
from tests.harness.users.conversations import begun, choice, other, proposal, readback, scenario, slot

BROCHURE = "Would you like a brochure?"


def pasted(ask: Ask) -> dict[str, Any]:
    return yaml.safe_load(line_for(ask))


@pytest.mark.parametrize(
    ("reply", "asks"),
    [
        ("When were you born?", [slot("date_of_birth", "When were you born?")]),
        ("Is your colour red?", [readback("colour", "red")]),
        (BROCHURE, [proposal(BROCHURE)]),
        ("A leaflet or a brochure?", [choice("A leaflet or a brochure?", "A leaflet", "a brochure")]),
    ],
)
def test_the_line_closes_the_gap(reply, asks):
    open_ = begun().hears(reply, asks=asks)
    assert open_.because.unscripted
    added = pasted(asks[0])
    added["knows"] = {**scenario().user.knows, **added.get("knows", {})}
    closed = begun(scenario(**added)).hears(reply, asks=asks)
    assert closed.because.unscripted == ()


def test_an_other_ask_is_answered_once_the_recogniser_knows_its_words():
    question = "Did you drop the blender on the floor?"
    talk = begun(scenario(**pasted(other(question))))
    assert talk.hears(question).because.answered == (("blender_on_the_floor", "what the user says"),)


def test_the_gap_is_the_first_message_that_left_an_ask_open():
    talk = begun()
    messages: list[Message] = []
    for asks in ([slot("email")], [proposal(BROCHURE)], [slot("pin", "PIN?")]):
        said = talk.hears("?", asks=asks)
        messages += [*talk.replies, Message("user", said.text, 2, because=said.because)]
    message, ask = next(gaps(messages))
    assert ask == proposal(BROCHURE)
    assert message is messages[3]
    assert list(gaps(messages[:2])) == []


def test_a_line_that_ran_over_an_ask_is_a_gap_too():
    line = {"say": "Wait!", "when": {"reply": "blue"}, "now": {"order_id": "O-2"}}
    talk = begun(scenario(["Hi.", line]))
    said = talk.hears("Was it blue?", asks=[other("Was it blue?")])
    ((_, ask),) = gaps([*talk.replies, Message("user", said.text, 2, because=said.because)])
    assert ask == other("Was it blue?")


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What is your loan number?", "loan_number"),
        ("Please tell me your loan number.", "loan_number"),
        ("May I have your library card code, please?", "library_card_code"),
    ],
)
def test_what_is_asked_for_by_a_name_is_a_fact_of_that_name(question, fact):
    (ask,) = begun().user.recognise(question).asks
    added = pasted(ask)
    assert added == {"knows": {fact: "what the user says"}}
    talk = begun(scenario(knows={fact: "L-10"}))
    assert talk.hears(question).because.answered == ((fact, f"my {fact.replace('_', ' ')} is L-10"),)


def test_a_proposal_of_what_the_user_asked_for_is_agreed_to_by_the_tools_name():
    assert line_for(proposal("Shall I renew it?"), agrees="renew_loan") == 'agrees_to: ["renew_loan"]  # or declines'


@given(st.text(min_size=1, max_size=80))
def test_any_question_makes_one_line_of_yaml(quote):
    for ask in (other(quote), proposal(quote), slot("pin", quote)):
        line = line_for(ask)
        assert len(line.splitlines()) == 1
        assert isinstance(yaml.safe_load(line), dict)


def test_a_fact_is_called_as_the_tools_call_it():
    ask = Ask(AskKind.SLOT, "What is your member id?", slot="user_id")
    assert line_for(ask, ["member_id", "day"]) == 'knows: {"member_id": "what the user says"}'
    assert line_for(ask, ["day"]) == 'knows: {"user_id": "what the user says"}'
