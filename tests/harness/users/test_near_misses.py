"""Proposals that come near an expected write: none of them gets a yes that is kept as consent to it."""

from __future__ import annotations

import pytest

from harness.model.scenario import Scenario
from harness.users.stance import Mind, Verdict
from tests.harness.users.conversations import SHOP, scenario, spec
from tools_sandbox.schema import FieldType, SandboxSchema, TableSchema

MEMBER = {"member_id": FieldType("text")}
GYM = SandboxSchema(
    {},
    {
        "get_member": spec("get_member", "reads", "Look a member up.", MEMBER),
        "cancel_membership": spec("cancel_membership", "writes", "Cancel a membership at the month's end.", MEMBER),
    },
)
FACTS = ["M-4", "spinning"]
LEAVES = {"expect": {"calls": {"required": [{"cancel_membership": {"member_id": "M-4"}}]}}}
WANTS = {"expect": {}, "wants": ["cancel_membership"]}
OFFER = "I can cancel membership M-4 at the end of the month."


def gym(expect: dict[str, object], **user: object) -> Scenario:
    knows = {"member_id": "M-4", "class": "spinning"}
    return scenario(["I want to leave the gym."], expect, knows=knows, **user)


def verdict(proposal: str, *before: str, **user: object) -> Verdict | None:
    return Mind.of(gym(**(user or LEAVES)), GYM).verdict(proposal, before, (), FACTS, ())


NEAR_MISSES = [
    "Shall I confirm your address for M-4?",
    "Is M-4 your member number?",
    "Shall I send the contract for M-4?",
    "Do you want a new membership card for M-4?",
    "Would you like to upgrade membership M-4 at the end of the month?",
    "Shall I renew membership M-4?",
    "Shall I cancel your spinning class?",
    "Shall I cancel the spinning class for M-4?",
    "Shall I cancel your membership card?",
    "Shall I cancel your locker booking at the end of the month?",
    "Shall I cancel your spinning class and your locker?",
    "Would you like your spinning class cancelled?",
    "Would you like to proceed with the cancellation of your spinning class?",
    "Shall I waive the cancellation fee for M-4?",
    "Shall I print the cancellation policy?",
    "Shall I explain how to cancel your membership?",
    "Shall I check whether you can cancel your membership?",
    "Would you like information about cancelling your membership?",
    "Shall I remind you to cancel your membership?",
    "¿Confirmo su dirección para M-4?",
    "¿Renuevo la membresía M-4?",
    "¿Cancelo su clase de spinning?",
    "¿Quiere que cancele la tarjeta de socio M-4?",
    "¿Quiere que anule su reserva de pista?",
    "¿Procedo con la cancelación de su clase de spinning?",
    "¿Le explico cómo cancelar su membresía?",
    "¿Compruebo si puede cancelar su membresía?",
    "需要我确认M-4的地址吗？",
    "需要我为M-4续费会员吗？",
    "需要我取消您的动感单车课程吗？",
    "要我取消您的会员卡吗？",
    "需要我把您的课程取消吗？",
    "您要取消明天的私教预约吗？",
    "要我告诉您如何取消会员吗？",
]


@pytest.mark.parametrize("proposal", NEAR_MISSES)
@pytest.mark.parametrize("user", [LEAVES, WANTS], ids=["expected", "wanted"])
@pytest.mark.parametrize("before", [(), (OFFER,)], ids=["alone", "after the offer"])
def test_a_value_or_a_verb_alone_is_no_consent(proposal, user, before):
    answer = verdict(proposal, *before, **user)
    assert answer is None or "cancel_membership" not in answer.consent


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I cancel your membership?",
        "Shall I cancel M-4?",
        "Shall I cancel it now?",
        "Would you like me to proceed with the cancellation?",
        "Do you want your membership cancelled at the end of the month?",
        "Shall I go ahead and process the membership cancellation?",
        "Shall I cancel your gym membership with immediate effect?",
        "Do you confirm the immediate cancellation of membership M-4?",
        "¿Quiere que cancele su membresía M-4?",
        "¿Procedo con la cancelación de su membresía?",
        "¿Desea que la anule hoy mismo?",
        "您确认要取消会员M-4吗？",
        "要我现在为您取消会员资格吗？",
        "需要我把您的会员取消吗？",
        "您确定取消吗？",
    ],
)
@pytest.mark.parametrize("user", [LEAVES, WANTS], ids=["expected", "wanted"])
@pytest.mark.parametrize("before", [(), (OFFER,)], ids=["alone", "after the offer"])
def test_the_act_by_its_name_is_consented_to(proposal, user, before):
    assert verdict(proposal, *before, **user) == Verdict(True, "cancel_membership", ("cancel_membership",))


@pytest.mark.parametrize("bare", ["Shall I go ahead?", "¿Procedo?", "需要我继续吗？"])
def test_a_bare_question_is_about_what_was_offered_whatever_that_is(bare):
    assert verdict(bare, OFFER).consent == ("cancel_membership",)
    for offer in (
        "I can cancel your spinning class.",
        "I can print a new card for M-4.",
        "I can explain how to cancel your membership.",
        "Puedo anular su reserva de pista.",
        "我可以取消您的动感单车课程。",
    ):
        answer = verdict(bare, offer)
        assert answer is None or not answer.consent, offer


@pytest.mark.parametrize(
    ("proposal", "answer"),
    [
        ("Shall I cancel your membership card?", None),
        ("Shall I look up your membership?", Verdict(True, "get_member", ("get_member",), mild=True)),
        ("Shall I cancel your spinning class?", None),
        ("Shall I print the timetable?", None),
    ],
)
def test_the_answer_is_yes_to_a_read_and_open_where_it_cannot_be_told(proposal, answer):
    assert verdict(proposal) == answer


CLUB = SandboxSchema(
    {"members": TableSchema(), "lockers": TableSchema()},
    {
        **GYM.tools,
        "book_class": spec("book_class", "writes", "", {**MEMBER, "class_id": FieldType("text")}),
        "block_card": spec("block_card", "writes", "", MEMBER),
    },
)


@pytest.mark.parametrize(
    "question",
    [
        "Shall I cancel your plan?",
        "Shall I cancel your basic subscription?",
        "Shall I cancel your account M-4?",
        "Shall I cancel your contract?",
        "¿Cancelo su suscripción?",
        "需要我取消您的套餐吗？",
    ],
)
@pytest.mark.parametrize("user", [LEAVES, WANTS], ids=["expected", "wanted"])
def test_what_is_wanted_of_a_thing_by_another_name_is_left_open(question, user):
    assert Mind.of(gym(**user), CLUB).verdict(question, (), (), FACTS, ()) is None


def test_a_go_ahead_with_a_thing_by_another_name_is_left_open():
    mind = Mind.of(gym(**LEAVES), CLUB)
    assert mind.verdict("Shall I go ahead?", ("I can cancel your plan.",), (), FACTS, ()) is None


@pytest.mark.parametrize(
    "question",
    [
        "Shall I cancel your card?",
        "Shall I cancel your spinning class?",
        "Shall I cancel your locker?",
        "¿Cancelo su tarjeta?",
        "Shall I cancel your plan for M-5?",
    ],
)
def test_another_thing_of_the_sandbox_or_another_value_gets_a_no(question):
    mind = Mind.of(gym(**LEAVES), CLUB)
    assert mind.verdict(question, (), (), FACTS, ()) == Verdict(False, "cancel_membership")


def test_a_phrase_under_the_name_of_a_tool_is_consent_to_it():
    mind = Mind.of(gym({}, agrees_to=[{"cancel_membership": ["cancel your plan"]}]), CLUB)
    answer = mind.verdict("Shall I cancel your plan?", (), (), FACTS, ())
    assert answer == Verdict(True, "cancel_membership", ("cancel_membership",))
    other = mind.verdict("Shall I cancel your locker?", (), (), FACTS, ())
    assert other == Verdict(False, "cancel_membership")


def test_a_tool_named_for_the_other_thing_is_another_write():
    plan = spec("cancel_plan", "writes", "", MEMBER)
    mind = Mind.of(gym(**LEAVES), SandboxSchema({}, {**GYM.tools, plan.name: plan}))
    assert mind.verdict("Shall I cancel your plan?", (), (), FACTS, ()) == Verdict(False, "cancel_plan")


def test_whatever_a_shop_sells_may_be_refunded_but_not_its_fees():
    mind = Mind.of(scenario(), SHOP)
    assert mind.verdict("Shall I refund the order?", (), (), FACTS, ()).yes
    assert mind.verdict("Shall I refund the shipping fee?", (), (), FACTS, ()) is None
