"""What the user says yes and no to, and to which tools a yes is given."""

from __future__ import annotations

import pytest

from harness.model.scenario import Scenario
from harness.model.workflow import Tool
from harness.users.acts import Acts
from harness.users.stance import Mind, Verdict
from tests.harness.users.conversations import KNOWS, REFUND, SHOP, scenario, spec, talk
from tools_sandbox.call import Call
from tools_sandbox.schema import FieldType, SandboxSchema, TableSchema

FACTS = ["O-1001", "ana@example.com", "blender"]


def verdict(proposal: str, *before: str, of: Scenario | None = None, calls: tuple[Call, ...] = ()) -> Verdict | None:
    return Mind.of(of or scenario(declines=["store_credit"]), SHOP).verdict(proposal, before, (), FACTS, calls)


def call(tool: str, **arguments: str) -> Call:
    return Call("c", 1, tool, None, arguments, SHOP.tools[tool].kind)


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I refund 49.90 to the card you paid with?",
        "Would you like me to go ahead and issue the refund of $49.90?",
        "Should I reimburse you now?",
        "Do you want your money back on your card?",
        "Shall I send the $49.90 back to your Visa?",
        "Is it okay if I refund your card instead of store credit?",
        "Do you confirm the refund of 49.9 USD for order O-1001?",
        "¿Quiere que le reembolse 49,90 € a su tarjeta?",
        "¿Le devolvemos el dinero a su tarjeta?",
        "¿Procedo con el reembolso?",
        "您要我为您办理退款吗？",
        "需要我把49.90元退还到您的银行卡吗？",
    ],
)
def test_yes_to_an_expected_write_however_it_is_worded(proposal):
    assert verdict(proposal) == Verdict(True, "issue_refund", ("issue_refund",))


@pytest.mark.parametrize(
    ("proposal", "about"),
    [
        ("Shall I cancel order O-1001?", "cancel_order"),
        ("¿Desea que cancele el pedido O-1001?", "cancel_order"),
        ("您确认要取消订单O-1001吗？", "cancel_order"),
        ("Shall I put you through to a human agent?", "escalate_to_human"),
        ("¿Le transfiero con un agente?", "escalate_to_human"),
        ("需要为您转接人工客服吗？", "escalate_to_human"),
        ("Would you accept store credit instead of a refund?", "store_credit"),
        ("您愿意接受购物金吗？", "store_credit"),
        ("Should I update the delivery address?", "change_address"),
    ],
)
def test_no_to_any_other_write(proposal, about):
    assert verdict(proposal) == Verdict(False, about)


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I refund 30.00 to your card?",
        "Shall I refund order O-1002?",
        "¿Le reembolso 39,90 €?",
        "我给您退款30元可以吗？",
    ],
)
def test_an_expected_write_with_another_value_is_another_write(proposal):
    assert verdict(proposal) == Verdict(False, "issue_refund")


@pytest.mark.parametrize(
    ("proposal", "tool"),
    [
        ("Would you like me to look up your order?", "get_order"),
        ("¿Quiere que consulte su pedido?", "get_order"),
        ("需要我查询一下您的订单吗？", "get_order"),
        ("Shall I check our policy?", "search_policy"),
        ("May I verify your identity first?", "verify_identity"),
    ],
)
def test_yes_to_a_read_and_to_a_proof_of_identity(proposal, tool):
    assert verdict(proposal) == Verdict(True, tool, (tool,), mild=tool != "verify_identity")


@pytest.mark.parametrize(
    "proposal", ["Would you like a brochure?", "Shall I proceed with gift wrapping?", "您想要小册子吗？"]
)
def test_a_proposal_of_no_tool_is_not_decided(proposal):
    assert verdict(proposal) is None


def test_keeping_something_is_no_consent_to_a_write_with_its_id():
    assert verdict("Would you like to keep order O-1001 as it is?") is None


BARE = [
    "Do you want to proceed?",
    "Is that okay?",
    "Shall I go ahead?",
    "¿Procedo?",
    "¿Le parece bien?",
    "需要我继续吗？",
    "这样可以吗？",
    "Do you confirm these changes?",
]


@pytest.mark.parametrize("bare", BARE)
def test_a_bare_question_takes_the_nearest_tool_named_before(bare):
    assert verdict(bare, "I can refund 49.90 to your card.") == Verdict(True, "issue_refund", ("issue_refund",))
    assert verdict(bare, "I can refund it.", "Or I cancel the order.") == Verdict(False, "cancel_order")
    assert verdict(bare, "I can refund 30.00 to your card.") == Verdict(False, "issue_refund")


@pytest.mark.parametrize("bare", BARE)
def test_a_bare_question_is_not_about_what_the_agent_says_it_will_not_do(bare):
    cannot = "I can't cancel the order, since it has shipped."
    assert verdict(bare, "I can refund 49.90 to your card.", cannot) == Verdict(True, "issue_refund", ("issue_refund",))


@pytest.mark.parametrize("bare", BARE)
def test_a_bare_question_with_nothing_before_is_about_the_one_write_left(bare):
    assert verdict(bare) == Verdict(True, "issue_refund", ("issue_refund",))
    done = call("issue_refund", order_id="O-1001", amount="49.90")
    assert verdict(bare, calls=(done,)) is None
    two = scenario(expect={"calls": {"required": [REFUND, "cancel_order"]}})
    assert verdict(bare, of=two) is None


def test_proceed_with_what_was_said_before():
    before = ("The full amount of 49.90 goes back to your Visa as a refund.",)
    assert verdict("Would you like to proceed with the full amount to your Visa?", *before).yes


def test_several_wanted_writes_in_one_proposal_are_all_consented_to():
    both = scenario(expect={"calls": {"required": [REFUND, {"cancel_order": {"order_id": "O-1001"}}]}})
    yes = verdict("Shall I cancel order O-1001 and refund 49.90?", of=both)
    assert yes.yes
    assert set(yes.consent) == {"cancel_order", "issue_refund"}


def test_any_of_takes_every_branch_until_one_is_chosen():
    credit = {"issue_store_credit": {"order_id": "O-1001"}}
    branches = {"any_of": [{"calls": {"required": [REFUND]}}, {"calls": {"required": [credit]}}]}
    either = scenario(expect=branches)
    assert verdict("Shall I refund 49.90?", of=either).yes
    assert verdict("Would you like store credit?", of=either).yes
    refunded = (call("issue_refund", order_id="O-1001", amount="49.90"),)
    assert not verdict("Would you like store credit?", of=either, calls=refunded).yes
    assert verdict("Shall I refund 49.90?", of=either, calls=refunded).yes


def test_a_branch_ends_with_a_forbidden_call():
    branches = {
        "any_of": [
            {"calls": {"required": [REFUND], "never": ["cancel_order"]}},
            {"calls": {"required": ["cancel_order"]}},
        ]
    }
    either = scenario(expect=branches)
    assert not verdict("Shall I refund 49.90?", of=either, calls=(call("cancel_order"),)).yes


def test_wants_agrees_to_and_declines_change_the_mind():
    agreeable = scenario(agrees_to=["store_credit"], wants=["cancel_order"], declines=[{"the refund": ["refund"]}])
    assert verdict("Would you take store credit?", of=agreeable) == Verdict(
        True, "store_credit", ("issue_store_credit",)
    )
    assert verdict("Shall I cancel the order?", of=agreeable) == Verdict(True, "cancel_order", ("cancel_order",))
    assert verdict("Shall I refund 49.90?", of=agreeable) == Verdict(False, "the refund")


def test_phrases_of_a_stance_name_acts_that_are_no_tools():
    wrapped = scenario(agrees_to=[{"wrapping": ["gift wrap"]}], declines=[{"newsletter": ["news by e-mail"]}])
    assert verdict("Shall I gift wrap it?", of=wrapped) == Verdict(True, "wrapping")
    assert verdict("Would you like our news by e-mail?", of=wrapped) == Verdict(False, "newsletter")


def test_the_outcome_the_gold_path_and_the_state_tell_expected_writes_too():
    escalated = scenario(expect={"outcome": "escalated"})
    assert verdict("Shall I hand you over to a colleague?", of=escalated).yes
    state = {"state": {"orders.O-1001.status": "cancelled"}}
    assert verdict("Shall I cancel the order?", of=scenario(expect=state)).yes
    gold = [{"change_address": {"order_id": "O-1001", "address": "5 High Street"}}]
    moved = scenario(expect={"state": {"orders.O-1001.to": "5 High Street"}}, gold=gold)
    assert verdict("Shall I change the address to 5 High Street?", of=moved).yes
    assert not verdict("Shall I cancel the order?", of=moved).yes


def test_days_are_read_in_every_form():
    pickup = scenario(expect={"calls": {"required": [{"schedule_pickup": {"day": "2026-12-01"}}]}})
    for yes in ("December 1st", "1 December 2026", "2026-12-01", "12/1/2026"):
        assert verdict(f"Shall I schedule the pickup for {yes}?", of=pickup).yes, yes
    for no in ("December 3rd", "1 December 2027", "2026-12-03"):
        assert not verdict(f"Shall I schedule the pickup for {no}?", of=pickup).yes, no
    assert verdict("您要我安排12月1日取件吗？", of=pickup).yes
    assert not verdict("您要我安排12月3日取件吗？", of=pickup).yes


def test_expectations_of_a_turn_count():
    line = {"say": "And cancel O-2.", "expect": {"calls": {"required": [{"cancel_order": {"order_id": "O-2"}}]}}}
    later = scenario(["Hi.", line])
    assert verdict("Shall I cancel order O-2?", of=later).yes
    assert not verdict("Shall I cancel order O-3?", of=later).yes


def test_hostile_text_decides_nothing():
    for text in ("", "?", "(" * 500, "{0.__class__}", "\x00\u202e", "a" * 20000, "退" * 5000):
        assert verdict(text) is None or verdict(text).consent in ((), ("issue_refund",))


def test_known_facts_are_not_what_a_question_is_about():
    assert verdict("Shall I process this for your blender?").yes
    assert talk(scenario(knows=KNOWS)).user.knows == KNOWS


LOAN = {"loan_id": FieldType("text")}
LIBRARY = SandboxSchema(
    {"loans": TableSchema({})},
    {
        "get_loan": spec("get_loan", "reads", "Look a loan up.", LOAN),
        "renew_loan": spec("renew_loan", "writes", "Renew a loan.", LOAN),
        "cancel_loan": spec("cancel_loan", "writes", "Cancel a loan.", LOAN),
    },
)
DUE = {"state": {"loans.L-10.due": "2026-12-22"}}


def in_the_library(proposal, said="I want it for longer.", expect=DUE, sets=None, **user):
    written = {"renew_loan": Tool.model_validate({"kind": "writes", "args": {"loan_id": "text"}, **(sets or {})})}
    wishes = scenario([said], expect, knows={"loan_id": "L-10"}, **user)
    return Mind.of(wishes, LIBRARY, Acts.of(LIBRARY, written)).verdict(proposal, (), (), ["L-10"], ())


RENEW = "Shall I renew your loan of Emma?"


@pytest.mark.parametrize(
    "sets",
    [
        {"set": {"loans.{loan_id}.due": "2026-12-22"}},
        {"set": {"loans.{loan_id}.due": "{day}"}, "args": {"loan_id": "text", "day": "date"}},
        {"set": {"loans.{loan_id}": {"due": "2026-12-22"}}},
        {"cases": [{"when": {"loan_id": "L-9"}, "error": "no"}, {"set": {"loans.{loan_id}.due": "2026-12-22"}}]},
    ],
)
def test_what_sets_the_expected_state_is_wanted(sets):
    found = in_the_library(RENEW, sets=sets)
    assert (found.yes, found.consent) == (True, ("renew_loan",))
    row = {"state": {"loans.L-10": {"due": "2026-12-22"}}}
    assert in_the_library(RENEW, sets=sets, expect=row).yes
    assert not in_the_library("Shall I cancel your loan of Emma?", sets=sets).yes


@pytest.mark.parametrize(
    ("sets", "expect"),
    [
        ({"set": {"loans.{loan_id}.due": "2027-01-01"}}, DUE),
        ({"set": {"loans.{loan_id}.renewals": 1}}, DUE),
        ({"set": {"loans.{loan_id}.due": "2026-12-22"}}, {**DUE, "outcome": "refused"}),
    ],
)
def test_what_sets_something_else_or_where_a_refusal_is_expected_is_not(sets, expect):
    assert not in_the_library(RENEW, sets=sets, expect=expect).yes


def test_a_proposal_of_what_the_users_line_asks_for_gets_no_no():
    said = "I want to renew my book."
    assert in_the_library(RENEW, said) is None
    assert in_the_library(RENEW, said, agrees_to=["renew_loan"]).yes
    assert not in_the_library(RENEW, said, declines=["renew_loan"]).yes
    assert not in_the_library("Shall I cancel your loan of Emma?", said).yes
    assert not in_the_library(RENEW, "I do not want to renew my book.").yes
    other = {"calls": {"required": [{"renew_loan": {"loan_id": "L-10"}}]}}
    assert not in_the_library("Shall I renew loan L-12?", said, expect=other).yes
