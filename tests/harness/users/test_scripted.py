"""The scripted user, clause by clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.episode import Ask, AskKind
from harness.model.scenario import Scenario
from harness.users.scripted import Script, ScriptedUser
from harness.users.view import Done, Say
from tests.harness.users.conversations import (
    KNOWS,
    SHOP,
    Talk,
    begun,
    choice,
    other,
    proposal,
    readback,
    scenario,
    slot,
    spec,
    talk,
)
from tools_sandbox.call import Change
from tools_sandbox.schema import FieldType, SandboxSchema

REFUND_IT = "Shall I refund 49.90 to your card?"


def test_the_whole_of_a_refund():
    lines = ["I want my money back.", {"say": "How long until I see it?", "after": "issue_refund"}]
    shop = talk(scenario(lines))

    first = shop.begins()
    assert first.text == "I want my money back."
    assert (first.because.reason, first.because.line) == ("line", 0)

    facts = shop.hears("I'm sorry. What are your order number and e-mail address?")
    assert facts.text == "My order number is O-1001, my e-mail address is ana@example.com"
    assert facts.because.reason == "asks"
    assert [about for about, _ in facts.because.answered] == ["order_id", "email"]

    shop.called("verify_identity")
    yes = shop.hears("Thank you. Shall I refund 49.90 to the card you paid with?")
    assert yes.text == "Yes, please."
    assert yes.because.consent == ("issue_refund",)

    shop.called("issue_refund", order_id="O-1001", amount="49.90")
    assert shop.says("I have refunded 49.90 to your card.") == "How long until I see it?"
    assert shop.hears("In 5-7 business days. Is there anything else I can help you with?") == Done(())


def test_all_known_slots_of_all_messages_are_answered_at_once():
    shop = begun()
    answer = shop.hears("What is your order number?", "And your e-mail address, please?")
    assert "O-1001" in answer.text
    assert "ana@example.com" in answer.text


def test_a_slot_asked_twice_is_answered_once():
    assert begun().says("?", asks=[slot("order_id", "a"), slot("order_id", "b")]) == "My order number is O-1001"


def test_what_the_user_does_not_have_is_said_by_name():
    answer = begun().hears("Your phone number, please?", asks=[slot("phone")])
    assert answer.text == "As for the phone number, I don't have that."
    assert answer.because.unscripted == ()


def test_a_slot_that_is_not_known_is_unscripted():
    answer = begun().hears("?", asks=[slot("date_of_birth", "When were you born?")])
    assert answer.text == "I can't say."
    assert answer.because.reason == "otherwise"
    assert answer.because.unscripted == ("When were you born?",)


def test_known_and_unknown_slots_go_into_one_message():
    answer = begun().hears("?", asks=[slot("order_id"), slot("date_of_birth", "When were you born?")])
    assert answer.text == "I can't say. My order number is O-1001"
    assert answer.because.unscripted == ("When were you born?",)


def test_a_slot_and_a_proposal_in_one_reply_are_both_answered():
    answer = begun().hears("Shall I refund 49.90? And what is your order number?")
    assert answer.text == "Yes, please. My order number is O-1001"
    assert answer.because.consent == ("issue_refund",)


def test_own_answers_and_otherwise_fill_in_names():
    own = scenario(
        answers={"colour": {"asked": ["what colour"], "say": "Red, on order {order_id}, and {nothing}."}},
        otherwise="Ask about {order_id}.",
    )
    shop = begun(own)
    assert shop.says("What colour was it?") == "Red, on order O-1001, and {nothing}."
    assert shop.says("Do you like dogs?", asks=[other("Do you like dogs?")]) == "Ask about O-1001."


def test_only_names_under_knows_are_filled_in():
    shop = talk(scenario(["{{refund}} {order_id} ${x} {#1} {phone}"]))
    assert shop.begins().text == "{{refund}} O-1001 ${x} {#1} {phone}"


def test_an_other_ask_gets_otherwise_and_the_line_waits_for_the_next_turn():
    shop = begun(scenario(["Hello.", "My blender broke."]))
    answer = shop.hears("Did you drop it?", asks=[other("Did you drop it?")])
    assert answer.text == "I can't say."
    assert answer.because.unscripted == ("Did you drop it?",)
    assert shop.says("I see.") == "My blender broke."


def test_closings_are_no_asks():
    assert begun().hears("Is there anything else I can help you with?") == Done(())


def test_a_readback_is_confirmed_or_corrected():
    shop = begun()
    assert shop.says("?", asks=[readback("email", "ana@example.com")]) == "Yes, that's right."
    assert shop.says("?", asks=[readback("email", "anna@example.com")]) == "No, my e-mail address is ana@example.com"
    assert shop.says("?", asks=[readback("phone", "555 0100")]) == "As for the phone number, I don't have that."
    both = [readback("order_id", "O-1001"), readback("email", "x@example.com")]
    assert shop.says("?", asks=both) == "No, my e-mail address is ana@example.com"


def test_a_corrected_slot_is_not_said_twice():
    asks = [slot("email"), readback("email", "x@example.com")]
    assert begun().says("?", asks=asks) == "No, my e-mail address is ana@example.com"


def test_a_readback_of_something_unknown_is_unscripted():
    answer = begun().hears("?", asks=[readback("colour", "red")])
    assert answer.because.unscripted == ("Is it red?",)


def test_a_line_waits_for_its_conditions():
    shop = begun(scenario(["Hi.", {"say": "Thanks!", "after": "issue_refund"}]))
    waiting = shop.hears("One moment.")
    assert isinstance(waiting, Done)
    assert [(line.line, line.text, line.waited_for) for line in waiting.unsaid] == [
        (1, "Thanks!", "a successful issue_refund")
    ]
    shop.called("issue_refund", error="no such order")
    assert isinstance(shop.hears("That failed."), Done)
    shop.called("issue_refund")
    assert shop.says("Done.") == "Thanks!"


def test_a_line_before_a_tool_is_missed_once_the_tool_was_called():
    shop = begun(scenario(["Hi.", {"say": "Wait!", "before": "issue_refund", "after": "get_order"}, "Bye."]))
    shop.called("get_order")
    shop.called("issue_refund")
    assert shop.says("Refunded.") == "Bye."
    end = shop.hears("Goodbye.")
    assert [line.text for line in end.unsaid] == ["Wait!"]


def test_when():
    conditions = {
        "reply": {"reply": ["store credit", "voucher"]},
        "called": {"called": "get_order"},
        "not_called": {"not_called": "cancel_order", "called": "get_order"},
        "outcome": {"outcome": "escalated"},
        "refused": {"refused": "true"},
        "state": {"state": {"orders.O-1001.total": "49.9"}},
    }
    for name, when in conditions.items():
        shop = begun(scenario(["Hi.", {"say": "Now.", "when": when}]))
        assert isinstance(shop.hears("Well."), Done), name
        shop.called("get_order")
        shop.outcome = "escalated"
        shop.state = {"orders.O-1001.total": "49.90"}
        assert shop.says("Sorry, no. A voucher for the shop.", asks=[], refusal=True) == "Now.", name


def test_not_called_is_missed_once_it_was_called():
    shop = begun(scenario(["Hi.", {"say": "Now.", "when": {"not_called": "cancel_order"}}]))
    shop.called("cancel_order")
    assert isinstance(shop.hears("Cancelled."), Done)


def test_a_list_of_rows_is_held_against_the_rows_that_were_touched():
    refunds = Scenario.model_validate(
        {
            **scenario().dump(),
            "user": {"turns": ["Hi.", {"say": "Now.", "when": {"state": {"refunds": [{"order_id": "O-1"}]}}}]},
        }
    )
    shop = begun(refunds)
    shop.state = {"refunds": {"R-0": {"order_id": "O-0"}, "R-1": {"order_id": "O-1"}}}
    assert isinstance(shop.hears("Well."), Done)
    shop.called("issue_refund", change=Change("refunds", "R-1", None, {"order_id": "O-1"}))
    assert shop.says("Done.") == "Now."


def test_a_line_of_several_messages_is_as_many_turns():
    shop = talk(scenario([{"say": ["Hi.", "It broke."]}, "Well?"]))
    assert shop.begins().text == "Hi."
    assert shop.says("Your order number, please?") == "My order number is O-1001"
    second = shop.hears("Thanks.")
    assert (second.text, second.because.line) == ("It broke.", 0)
    assert shop.says("I see.") == "Well?"
    assert shop.hears("Hm.") == Done(())


def test_the_rest_of_a_line_is_reported():
    shop = begun(scenario([{"say": ["Hi.", "It broke."]}]))
    assert [line.text for line in shop.user.unsaid()] == ["It broke."]


def test_a_now_line_goes_out_before_the_ask_and_replaces_its_answer():
    change = {"say": "Sorry, I mean {order_id}.", "when": {"called": "get_order"}, "now": {"order_id": "O-2002"}}
    shop = begun(scenario(["Hi.", change]))
    assert shop.says("?", asks=[slot("order_id")]) == "My order number is O-1001"
    shop.called("get_order")
    line = shop.hears("?", asks=[slot("order_id"), slot("email")])
    assert line.text == "Sorry, I mean O-2002. My e-mail address is ana@example.com"
    assert (line.because.reason, line.because.line) == ("line", 1)
    assert shop.user.knows["order_id"] == "O-2002"
    assert shop.says("?", asks=[readback("order_id", "O-1001")]) == "No, my order number is O-2002"
    assert KNOWS["order_id"] == "O-1001"


def test_a_now_line_gives_no_consent_to_what_it_interrupts():
    change = {"say": "Wait, the other one.", "when": {"reply": "refund"}, "now": {"order_id": "O-2002"}}
    line = begun(scenario(["Hi.", change])).hears(REFUND_IT)
    assert line.text == "Wait, the other one."
    assert line.because.consent == ()
    assert line.because.misfit is None


def test_a_now_line_that_says_yes_consents_to_what_is_wanted_of_what_it_interrupts():
    yes = {"say": "Yes, and thank you for being so quick.", "when": {"reply": "refund"}, "now": {}}
    line = begun(scenario(["Hi.", yes])).hears(REFUND_IT)
    assert (line.text, line.because.consent) == ("Yes, and thank you for being so quick.", ("issue_refund",))
    unwanted = begun(scenario(["Hi.", yes], expect={"calls": {"never": ["issue_refund"]}})).hears(REFUND_IT)
    assert unwanted.because.consent == ()


@pytest.mark.parametrize("text", ["Yes, but not that one.", "Okay, wait.", "I say yes."])
def test_a_now_line_that_takes_its_yes_back_or_says_it_late_consents_to_nothing(text):
    line = begun(scenario(["Hi.", {"say": text, "when": {"reply": "refund"}, "now": {}}])).hears(REFUND_IT)
    assert line.because.consent == ()


def test_a_now_line_over_an_ask_that_nothing_answers_does_not_fit():
    change = {"say": "Wait, the other one.", "when": {"reply": "blue"}, "now": {"order_id": "O-2002"}}
    line = begun(scenario(["Hi.", change])).hears("Was it blue?", asks=[other("Was it blue?")])
    assert line.text == "Wait, the other one."
    assert "Was it blue?" in line.because.misfit


def test_a_now_line_that_waits_for_nothing_keeps_its_place():
    lines = ["Hi.", {"say": "Two.", "after": "get_order"}, {"say": "Three.", "now": {"order_id": "O-2"}}]
    shop = begun(scenario(lines))
    assert shop.says("?", asks=[slot("order_id")]) == "My order number is O-1001"
    shop.called("get_order")
    assert shop.says("Found.") == "Two."
    assert shop.says("?", asks=[slot("order_id")]) == "Three."


def test_a_new_fact_is_recognised_in_a_readback():
    change = {"say": "I moved.", "when": {"called": "get_order"}, "now": {"address": "5 High Street"}}
    shop = begun(scenario(["Hi.", change]))
    shop.called("get_order")
    shop.hears("Found it.")
    assert shop.says("What is your address?") == "My address is 5 High Street"


def test_lines_that_wait_do_not_hold_up_the_others():
    lines = ["Hi.", {"say": "No voucher.", "when": {"reply": "voucher"}}, "And cancel O-2, please."]
    shop = begun(scenario(lines))
    assert shop.says("All right.") == "And cancel O-2, please."
    assert shop.says("Here is a voucher.") == "No voucher."


def test_nothing_to_begin_with():
    end = talk(scenario([{"say": "Hi.", "after": "get_order"}])).begins()
    assert [line.text for line in end.unsaid] == ["Hi."]


def test_the_same_ask_gets_the_same_answer():
    shop = begun()
    assert len({shop.says("Your order number, please?") for _ in range(5)}) == 1


def test_one_yes_goes_for_all_proposals_and_mixed_answers_name_them():
    shop = begun()
    asks = [proposal(REFUND_IT), proposal("May I look up your order?")]
    assert shop.says("?", asks=asks) == "Yes, please."
    mixed = shop.hears("?", asks=[proposal(REFUND_IT), proposal("Shall I cancel the order?")])
    assert mixed.text == f"“{REFUND_IT}” Yes, please. “Shall I cancel the order?” No, thank you."
    assert mixed.because.consent == ("issue_refund",)


def test_a_choice():
    shop = begun(scenario(knows={**KNOWS, "item": "blender"}, declines=["store_credit"]))
    card = shop.hears(
        "?", asks=[choice("Store credit or a refund to your card?", "Store credit", "a refund to your card")]
    )
    assert card.text == "A refund to your card, please."
    assert card.because.consent == ("issue_refund",)
    assert shop.says("?", asks=[choice("The toaster or the blender?", "The toaster", "the blender")]) == (
        "The blender, please."
    )
    none = shop.hears("?", asks=[choice("Cancel it or store credit?", "Cancel it", "store credit")])
    assert none.text == "Neither, thank you."
    assert none.because.unscripted == ()
    unknown = shop.hears("?", asks=[choice("Red or blue?", "Red", "blue")])
    assert unknown.because.unscripted == ("Red or blue?",)


ROOMS = "Which room would you like: single, double or suite?"


@pytest.mark.parametrize(
    ("user", "answer"),
    [
        ({"knows": {"room_type": "double"}}, "Double, please."),
        ({"knows": {"room_type": "a double room"}}, "Double, please."),
        ({"agrees_to": ["double"]}, "Double, please."),
        (
            {"knows": {"room_type": "double"}, "answers": {"room_type": {"asked": ["which room"], "say": "A double."}}},
            "A double.",
        ),
    ],
)
def test_a_known_fact_picks_before_an_option_that_only_reads(user, answer):
    hotel = SandboxSchema({}, {"room_price": spec("room_price", "reads", "The price of a room.")})
    picked = begun(scenario(expect={}, **user), hotel).hears(ROOMS)
    assert (picked.text, picked.because.unscripted) == (answer, ())


def test_of_the_options_that_are_wanted_the_known_one_is_picked():
    rooms = spec("book_room", "writes", "Book a room.", {"room_type": FieldType("text")})
    expect = {"calls": {"required": [{"book_room": {"room_type": "double"}}]}}
    guest = scenario(expect=expect, knows={"room_type": "double"})
    picked = begun(guest, SandboxSchema({}, {"book_room": rooms})).hears("Which room shall I book: single or double?")
    assert (picked.text, picked.because.consent) == ("Double, please.", ("book_room",))


def test_a_choice_in_the_authors_words_is_answered_once_and_gives_the_consent_that_it_gave():
    own = {"money": {"asked": ["store credit or"], "say": "Back to my card."}}
    shop = begun(scenario(answers=own, declines=["store_credit"]))
    card = shop.hears("Would you like store credit or a refund to your card?")
    assert (card.text, card.because.consent) == ("Back to my card.", ("issue_refund",))


def test_a_proposal_that_only_the_authors_words_answer_is_answered_once():
    shop = begun(scenario(answers={"wrap": {"asked": ["gift card"], "say": "No card."}}))
    answer = shop.hears("Would you like a gift card?")
    assert (answer.text, answer.because.unscripted) == ("No card.", ())


def test_numbers_are_said_with_what_they_count():
    shop = begun(scenario(knows={"nights": "3", "guests": "2"}))
    assert shop.says("For how many nights, and how many guests?") == "3 nights, 2 guests"
    assert begun(scenario(knows={"quantity": "3"})).says("For how many nights?") == "3 in all"


def test_approvals():
    approvals = [
        {"match": {"tool": "issue_refund"}, "answer": {"approved": "true"}},
        {"match": {"tool": {"like": "^c"}}, "answer": "no"},
    ]
    user = talk(scenario(approvals=approvals)).user
    assert user.approve({"tool": "issue_refund", "amount": 5}) == (True, {"approved": "true"})
    assert user.approve({"tool": "cancel_order"}) == (True, "no")
    assert user.approve({"tool": "other"}) == (False, None)
    assert user.approve("other") == (False, None)
    assert user.approve(None) == (False, None)


def test_where_says_the_line_of_the_file():
    placed = Scenario.model_validate(
        {**scenario().dump(), "user": {"turns": [{"$at": {"file": "a.yaml", "line": 7, "column": 5}, "say": "Hi."}]}}
    )
    assert talk(placed).begins().because.where == "a.yaml:7:5"


_ASKS = st.one_of(
    st.builds(slot, st.sampled_from(["order_id", "email", "phone", "date_of_birth", "pin"])),
    st.builds(readback, st.sampled_from(["order_id", "email", None, "pin"]), st.text(max_size=12)),
    st.builds(proposal, st.text(max_size=40) | st.sampled_from([REFUND_IT, "Is that okay?", "Shall I cancel it?"])),
    st.builds(choice, st.text(max_size=20), st.text(min_size=1, max_size=9), st.text(min_size=1, max_size=9)),
    st.builds(other, st.text(max_size=40)),
)
_REPLIES = st.lists(st.tuples(st.text(max_size=60), st.lists(_ASKS, max_size=4)), max_size=8)
LONG = scenario(
    [
        "Hi.",
        {"say": ["One.", "Two."], "after": "get_order"},
        {"say": "No, {order_id}.", "when": {"reply": "a"}, "now": {"order_id": "O-2002", "pin": None}},
        "Three.",
    ],
    declines=["store_credit"],
)
SCRIPT = Script.of(LONG, SHOP)


def _play(replies: list[tuple[str, list[Ask]]]) -> list[Say | Done]:
    shop = Talk(ScriptedUser(SCRIPT))
    played = [shop.begins()]
    for text, asks in replies:
        if isinstance(played[-1], Done):
            break
        played.append(shop.hears(text, asks=asks))
    return played


@given(_REPLIES)
def test_the_user_is_deterministic_and_trials_share_nothing(replies):
    assert _play(replies) == _play(replies)


@given(_REPLIES)
def test_every_ask_is_answered_or_recorded_and_nothing_said_is_empty(replies):
    played = _play(replies)
    for (_, asks), answer in zip(replies, played[1:], strict=False):
        if asks:
            assert isinstance(answer, Say)
            because = answer.because
            assert because.answered or because.unscripted or because.line is not None
        if isinstance(answer, Say):
            assert answer.text.strip()


@given(_REPLIES)
def test_the_user_never_agrees_to_an_unwanted_write_and_never_repeats_a_line(replies):
    played = [answer for answer in _play(replies) if isinstance(answer, Say)]
    consent = {tool for answer in played for tool in answer.because.consent}
    assert consent <= {"verify_identity", "issue_refund", "get_order", "search_policy"}
    lines = [answer.because.line for answer in played if answer.because.reason == "line"]
    assert all(lines.count(line) <= len(LONG.user.turns[line].say) for line in lines)


@given(_REPLIES)
def test_lines_said_and_unsaid_are_all_lines(replies):
    played = _play(replies)
    if isinstance(played[-1], Done):
        said = {answer.because.line for answer in played if isinstance(answer, Say)} - {None}
        assert said | {line.line for line in played[-1].unsaid} == set(range(len(LONG.user.turns)))


@given(st.lists(st.sampled_from(["order_id", "email", "phone", "pin", "password", "address"]), min_size=1, max_size=30))
def test_an_agent_that_asks_forever_learns_only_what_the_user_knows(slots):
    shop = begun(scenario(["Hi.", "Bye."]))
    for name in slots:
        answer = shop.hears("?", asks=[Ask(AskKind.SLOT, "?", name)])
        assert isinstance(answer, Say)
        assert bool(answer.because.unscripted) == (name not in KNOWS)
        assert answer.text in {
            "My order number is O-1001",
            "My e-mail address is ana@example.com",
            "As for the phone number, I don't have that.",
            "I can't say.",
        }
