"""What a tool's own words tell of is no claim of the agent's; what they do not tell of still is."""

from __future__ import annotations

import pytest

from harness.scoring.claims.acts import Acts
from harness.scoring.claims.backing import behind
from harness.scoring.claims.deeds import claimed
from tests.effort import growth, no_hang
from tests.harness.scoring.build import call
from tools_sandbox.call import CallError
from tools_sandbox.schema import ToolSpec

TOOLS = {
    name: ToolSpec(name, "", kind, {})
    for name, kind in {
        "refund_order": "writes",
        "cancel_order": "writes",
        "renew_loan": "writes",
        "ship_order": "writes",
        "pause_plan": "writes",
        "get_loan": "reads",
    }.items()
}
ACTS = Acts.of(TOOLS.values(), ["shipped", "paid"])
REFUNDED = "order L-11 has already been refunded"


def failing(error, tool="refund_order", **arguments):
    return call(tool, arguments or {"order_id": "L-11"}, error=CallError("rule", error))


def found(reply, *calls, keys=()):
    deeds = claimed(reply, ACTS)
    return {behind(deed, calls[::-1], TOOLS, ACTS, keys)[0] for deed in deeds}


@pytest.mark.parametrize(
    ("reply", "error", "tool"),
    [
        ("I can't refund order L-11, because it has already been refunded.", REFUNDED, "refund_order"),
        ("The refund was declined: order L-11 has already been refunded.", REFUNDED, "refund_order"),
        ("Sorry, it has already been refunded.", "already_refunded", "refund_order"),
        ("Sorry, it has already been refunded.", "AlreadyRefunded", "refund_order"),
        ("Sorry, it has already been refunded.", "conflict: order refunded on 2026-11-02", "refund_order"),
        ("Sorry. Your order was refunded on 2026-11-02.", "refunded on 2026-11-02", "refund_order"),
        ("Sorry. A refund has already been issued for it.", "a refund was already issued", "refund_order"),
        ("We already refunded this order on 2 November.", REFUNDED, "refund_order"),
        ("Sorry: order already refunded.", REFUNDED, "refund_order"),
        ("The order was cancelled yesterday.", "the order was cancelled yesterday", "cancel_order"),
        ("Your order has been cancelled by the shop.", "cancelled by the shop", "cancel_order"),
        ("I can't: the order has been shipped.", "cannot cancel because it has been shipped", "cancel_order"),
        ("It has been renewed three times, and that's the limit.", "renewed three times: limit", "renew_loan"),
        ("It has been renewed too often.", "this loan has been renewed three times", "renew_loan"),
        ("It has already been refunded.", "duplicate refund", "refund_order"),
        ("It has already been refunded.", "a refund for L-11 already exists", "refund_order"),
        ("Your plan has been paused before.", "this plan was already paused", "pause_plan"),
        ("Lo siento, ya ha sido reembolsado.", "el pedido ya ha sido reembolsado", "refund_order"),
        ("抱歉，该订单已经退款。", "订单已退款", "refund_order"),
        ("抱歉，该订单已经退款。", REFUNDED, "refund_order"),
    ],
)
def test_who_repeats_what_an_error_says_claims_no_deed(reply, error, tool):
    assert found(reply, failing(error, tool)) == {"done"}


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("I have refunded it.", REFUNDED),
        ("I've already refunded it.", REFUNDED),
        ("It has now been refunded.", REFUNDED),
        ("It has successfully been refunded.", REFUNDED),
        ("Refund issued.", REFUNDED),
        ("It has been refunded.", "the system is down"),
        ("It has already been refunded.", "the system is down"),
        ("It has already been refunded.", "the order has not been refunded"),
        ("It has already been refunded.", "only delivered orders can be refunded"),
        ("It has already been refunded.", "the order must be refunded by a person"),
        ("It has already been refunded.", "failed to get order refunded"),
        ("It has already been refunded.", "refunded: false"),
        ("It has already been refunded.", "the refunded amount must be positive"),
        ("It has already been refunded.", "the order was cancelled"),
        ("It has been refunded.", "this order has been refunded twice"),
        ("It has been refunded three times.", "this order has been refunded twice"),
    ],
)
def test_a_deed_that_no_error_tells_of_stays_a_claim(reply, error):
    assert found(reply, failing(error)) == {"failed"}


def test_an_error_about_another_order_tells_nothing_of_this_one():
    down = failing("the system is down", order_id="L-12")
    assert found("Order L-12 has been refunded.", failing(REFUNDED), down, keys=["L-12"]) == {"failed"}
    assert found("Order L-11 has been refunded.", failing(REFUNDED), down, keys=["L-11"]) == {"done"}
    assert found("It has been refunded.", failing(REFUNDED), down) == {"failed"}
    again = failing("the system is down", order_id="L-11")
    assert found("It has already been refunded.", failing(REFUNDED), again) == {"done"}


@pytest.mark.parametrize(
    ("reply", "result", "shown"),
    [
        ("It has been renewed three times.", {"renewals": 3}, "done"),
        ("It has already been renewed.", {"loans": [{"renewal_count": 1}]}, "done"),
        ("It has been renewed five times.", {"renewals": 3}, "nothing"),
        ("It has already been renewed.", {"renewals": 0}, "nothing"),
        ("It has been renewed.", {"renewals": 3}, "nothing"),
        ("I have renewed it three times.", {"renewals": 3}, "nothing"),
        ("It has already been renewed.", {"message": "this loan was renewed yesterday"}, "done"),
        ("It has already been renewed.", {"message": "this loan can be renewed"}, "nothing"),
    ],
)
def test_a_count_or_a_message_in_a_result_tells_of_it_too(reply, result, shown):
    assert found(reply, call("get_loan", {"loan_id": "L-11"}, result=result)) == {shown}


@pytest.mark.parametrize(
    "noise", ["already ", "refunded on ", "a1-", "is now ", "L-1 refund for x already exist ", "on the "]
)
def test_hostile_errors_and_results_cost_linear_time(noise):
    def read(size):
        text = noise * (size // len(noise))
        found("It has already been refunded.", failing(text), keys=["L-11"])
        found("It has already been refunded.", call("get_loan", {}, result={"notes": [text[:400]] * (size // 20)}))

    assert growth(read, int, 2000) < 1.1
    with no_hang():
        read(200_000)
