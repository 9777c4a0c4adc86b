from __future__ import annotations

import pytest

from harness.model.episode import Ask, AskKind
from harness.model.status import Status
from harness.scoring.memory import same
from harness.scoring.retention import context_retention
from tests.harness.scoring.build import call, episode, material, said, user

KNOWS = {"order_id": "O-1001", "email": "ana@example.com", "phone": None}
MATERIAL = material()


def scored(*events, against=MATERIAL, knows=KNOWS, **fields):
    return context_retention.score(episode(*events, knows=knows, **fields), against)["context_retention"]


def steps(*events, **fields):
    return [finding.step for finding in scored(*events, **fields).findings if not finding.recovered]


def ask(slot="order_id", quote="What is your order number?", kind=AskKind.SLOT):
    return said(quote, Ask(kind, quote, slot))


def answer(text="My order number is O-1001.", *slots):
    return user(text, answered=tuple((slot, text) for slot in slots or ("order_id",)))


def look_up(order="O-1001", **fields):
    return call("get_order", {"order_id": order}, **{"result": {"order_id": order}, **fields})


def test_good_what_was_given_is_used_and_not_asked_again():
    score = scored("My blender broke.", ask(), answer(), look_up(), said("I see it."), "And now?", said("Done."))
    assert score.value.status is Status.PASSED
    assert score.details == {"given": 1, "asked_again": 0}


def test_bad_asked_again_turns_later():
    score = scored("My blender broke.", ask(), answer(), said("Thanks."), "So?", ask())
    assert (score.value.status, [finding.code for finding in score.findings]) == (Status.FAILED, ["UN2"])
    (finding,) = score.findings
    assert (finding.step, finding.evidence.quote) == ((3, 1), "What is your order number?")


def test_what_a_line_says_by_itself_is_given_too():
    assert steps("My order O-1001 broke.", ask()) == [(1, 1)]
    assert steps("My order o 1001 broke.", ask()) == [(1, 1)]
    assert steps("My order O-10011 broke.", ask()) == []


def test_having_none_is_an_answer():
    lacking = answer("I don't have that.", "phone")
    assert steps("Hi.", ask("phone"), lacking, ask("phone")) == [(2, 1)]


def test_an_ask_before_the_answer_is_fair():
    assert steps("My blender broke.", ask(), said("One moment."), answer(), look_up()) == []


@pytest.mark.parametrize(
    "quote", ["What is the other order number?", "And the second order?", "¿Y el otro pedido?", "另一个订单号？"]
)
def test_asking_for_another_one_is_fair(quote):
    assert steps("My order O-1001 broke.", said("I see."), "There is more.", ask(quote=quote)) == []


def test_a_read_back_is_fair():
    assert steps("My order O-1001 broke.", ask(kind=AskKind.READBACK, quote="Is it O-1001?")) == []


@pytest.mark.parametrize(
    "failing", [{"error": "no such order"}, {"result": None}, {"result": []}, {"result": {"found": False}}]
)
def test_asking_again_after_the_value_did_not_work_is_fair(failing):
    assert steps("My order O-1001 broke.", look_up(**failing), ask()) == []
    assert steps("My order O-1001 broke.", look_up(), ask()) == [(1, 2)]


def test_a_failure_with_another_value_is_no_excuse():
    assert steps("My order O-1001 broke.", look_up("O-9", error="no such order"), ask()) == [(1, 2)]


def test_not_applicable_where_nothing_was_given():
    assert scored("Hi.", said("Hello.")).value.status is Status.NOT_APPLICABLE
    assert scored("My order O-1001 broke.").value.status is Status.NOT_APPLICABLE
    assert scored().value.status is Status.NOT_APPLICABLE


CORRECTING = material(
    user={"turns": ["My order O-1001 broke.", {"say": "No, it is O-2002.", "now": {"order_id": "O-2002"}}]}
)
START = ("My order O-1001 broke.", look_up(), said("I see."), "No, it is O-2002.")


def test_the_old_value_after_a_correction():
    cancel_old = call("cancel_order", {"order_id": "O-1001"})
    score = scored(*START, cancel_old, against=CORRECTING)
    assert [finding.code for finding in score.findings] == ["UN2"]
    assert (score.findings[0].expected, score.findings[0].actual) == ("O-2002", "O-1001")
    assert score.findings[0].evidence.path == "cancel_order.order_id"


def test_the_new_value_after_a_correction_is_right():
    assert steps(*START, call("cancel_order", {"order_id": "O-2002"}), against=CORRECTING) == []
    both = call("swap", {"from": "O-1001", "order_id": "O-2002"})
    assert steps(*START, both, against=CORRECTING) == []


def test_looking_the_old_one_up_once_more_is_a_slip_if_the_new_one_follows():
    score = scored(*START, look_up("O-1001"), look_up("O-2002"), against=CORRECTING)
    assert (score.value.status, [finding.recovered for finding in score.findings]) == (Status.PASSED, [True])


def test_the_old_value_that_the_user_says_again_is_right():
    again = (*START, said("Cancel it?"), "O-1001, I mean.", call("cancel_order", {"order_id": "O-1001"}))
    assert steps(*again, against=CORRECTING) == []


def test_asking_for_what_was_corrected_without_a_new_value_is_fair():
    against = material(
        user={"turns": ["My order O-1001 broke.", {"say": "No, another.", "now": {"order_id": "O-2002"}}]}
    )
    assert steps("My order O-1001 broke.", said("I see."), "No, another.", ask(), against=against) == []


def test_a_slot_that_must_be_retained_is_used():
    wanted = material({"retained": ["order_id", "phone"]})
    assert steps("My order O-1001 broke.", said("I see."), against=wanted) == [(1, 2)]
    assert steps("My order O-1001 broke.", look_up(), said("I see."), against=wanted) == []
    assert steps("My order O-1001 broke.", said("Order O-1001, I see."), against=wanted) == []
    assert scored("Hi.", said("Hello."), against=wanted).value.status is Status.NOT_APPLICABLE


def test_garbage_is_read_without_harm():
    odd = call("get_order", None, raw="{", error="bad")
    score = scored("\x00 O-1001", odd, said("\x1b", Ask(AskKind.SLOT, "?", None)), knows={"order_id": "", "x": None})
    assert score.value.status is Status.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("O-1001", "o 1001", True),
        ("49.90", 49.9, True),
        ("49.90", "49.9", True),
        ("O-1001", "O-1002", False),
        (None, None, False),
        ("", "", False),
        ("...", "!!!", False),
    ],
)
def test_values_are_the_same_as_text_or_as_numbers(one, other, equal):
    assert same(one, other) is equal
