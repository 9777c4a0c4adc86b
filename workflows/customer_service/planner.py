"""An offline stand-in for a chat model: reads the conversation, decides by rules, calls tools.

It is a fixture. It never looks at anything but the messages it is given (the policy stands in the system prompt), and
it does the same thing every time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from langchain_core.messages import BaseMessage

from .case import Case, read_case
from .understanding import Intent


@dataclass(frozen=True, slots=True)
class Habits:
    """What a version does well. The faults of the earlier one are such as real agents have."""

    verifies_before_cancelling: bool = True
    memory_turns: int | None = None
    hands_over_large_refunds: bool = True
    reads_the_return_window: bool = True
    guards_other_accounts: bool = True


TODAY = Habits()
EARLIER = Habits(
    verifies_before_cancelling=False,
    memory_turns=2,
    hands_over_large_refunds=False,
    reads_the_return_window=False,
    guards_other_accounts=False,
)


@dataclass(frozen=True, slots=True)
class Act:
    """A tool call that the planner decides on."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers of the policy, read from the system prompt, and the day it is."""

    refund_window: int
    refund_limit: Decimal
    today: date

    @classmethod
    def read(cls, prompt: str) -> Policy:
        """Read them from the clauses; a policy with other numbers makes other decisions."""
        window = re.search(r"\{#R2\}.*?within (\d+) days", prompt, re.DOTALL)
        limit = re.search(r"\{#R4\}.*?up to ([\d.]+)", prompt, re.DOTALL)
        today = re.search(r"Today is (\d{4}-\d\d-\d\d)", prompt)
        if not (window and limit and today):
            raise ValueError("the system prompt lacks the date, the refund window (R2) or the refund limit (R4)")
        return cls(int(window[1]), Decimal(limit[1]), date.fromisoformat(today[1]))


def decide(messages: Sequence[BaseMessage], policy: Policy, habits: Habits = TODAY) -> Act | str:
    """The next step of a conversation: a tool call, or what is said to the customer."""
    case = read_case(messages, habits.memory_turns)
    intent = case.last.intent
    if intent in _AT_ONCE:
        return _AT_ONCE[intent](case, habits)
    if case.task is not None:
        return _TASKS[case.task](case, policy, habits)
    return _say(case, "greeting" if intent is Intent.GREETING else "unclear")


@cache
def _wording() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("wording.yaml").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, str]]", yaml.safe_load(text))


def _say(case: Case, key: str, **values: object) -> str:
    return _wording()[case.language][key].format(**values)


# Answered at once ----------------------------------------------------------------------------------------------------


def _plain(key: str) -> Callable[[Case, Habits], Act | str]:
    return lambda case, habits: _say(case, key)


def _hand_over(case: Case, habits: Habits) -> Act | str:
    if any(made.tool == "escalate_to_human" and not made.error for made in case.made):
        return _say(case, "handed_over")
    return Act("escalate_to_human", {"summary": "The customer needs a person.", "order_id": case.order_id})


def _from_policy(key: str, query: str, patterns: dict[str, str]) -> Callable[[Case, Habits], Act | str]:
    """An answer whose values are looked up: search first, then read each value from the best passage that has it."""

    def answer(case: Case, habits: Habits) -> Act | str:
        found = case.result("search_policy", query=query)
        if found is None:
            return Act("search_policy", {"query": query})
        values = {}
        for name, pattern in patterns.items():
            match = next((m for passage in found.result or [] if (m := re.search(pattern, passage["text"]))), None)
            if match is None:
                return _say(case, "unclear")
            values[name] = match[1]
        return _say(case, key, **values)

    return answer


_WINDOW = _from_policy("return_window", "change of mind return unused items", {"window": r"within (\d+) days"})


def _return_window(case: Case, habits: Habits) -> Act | str:
    answer = _WINDOW(case, habits)
    # The stale number of a prompt that nobody updated: what was found is not read.
    return (
        answer if isinstance(answer, Act) or habits.reads_the_return_window else _say(case, "return_window", window=60)
    )


def _others_data(case: Case, habits: Habits) -> Act | str:
    if habits.guards_other_accounts or case.order_id is None:
        return _say(case, "others_data")
    order = case.result("get_order", order_id=case.order_id)
    if order is None:
        return Act("get_order", {"order_id": case.order_id})
    if order.error:
        return _say(case, "no_order", order_id=case.order_id)
    customer = case.result("get_customer", customer_id=order.result["customer_id"])
    if customer is None:
        return Act("get_customer", {"customer_id": order.result["customer_id"]})
    return _say(case, "others_email", email=customer.result["email"])


_DELIVERY = {"days": r"takes (\d+-\d+) business days", "fee": r"costs ([\d.]+) EUR"}
_AT_ONCE: dict[Intent | None, Callable[[Case, Habits], Act | str]] = {
    Intent.INJURY: _hand_over,
    Intent.PERSON: _hand_over,
    Intent.OTHERS_DATA: _others_data,
    Intent.CARD_NUMBER: _plain("card_number"),
    Intent.REFUND_TIME: _from_policy("refund_time", "how refunds are paid", {"days": r"(\d+-\d+) business days"}),
    Intent.EMAIL_NOTICE: _plain("email_notice"),
    Intent.RETURN_WINDOW: _return_window,
    Intent.PROMISE: _from_policy("no_promise", "delivery time", {"days": _DELIVERY["days"]}),
    Intent.DELIVERY: _from_policy("delivery", "delivery time", _DELIVERY),
    Intent.OFF_TOPIC: _plain("off_topic"),
    Intent.THANKS: _plain("welcome"),
}


# Tasks of several turns ----------------------------------------------------------------------------------------------


def _needs_order(case: Case, *, verified: bool) -> Act | str | dict[str, Any]:
    """Get to a known order, of a verified customer if asked; the order, or the step that is still to be taken."""
    missing_email = verified and case.email is None and case.account is None
    if case.order_id is None:
        return _say(case, "ask_both" if missing_email else "ask_order")
    if missing_email:
        return _say(case, "ask_email")
    if verified and (step := _needs_account(case)) is not None:
        return step
    order = case.result("get_order", order_id=case.order_id)
    if order is None:
        return Act("get_order", {"order_id": case.order_id})
    if order.error:
        return _say(case, "no_order", order_id=case.order_id)
    if verified and order.result["customer_id"] != case.account:
        return _say(case, "not_yours", order_id=case.order_id)
    return dict(order.result)


def _needs_account(case: Case) -> Act | str | None:
    if case.email is None:
        return None if case.account else _say(case, "ask_email")
    verified = case.result("verify_identity", email=case.email)
    if verified is None:
        return Act("verify_identity", {"email": case.email})
    return _say(case, "not_verified") if verified.error else None


def _with_consent(
    case: Case, offer: str, act: Act, done: Callable[[Any], str], refused: Callable[[str], str]
) -> Act | str:
    """Offer, wait for a yes, act, and report what came of it."""
    made = case.result(act.tool, **act.arguments)
    if made is not None and not made.error:
        return done(made.result) if made in case.fresh else _say(case, "welcome")
    if (error := case.failed_now(act.tool)) is not None:
        return refused(error)
    if case.said == offer and case.last.yes:
        return act
    if case.said == offer and case.last.no:
        return _say(case, "left_as_is")
    return offer


def _refund(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=True)
    if not isinstance(order, dict):
        return order
    order_id, amount = order["order_id"], Decimal(order["total"])
    refunded = case.result("issue_refund", order_id=order_id)
    if refunded is None or refunded.error:
        if order["status"] in ("refunded", "cancelled"):
            return _say(case, "done_already", order_id=order_id, status=order["status"])
        if order["status"] != "delivered":
            return _say(case, "not_delivered", order_id=order_id, status=order["status"])
        if (policy.today - date.fromisoformat(order["delivered_on"])).days > policy.refund_window:
            values = {"window": policy.refund_window, "delivered_on": order["delivered_on"]}
            return _say(case, "too_late", order_id=order_id, **values)
        if amount > policy.refund_limit:
            return _large_refund(case, order_id, amount, habits)
    return _with_consent(
        case,
        offer=_say(case, "offer_refund", amount=amount, order_id=order_id),
        act=Act("issue_refund", {"order_id": order_id, "amount": str(amount)}),
        done=lambda result: _say(case, "refunded", amount=amount, order_id=order_id),
        refused=lambda error: _say(case, "refund_refused", error=error),
    )


def _large_refund(case: Case, order_id: str, amount: Decimal, habits: Habits) -> Act | str:
    if not habits.hands_over_large_refunds:
        return _say(case, "refunded", amount=amount, order_id=order_id)
    if case.result("escalate_to_human", order_id=order_id):
        return _say(case, "handed_over_limit", amount=amount)
    summary = f"Refund of {amount} for order {order_id}, above the limit. The customer wrote: {case.request}"
    return Act("escalate_to_human", {"summary": summary, "order_id": order_id})


def _cancel(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=habits.verifies_before_cancelling)
    if not isinstance(order, dict):
        return order
    order_id = order["order_id"]
    if order["status"] != "paid" and not case.result("cancel_order", order_id=order_id):
        return _say(case, "too_late_to_cancel", order_id=order_id)
    return _with_consent(
        case,
        offer=_say(case, "offer_cancel", order_id=order_id, amount=order["total"]),
        act=Act("cancel_order", {"order_id": order_id}),
        done=lambda result: _say(case, "cancelled", order_id=order_id),
        refused=lambda error: _say(case, "too_late_to_cancel", order_id=order_id),
    )


def _change_address(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=True)
    if not isinstance(order, dict):
        return order
    order_id = order["order_id"]
    if order["status"] != "paid":
        return _say(case, "too_late_to_redirect", order_id=order_id)
    if case.address is None:
        return _say(case, "ask_address")
    return _with_consent(
        case,
        offer=_say(case, "offer_address", order_id=order_id, address=case.address),
        act=Act("change_address", {"order_id": order_id, "address": case.address}),
        done=lambda result: _say(case, "address_changed", order_id=order_id, address=case.address),
        refused=lambda error: _say(case, "too_late_to_redirect", order_id=order_id),
    )


def _return(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=True)
    if not isinstance(order, dict):
        return order
    order_id = order["order_id"]
    label = case.result("create_return", order_id=order_id)
    if label is None:
        return Act("create_return", {"order_id": order_id})
    if label.error:
        return _say(case, "status", order_id=order_id, status=order["status"])
    return _say(case, "label", order_id=order_id, return_id=label.result["return_id"])


def _store_credit(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=True)
    return order if not isinstance(order, dict) else _hand_over(case, habits)


def _track(case: Case, policy: Policy, habits: Habits) -> Act | str:
    order = _needs_order(case, verified=True)
    return order if not isinstance(order, dict) else _say(case, "status", **order)


_DETAILS = {
    "address": r"address|direcci|地址",
    "email": r"e-?mail|correo|邮箱",
    "phone": r"phone|tel[eé]f|电话",
    "name": r"name|nombre|名字",
}


def _own_details(case: Case, policy: Policy, habits: Habits) -> Act | str:
    step = _needs_account(case)
    if step is not None:
        return step
    customer = case.result("get_customer", customer_id=case.account)
    if customer is None:
        return Act("get_customer", {"customer_id": case.account})
    wanted = next(
        (name for name, words in _DETAILS.items() if re.search(words, case.request, re.IGNORECASE)), "address"
    )
    value = customer.result[wanted]
    return _say(case, "own_details", value=value) if value else _say(case, "nothing_stored")


_TASKS: dict[Intent, Callable[[Case, Policy, Habits], Act | str]] = {
    Intent.REFUND: _refund,
    Intent.CANCEL: _cancel,
    Intent.CHANGE_ADDRESS: _change_address,
    Intent.RETURN: _return,
    Intent.STORE_CREDIT: _store_credit,
    Intent.TRACK: _track,
    Intent.OWN_DETAILS: _own_details,
}
