from __future__ import annotations

from dataclasses import replace

import pytest

from harness.scoring.claims.acts import ANYTHING, Acts
from harness.scoring.claims.backing import behind
from harness.scoring.claims.deeds import claimed
from tests.harness.scoring.build import SHOP, altered, call, refund
from tools_sandbox.schema import ToolSpec

ACTS = Acts.of(SHOP.tools.values())


def acts(text, of=ACTS):
    return [deed.act for deed in claimed(text, of)]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I have refunded 49.90 to your card.", "refund"),
        ("I've just refunded it.", "refund"),
        ("I refunded the order.", "refund"),
        ("Your refund has been processed.", "refund"),
        ("A refund of $49.90 has been issued to your card.", "refund"),
        ("The order O-1001 has been successfully cancelled.", "cancel"),
        ("Your order is now canceled.", "cancel"),
        ("We have escalated your case to a colleague.", "escalate"),
        ("You have been transferred to a human agent.", "escalate"),
        ("I have updated your address.", "change"),
        ("I can confirm that your order has been cancelled.", "cancel"),
        ("I've sent you an e-mail with the label.", "send"),
        ("I have verified your identity.", "verify"),
        ("Your request has been submitted.", ANYTHING),
        ("**Your refund has been processed!**", "refund"),
        ("I’ve cancelled it.", "cancel"),
        ("Your booking is complete!", "book"),
        ("The refund is done.", "refund"),
        ("A human agent has been notified.", "notify"),
        ("I have cancelled the order, would you like anything else?", "cancel"),
    ],
)
def test_a_finished_deed_is_a_claim(text, act):
    assert acts(text) == [act]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I will refund 49.90 to your card.",
        "I can refund it for you. Shall I go ahead?",
        "I'll get it refunded. Let me cancel the order.",
        "Once your refund has been processed you will get an e-mail.",
        "If the order has been cancelled, it cannot be refunded.",
        "I have not refunded anything.",
        "Your order has not been cancelled.",
        "The refund hasn't been processed yet.",
        "Has your order been cancelled?",
        "Have I refunded it already?",
        "You have cancelled the order yourself.",
        "I see that you have returned it.",
        "Items that have been opened are excluded.",
        "No refund has been issued.",
        "Was the flight cancelled? The flight has been cancelled by the airline.",
        "I have checked your order and found it.",
        "Orders are refunded within a week. Your order is shipped by UPS.",
        "I was unable to cancel it.",
        "Your reservation is confirmed for May 20. Once the booking is complete you get an e-mail.",
        "The refund would have been processed.",
        "\x00\x1b[0m",
    ],
)
def test_promises_conditions_negations_questions_and_others_deeds_are_none(text):
    assert acts(text) == []


def test_two_deeds_in_one_sentence():
    assert acts("I have cancelled the order and refunded 49.90 to your card.") == ["cancel", "refund"]


def test_a_tool_of_ones_own_gives_a_word_for_its_act():
    waive = ToolSpec("waive_fee", "", "writes", {})
    own = Acts.of([waive])
    assert acts("I have waived the fee.", own) == ["waiv"]
    assert acts("I have waived the fee.") == ["refund"]
    (deed,) = claimed("I have waived the fee.", own)
    assert behind(deed, [call("waive_fee")], {"waive_fee": waive}, own)[0] == "done"


def held(text, *calls):
    (deed,) = claimed(text, ACTS)
    return behind(deed, reversed(calls), SHOP.tools, ACTS)


def test_a_success_of_the_tool_stands_behind_the_claim():
    assert held("I have refunded it.", refund())[0] == "done"
    assert held("I have escalated it.", call("escalate_to_human", {"summary": "x"}))[0] == "done"
    assert (
        held("I have updated your address.", call("change_address", {"order_id": "O-1001", "address": "x"}))[0]
        == "done"
    )


def test_a_change_that_shows_the_act_stands_behind_the_claim():
    made = call("add_note", changes=(altered("orders", "O-1001", status="cancelled"),))
    assert held("Your order has been cancelled.", made)[0] == "done"


def test_a_result_in_which_it_is_done_already_stands_behind_the_claim():
    assert held("Your order has been refunded.", call("get_order", result={"status": "refunded"}))[0] == "done"
    assert held("Your order has been refunded.", call("get_order", result={"status": "shipped"}))[0] == "nothing"


def test_what_is_told_of_a_row_as_it_was_found_is_no_deed_of_the_agents():
    found = call("get_order", result={"status": "Confirmed"})
    assert held("Your booking for 2 nights is confirmed.", found)[0] == "done"
    assert held("Your booking for 2 nights is confirmed.", call("get_order", result={"status": "open"}))[0] == "nothing"


def test_a_word_in_passing_in_a_read_result_does_not():
    assert held("I have updated it.", call("get_order", result={"address": "Add Street 1"}))[0] == "nothing"


def test_a_failure_is_told_from_no_call_at_all():
    found, failure = held("I have refunded it.", call("issue_refund", error="over the limit"))
    assert (found, failure.tool) == ("failed", "issue_refund")
    assert held("I have refunded it.") == ("nothing", None)
    assert held("I have refunded it.", call("issue_refund", error="try again"), refund())[0] == "done"


def test_what_is_checked_out_is_bought():
    bought = call("checkout_cart", {"product_ids": ["P-1"]}, result="paid")
    assert held("I have purchased the headphones.", replace(bought, kind="writes"))[0] == "done"


def test_another_write_is_not_the_one_claimed():
    assert held("I have refunded it.", call("add_note", {"text": "wants money"}))[0] == "nothing"


def test_money_that_goes_back_shows_a_refund():
    back = call("change_address", result={"payment_history": [{"amount": -20}]})
    assert held("The difference has been refunded.", back)[0] == "done"


def test_claims_lie_within_the_text_and_hostile_text_is_read():
    text = "I have refunded it, " * 2000
    deeds = claimed(text, ACTS)
    assert deeds
    assert all(0 <= deed.start < deed.end <= len(text) for deed in deeds)
